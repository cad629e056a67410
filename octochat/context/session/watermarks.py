"""The context sizes from which growth is measured before a change is tried (again)."""

from dataclasses import dataclass, replace
from math import ceil
from typing import Literal

STALL = 1.1
"""What came to nothing is tried again when the context has grown by a tenth."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """A context size, and what happened there: docs/compression.md#cooldown."""

    size: int
    """Tokens, the safety margin included."""
    origin: Literal["compression", "hold", "restore"]


@dataclass(frozen=True, slots=True)
class Watermarks:
    """What a strategy did or tried holds for itself; what you or a full window made, for all."""

    common: Watermark | None = None
    own: tuple[tuple[str, Watermark], ...] = ()
    """By the strategy's name; newer than the common one."""

    def of(self, strategy: str) -> Watermark | None:
        """The one that holds for the strategy."""
        return dict(self.own).get(strategy, self.common)

    def stalled(self, strategy: str, size: int) -> bool:
        """Whether a try came to nothing and the context has not grown by 10 % since."""
        mark = self.of(strategy)
        return mark is not None and mark.origin == "hold" and size < mark.size * STALL

    def restored(self, size: int) -> bool:
        """Whether the person took a change back and 10 % have not grown since."""
        mark = self.common
        return mark is not None and mark.origin == "restore" and size < mark.size * STALL

    def marked(self, strategy: str, mark: Watermark) -> "Watermarks":
        """With one for this strategy; a compression of its own ends what held for all."""
        common = None if mark.origin == "compression" else self.common
        return Watermarks(common, (*self.without(strategy).own, (strategy, mark)))

    def without(self, strategy: str) -> "Watermarks":
        """Without the strategy's own."""
        return replace(self, own=tuple(each for each in self.own if each[0] != strategy))

    @property
    def after_prompt(self) -> "Watermarks":
        """When the person speaks, those after a compression go and all others stay."""
        common = self.common
        return Watermarks(
            None if common and common.origin == "compression" else common,
            tuple(each for each in self.own if each[1].origin != "compression"),
        )

    def scaled(self, scale: float) -> "Watermarks":
        """As another model counts tokens."""
        own = tuple((by, replace(mark, size=ceil(mark.size * scale))) for by, mark in self.own)
        common = self.common and replace(self.common, size=ceil(self.common.size * scale))
        return Watermarks(common, own)
