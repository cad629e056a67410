"""How sure a figure is: what it would have been with other recordings of the same kind.

A figure is a ratio of two sums over the recordings. Recordings are drawn anew, with repetition,
as many as there are (a bootstrap), and 95 of 100 such draws lie in the interval. Everything is
counted in whole numbers, so that the order in which recordings are done changes nothing.
"""

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

SEED = 1
"""Of the draws; the same recordings always have the same intervals."""
DRAWS = 1_000
GROUPS = 1_000
"""More recordings than this are drawn in so many groups, so that their number costs nothing."""
SCALE = 10**9
"""Parts of one into which shares and dollars are counted."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval."""

    value: float | None = None
    """None where there was nothing to measure."""
    low: float | None = None
    """None where there is only one recording to draw from."""
    high: float | None = None


@dataclass(slots=True)
class Sample:
    """One figure over the recordings, as it grows."""

    above: "array[int]" = field(default_factory=lambda: array("q", bytes(8 * GROUPS)))
    """The figure's numerator, by group of recordings."""
    below: "array[int]" = field(default_factory=lambda: array("q", bytes(8 * GROUPS)))
    """Its denominator."""

    def add(self, place: int, above: int, below: int) -> None:
        """What the recording at this place of the run adds."""
        self.above[place % GROUPS] += above
        self.below[place % GROUPS] += below

    def estimate(self, unit: float = 1.0) -> Estimate:
        """The figure, in parts of `unit`."""
        at = [n for n, below in enumerate(self.below) if below]
        if not at:
            return Estimate()
        above, below = [self.above[n] for n in at], [self.below[n] for n in at]
        value = sum(above) / sum(below) / unit
        if len(at) == 1:
            return Estimate(value)
        drawn = sorted(
            sum(map(above.__getitem__, draw)) / sum(map(below.__getitem__, draw)) / unit
            for draw in _draws(len(at))
        )
        return Estimate(value, drawn[DRAWS // 40], drawn[-1 - DRAWS // 40])


@lru_cache(maxsize=16)
def _draws(count: int) -> tuple[Sequence[int], ...]:
    lots = random.Random(SEED)  # noqa: S311 - no secret; the same lots every time are the point
    return tuple(array("H", lots.choices(range(count), k=count)) for _ in range(DRAWS))
