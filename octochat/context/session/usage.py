"""What a call of a model was billed for, in tokens. It knows no prices."""

from dataclasses import dataclass

IMPLAUSIBLE = 3
"""A server that reports fewer than one for so many of our tokens is not believed."""
LEAST_COUNTED = 2_000
"""Below this many tokens our own count may be off by more."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model calls, as billed."""

    fresh: int = 0
    """Input that was neither read from the cache nor written to it."""
    cache_read: int = 0
    cache_write: int = 0
    """Input written to the cache for 5 minutes."""
    cache_write_1h: int = 0
    """Input written to the cache for an hour."""
    output: int = 0
    """Output, thinking included."""

    @property
    def prompt(self) -> int:
        """The whole input."""
        return self.fresh + self.cache_read + self.cache_write + self.cache_write_1h

    @property
    def caches(self) -> bool:
        """Whether any of the input had to do with a cache."""
        return self.prompt > self.fresh

    @property
    def context(self) -> int:
        """Input and output: what the conversation weighs after the call."""
        return self.prompt + self.output

    def plausible(self, counted: int) -> bool:
        """Whether a server may report this for a request of which octochat counts so many tokens.

        Some report next to nothing for the prompt; the gauge and all triggers go by our count then.
        """
        return counted < LEAST_COUNTED or self.prompt * IMPLAUSIBLE >= counted

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.fresh + other.fresh,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.cache_write_1h + other.cache_write_1h,
            self.output + other.output,
        )
