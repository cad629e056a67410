"""Pressure-level compression: when the context is heavy, how hard to fold, and whether it pays.

After "Context Compression" of Octomind, whose words stand in quotation marks; the rules are in
docs/compression.md. `decide` asks the gates in their order; each gate is one function.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from octochat.context.codec.bounds import Share
from octochat.context.codec.decode import Constraint
from octochat.context.economics.worth import cheapest
from octochat.context.notes.transcript import transcript_size
from octochat.context.plans.expected import expected
from octochat.context.plans.ranges import TAIL_TURNS, choose, going
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import BuiltInLevels, Level
from octochat.context.session.edits import Decision, Hold, NoteRequest, Plan, Worth
from octochat.context.session.view import Units

FULL_WINDOW = 200_000
"""Below this window, in tokens, built-in thresholds are scaled down in proportion."""
FLOOR = 0.20
"""A range smaller than this share of the context is not worth the cache it breaks."""
LEAST_NOTE = 400
"""A note is never given less than this many tokens."""
MOST_OF_LEVEL = 0.3
"""A note is never longer than this share of the level's threshold: it must leave room to work."""
FIRST_GROWTH = 0.10
LAST_GROWTH = 1.0


DEFAULT_LEVELS = BuiltInLevels((Level(60_000, 2.0), Level(120_000, 4.0), Level(160_000, 8.0)))


@dataclass(frozen=True, slots=True)
class PressureSettings:
    """The keys of `[compression]` that the strategy itself reads."""

    hints_enabled: bool = True
    """Compress automatically, and hint at it before. `/done` and `/compact` always work."""
    pressure_levels: tuple[Level, ...] = DEFAULT_LEVELS
    """From which size to compress, and how hard. An empty list turns it off. What you write holds
    as it is written. Without it, these hold, and in a window under 200,000 tokens in proportion:
    60,000 -> 9,600 in one of 32,000."""
    note_max_tokens: Annotated[int, Constraint("400 or more", lambda n: n >= LEAST_NOTE)] = 8_000
    """The longest note, in tokens. It takes a fifth of what it stands for, and never more than
    three tenths of the level that asks for it."""
    require_benefit: bool = True
    """Compress automatically only if that saves money."""
    pay_back: Share = 0.35
    """With `require_benefit`: it must have paid for itself within this share of the calls that are
    still expected. A smaller share compresses later and forgets less; 1.0 costs least."""
    min_freed: Share = 0.15
    """Compress automatically only if that frees this share of the context, whatever it saves."""


@dataclass(frozen=True, slots=True)
class Pressure(PressureSettings):
    """Octomind's pressure levels: a heavy context is folded into one note, where that pays.

    Best for long work with tools: what matters is kept in sections and an index, and prices and the
    cache are weighed. Costs a call of a (cheap) model whenever it acts.
    """

    name: ClassVar[str] = "pressure"
    section: ClassVar[str] = "compression"

    def decide(self, situation: Situation) -> Decision:
        """One look: the gates in order, and a plan where all of them are open."""
        levels = self.levels(situation.window)
        if not self.hints_enabled or not levels:
            return Hold("automatic compression is off")
        matched = matched_level(levels, situation.size)
        if matched is None:
            first = levels[0].threshold
            return Hold(f"{situation.size:,} tokens are below the first level ({first:,})")
        if wanted := self.waits_for(situation):
            return Hold(f"cooling down: the next compression is tried at {wanted:,} tokens")
        used = escalated(matched, situation.state.streak, len(levels))
        return self._weigh(situation, levels[matched].threshold, used, levels[used].target_ratio)

    def levels(self, window: int) -> tuple[Level, ...]:
        """The levels in ascending order; built-in ones shrink with a window below 200,000."""
        built_in = isinstance(self.pressure_levels, BuiltInLevels)
        share = min(window / FULL_WINDOW, 1.0) if built_in else 1.0
        ordered = sorted(self.pressure_levels, key=lambda level: level.threshold)
        return tuple(Level(int(lv.threshold * share), lv.target_ratio) for lv in ordered)

    def waits_for(self, situation: Situation) -> int | None:
        """The size at which the next try is due, while it is not reached."""
        mark = situation.state.watermarks.of(self.name)
        if mark is None:
            return None
        wanted = round(mark.size * (1 + growth_required(situation.state.streak)))
        return wanted if situation.size < wanted else None

    def _weigh(self, situation: Situation, threshold: int, level: int, ratio: float) -> Decision:
        longest = max(min(self.note_max_tokens, int(threshold * MOST_OF_LEVEL)), LEAST_NOTE)
        request = fold_range(situation, ratio, longest)
        if request is None:
            return Hold("there is nothing to compress", futile=True)
        gone = going(situation.state, request)
        folded = sum(unit.size for unit in gone)
        if folded < FLOOR * situation.size:
            share = folded / situation.size
            return Hold(f"only {share:.0%} of the context can be compressed (20 % is needed)")
        after = situation.size - folded + request.budget
        freed = situation.size - after
        if freed < self.min_freed * situation.size:
            share = f"{freed / situation.size:.0%} of the context"
            return Hold(f"it would free only {share} ({self.min_freed:.0%} is needed)")
        value = valued(situation, gone, request, after)
        if value and self.require_benefit:
            soon = expected(situation, request, after, value.summary, share=self.pay_back)
            if soon and soon.net <= 0:
                return Hold(
                    f"it would cost ${-soon.net:.4f} more than it saves in {soon.calls} calls",
                    worth=value,
                )
        return Plan(
            f"the context had {situation.size:,} tokens: {ratio:g}x",
            request,
            level=level,
            ratio=ratio,
            worth=value,
            least=self.min_freed,
        )


def matched_level(levels: tuple[Level, ...], size: int) -> int | None:
    """The highest level reached: "the highest matched threshold determines the base ratio"."""
    reached = [i for i, level in enumerate(levels) if size >= level.threshold]
    return reached[-1] if reached else None


def escalated(matched: int, streak: int, levels: int) -> int:
    """The level used: "escalated based on consecutive compressions (round-robin through levels)".

    From the matched one up, never lighter than it.
    """
    return matched + streak % (levels - matched)


def growth_required(streak: int) -> float:
    """The share by which the context must have grown: 10, 20, 40, 80, 100 %."""
    return min(FIRST_GROWTH * 2.0 ** max(streak - 1, 0), LAST_GROWTH)


def fold_range(
    situation: Situation, ratio: float, note_max: int, *, tail: int = TAIL_TURNS
) -> NoteRequest | None:
    """The run whose fold brings the whole context to its size divided by `ratio`."""
    state = situation.state
    excess = situation.size - int(situation.size / ratio)
    return choose(state.view.units, state.protected, excess=excess, tail=tail, note_max=note_max)


def valued(situation: Situation, gone: Units, request: NoteRequest, after: int) -> Worth | None:
    """What the fold would save; None where there is nothing to weigh (free or unpriced models)."""
    written = cheapest(
        situation.writers,
        context=situation.size,
        cached=situation.cached,
        transcript=transcript_size(gone),
        note=request.answer,
    )
    summary = 0.0 if written is None or situation.summary_ignored else written[1]
    return expected(situation, request, after, summary)
