"""The API's prompt cache, simulated: what of each request is read, written, or neither.

It knows blocks by digest and weight only, and no prices. The rules are those of the section
"Prompt caching" of the API's documentation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from octochat.context.economics.prices import FIVE_MINUTES
from octochat.context.session.events import Usage

LOOK_BACK = 20
"""Blocks over which a breakpoint looks for an earlier entry, its own counted."""


@dataclass(frozen=True, slots=True)
class CacheBlock:
    """One block of a request, as the cache sees it."""

    digest: int
    """Equal for equal bytes."""
    tokens: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What the cache made of one request."""

    usage: Usage
    """The input; the output is not the cache's business."""
    bust: bool = False
    """An entry that was still alive could not be read, because the request had changed."""
    rewritten: int = 0
    """Tokens written to the cache that an earlier request had sent already."""


@dataclass(slots=True)
class PromptCache:
    """The cache entries of one conversation with one model."""

    minimum: int
    """Tokens below which a prefix is silently not cached."""
    ttl: int
    """Seconds that an entry lives after it was last read or written."""
    _numbers: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """(number of a prefix, digest of the block after it) -> number of the longer prefix.

    Equal prefixes, and only those, have equal numbers. The empty one is 0.
    """
    _until: dict[int, float] = field(default_factory=dict[int, float])
    """Number of a cached prefix -> when its entry dies."""
    _chain: list[int] = field(default_factory=list[int])
    """Numbers of the last request's prefixes, one per block."""
    _digests: list[int] = field(default_factory=list[int])
    """The last request's blocks."""
    _sums: list[int] = field(default_factory=list[int])
    """Tokens of the last request's prefixes."""
    _sent: set[int] = field(default_factory=set[int])
    """Digests of all blocks that were ever sent."""
    _newest: tuple[int, int] = (-1, 0)
    """Index of the last block that the last request left in the cache, and its prefix's number."""

    def ask(self, parts: Sequence[CacheBlock], breakpoints: Sequence[int], now: float) -> Reading:
        """Answer a request, and keep what it marks for later ones.

        Args:
            parts: The request's blocks in order: tools, system, messages.
            breakpoints: Indexes of the blocks that carry a marker, ascending.
            now: Seconds since the epoch.
        """
        same = self._link(parts)
        read = self._longest(breakpoints, now)
        marked = [n for n in breakpoints if self._sums[n] >= self.minimum]
        end = max([read, *marked])
        again = () if self._grown(read) else parts[read + 1 : end + 1]
        rewritten = sum(part.tokens for part in again if part.digest in self._sent)
        reading = Reading(self._usage(read, end), self._is_bust(now), rewritten)
        self._sent.update(self._digests[same:])
        for n in (read, *marked):
            if n >= 0:
                self._until[self._chain[n]] = now + self.ttl
        self._newest = (end, self._chain[end]) if end >= 0 else (-1, 0)
        return reading

    def alive(self, now: float) -> int:
        """Tokens of the last request's prefix that a repetition would read from the cache."""
        at, number = self._newest
        return self._sums[at] if self._until.get(number, now) > now else 0

    def _link(self, parts: Sequence[CacheBlock]) -> int:
        """Number the request's prefixes; returns how many blocks it shares with the last one."""
        pairs = enumerate(zip(self._digests, parts, strict=False))
        least = min(len(self._digests), len(parts))
        same = next((n for n, (mine, part) in pairs if mine != part.digest), least)
        del self._digests[same:], self._chain[same:], self._sums[same:]
        number = self._chain[-1] if same else 0
        total = self._sums[-1] if same else 0
        for part in parts[same:]:
            number = self._numbers.setdefault((number, part.digest), len(self._numbers) + 1)
            total += part.tokens
            self._digests.append(part.digest)
            self._chain.append(number)
            self._sums.append(total)
        return same

    def _longest(self, breakpoints: Sequence[int], now: float) -> int:
        """Index of the last block that can be read; -1 for none."""
        for breakpoint_ in reversed(breakpoints):
            for n in range(breakpoint_, max(breakpoint_ - LOOK_BACK, -1), -1):
                if self._until.get(self._chain[n], now) > now:
                    return n
        return -1

    def _grown(self, read: int) -> bool:
        """Whether all that the last request left in the cache was read: the rest is new."""
        at, number = self._newest
        return 0 <= at <= read and self._chain[at] == number

    def _is_bust(self, now: float) -> bool:
        at, number = self._newest
        changed = at >= len(self._chain) or self._chain[at] != number
        return at >= 0 and self._until[number] > now and changed

    def _usage(self, read: int, end: int) -> Usage:
        cached = self._sums[read] if read >= 0 else 0
        written = (self._sums[end] if end >= 0 else 0) - cached
        fresh = (self._sums[-1] if self._sums else 0) - cached - written
        if self.ttl > FIVE_MINUTES:
            return Usage(fresh=fresh, cache_read=cached, cache_write_1h=written)
        return Usage(fresh=fresh, cache_read=cached, cache_write=written)
