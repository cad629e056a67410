"""The one interface that every context strategy has, and what a strategy may look at."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from octochat.context.economics.prices import UNPRICED, Prices
from octochat.context.economics.worth import Writer
from octochat.context.session.content import Text
from octochat.context.session.edits import Decision, Fold, Hold, NoteRequest, Plan, UnitId
from octochat.context.session.events import Trigger
from octochat.context.session.state import State
from octochat.context.session.view import Note, Prompt, Unit, Units, covered


@dataclass(frozen=True)
class Situation:
    """Everything a strategy may look at."""

    state: State
    measure: Callable[[str], int]
    """Tokens of a text, by octochat's ruler."""
    now: float = 0.0
    """Seconds since the epoch."""
    window: int = 200_000
    """The model's window, in tokens."""
    reserve: int = 20_000
    """Tokens kept free for the answer; of a small window never more than half."""
    margin: int = 0
    """`safety_margin_tokens`."""
    max_session: int = 0
    """`max_session_tokens`; 0, or more than that: the window less the reserve."""
    prices: Prices = UNPRICED
    """Of the conversation's model."""
    writers: tuple[Writer, ...] = ()
    """The models that may write a summary; none where no model writes it."""
    summary_ignored: bool = False
    """`ignore_cost`: what the summary costs does not count."""
    trigger: Trigger = "auto"
    compaction: bool = False
    """The model's API can write a signed summary on demand."""

    @property
    def size(self) -> int:
        """F, the one number: the context size in tokens, the safety margin included."""
        return self.state.context + self.margin

    @property
    def limit(self) -> int:
        """The most tokens that a request may have."""
        window = self.window - min(self.reserve, self.window // 2)
        return min(self.max_session, window) if self.max_session else window

    @property
    def history(self) -> int:
        """F without system prompt and tools, in tokens."""
        return self.size - self.state.view.head

    @property
    def uncounted(self) -> int:
        """What F has more than the sizes of the parts: the margin, and what the API adds."""
        return self.size - self.state.view.size

    def budget(self, most: int = 0) -> int:
        """Tokens that the messages may weigh: "window - output - system - tools", 0 at least.

        `most` is a setting that takes its place; 0 where there is none.
        """
        return max(most or self.limit - self.state.view.head, 0)

    @property
    def warm(self) -> bool:
        """Whether the prompt cache still holds what was last sent."""
        return self.state.ledger.warm(self.now)

    @cached_property
    def cached(self) -> int:
        """Tokens of the prefix that the prompt cache still holds, unbroken by edits since."""
        view, sent = self.state.view, self.state.sent
        if not self.warm or view.seed != sent.seed:
            return 0
        tokens = view.head
        for mine, theirs in zip(view.units, sent.units, strict=False):
            if mine is not theirs and mine != theirs:
                break
            tokens += mine.size
        # The API counts what octochat does not see (hidden thinking); F has it, so this has it too.
        return int(tokens * self.state.context / view.size) if view.size else 0

    @cached_property
    def free(self) -> frozenset[UnitId]:
        """Ids of the units that may be folded or trimmed."""
        return frozenset(u.id for u in self.state.view.units) - self.state.protected


class Strategy(Protocol):
    """Decides what the model need no longer see. It looks, it answers, it does nothing else.

    A frozen dataclass whose fields are its keys in the configuration.
    """

    name: ClassVar[str]

    def decide(self, situation: Situation) -> Decision:
        """A plan, or a hold with its reason. Called once before each request."""
        ...


def considered(strategy: Strategy, situation: Situation) -> Decision:
    """What the strategy decides; a hold where that would only repeat what was just in vain.

    While its last try that came to nothing is fresh, a note to be written and a try that is futile
    wait; after `/restore` every plan does that need not be, or what the person wants back would be
    gone again.
    """
    decision, fits = strategy.decide(situation), situation.size <= situation.limit
    if isinstance(decision, Plan) and fits and situation.state.restored(situation.size):
        return Hold("you took a change back; the context must grow by a tenth first")
    if not situation.state.stalled(strategy.name, situation.size):
        return decision
    match decision:
        case Hold(futile=True) | Plan(fold=NoteRequest()):
            return Hold("its last try came to nothing; the context must grow by a tenth first")
        case Hold() | Plan():
            return decision


GAP = "[octochat left out"


def gap(run: Units, keep: frozenset[UnitId] = frozenset()) -> Fold:
    """A fold that says only that something was here and how to fetch it."""
    gone = sum(len(covered(unit)) for unit in run if unit.id not in keep)
    text = f"{GAP} {gone} earlier messages here; `recall` can fetch them]"
    kept = tuple(unit.id for unit in run if unit.id in keep)
    return Fold(run[0].id, run[-1].id, (Text(text),), kept)


def exchanges(units: Units) -> tuple[Units, ...]:
    """The units as exchanges: each begins with a prompt of the person (the first may not)."""
    groups: list[list[Unit]] = []
    for unit in units:
        if isinstance(unit, Prompt) or not groups:
            groups.append([])
        groups[-1].append(unit)
    return tuple(tuple(group) for group in groups)


def is_note(unit: Unit) -> bool:
    """Whether octochat wrote it to stand for folded units."""
    return isinstance(unit, Note) and unit.kind == "summary"


def is_gap(unit: Unit) -> bool:
    """Whether it says only that something was left out."""
    return is_note(unit) and any(
        isinstance(block, Text) and block.text.startswith(GAP) for block in unit.blocks
    )


def messages(units: Units) -> Units:
    """The units without summaries: what the originals count as messages."""
    return tuple(unit for unit in units if not is_note(unit))


def droppable(situation: Situation) -> Units:
    """What may be left out without a word on what it said.

    Summaries stay, another strategy paid for them; notes of a gap become part of the next one.
    """
    return tuple(u for u in messages(situation.state.view.units) if u.id in situation.free)


def drop(situation: Situation, gone: Units, why: str) -> Decision:
    """A plan that leaves these units out, or a hold where nothing of them may go.

    The run reaches from the first unit to the last, with the notes of gaps before it and in it;
    what else lies between and is not `gone` is kept.
    """
    going = frozenset(unit.id for unit in gone) & situation.free
    if not going:
        return Hold("nothing that may be dropped")
    units = situation.state.view.units
    places = [i for i, unit in enumerate(units) if unit.id in going]
    first, last = places[0], places[-1]
    while first and is_gap(units[first - 1]):
        first -= 1
    run = units[first : last + 1]
    return Plan(why, gap(run, frozenset(u.id for u in run if not is_gap(u)) - going))


def summarised(situation: Situation, gone: Units, most: int, why: str) -> Decision:
    """A plan that makes one paragraph of these units and of every earlier summary.

    Args:
        situation: what there is.
        gone: the units to be summed up; those that may not go stay.
        most: tokens that the paragraph may take; it never takes more than it replaces.
        why: the plan's reason.
    """
    going = frozenset(unit.id for unit in messages(gone)) & situation.free
    if not going:
        return Hold("nothing that may be summarised")
    units = situation.state.view.units
    going |= {unit.id for unit in units if is_note(unit)} & situation.free
    places = [i for i, unit in enumerate(units) if unit.id in going]
    run = units[places[0] : places[-1] + 1]
    keep = tuple(unit.id for unit in run if unit.id not in going)
    size = sum(unit.size for unit in run if unit.id in going)
    budget = min(most, int(size * (1 - LEAST_GAIN)))
    return Plan(why, NoteRequest(run[0].id, run[-1].id, budget, keep, style="paragraph"))


LEAST_GAIN = 0.1
"""The share of what is summed up that must be won."""
