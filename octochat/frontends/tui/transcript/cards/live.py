"""What goes on right now: a compression being worked out, the wait before the next try."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from octochat.frontends.tui.render.blocks import FAINT, Block, fits, styled
from octochat.frontends.tui.transcript.activity import CHARACTERS
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.models.port import Compressing, Retrying
from octochat.text.figures import elapsed, tokens
from octochat.text.harmless import harmless

EARLY = 1.0
"""Seconds by which a wait may seem shorter than it was announced."""


class CompressingCard(Card):
    """A compression under way."""

    def __init__(self, at: float, delta: Compressing, written: Callable[[], int]) -> None:
        """`written`: characters that have come of the note by now."""
        super().__init__(at)
        self._delta = delta
        self._written = written

    @property
    def running(self) -> bool:
        return True

    def blocks(self, page: Page) -> Sequence[Block]:
        delta = self._delta
        level = "" if delta.level is None else f" · level {delta.level + 1}"
        ratio = "" if delta.ratio is None else f", {delta.ratio:g} to 1"
        title = styled(
            ("Compressing", "bold $text-accent"),
            f"  {tokens(delta.before)}",
            (level + ratio, FAINT),
        )
        come = self._written()
        written = styled(
            (f"{tokens(max(come // CHARACTERS, 1))} tokens written" if come else "", FAINT)
        )
        right = f"{elapsed(page.now - self.at)} · Esc stops it"
        return [
            header((page.frame, "$text-accent"), title, right),
            Block(styled((f"  {harmless(delta.why)}", FAINT)), right=written, wrap="cut"),
        ]

    def text(self) -> str:
        return self._delta.why


class RetryCard(Card):
    """A call failed; the next try is counted down, and further ones on the same line."""

    tight = True

    def __init__(self, at: float, delta: Retrying) -> None:
        super().__init__(at)
        self._delta = delta
        self._waits_from = at
        self.ended = ""
        """What became of it, in words: `tried again`, or `not made`; empty while it waits."""

    def again(self, now: float, delta: Retrying) -> None:
        """The next try has failed as well."""
        self._delta, self._waits_from, self.ended = delta, now, ""

    def end(self, now: float) -> None:
        """The wait is over without an answer; before its time, the person broke it off."""
        early = now < self._waits_from + self._delta.wait - EARLY
        self.ended = "not made" if early else "tried again"

    @property
    def running(self) -> bool:
        return not self.ended

    def blocks(self, page: Page) -> Sequence[Block]:
        delta = self._delta
        left = max(self._waits_from + delta.wait - page.now, 0)
        wait = self.ended or f"in {left:.0f} s · Enter tries now"
        right = f"try {delta.attempt} of {delta.attempts} · {wait}"
        style = FAINT if self.ended else "$text-warning"
        why = styled((harmless(delta.why), style))
        rows = [header(("↻", style), why, right)]
        if not fits(rows[0], page.width):
            rows = [header(("↻", style), why), Block(styled((f"  {right}", FAINT)))]
        return rows if self.ended else [replace(row, action="hurry") for row in rows]

    def text(self) -> str:
        return self._delta.why
