"""The one interface that every context strategy has, and what a strategy may look at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from octochat.context.content import Text
from octochat.context.economics import Writer
from octochat.context.edits import Decision, Fold, Hold, Plan, UnitId
from octochat.context.events import Trigger
from octochat.context.prices import UNPRICED, Prices
from octochat.context.state import State
from octochat.context.view import Note, Prompt, Unit, Units


@dataclass(frozen=True, slots=True)
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
    """Tokens kept free for the answer."""
    margin: int = 0
    """`safety_margin_tokens`."""
    max_session: int = 0
    """`max_session_tokens`; 0 means the window less the reserve."""
    prices: Prices = UNPRICED
    """Of the conversation's model."""
    writers: tuple[Writer, ...] = ()
    """The models that may write a summary; none where no model writes it."""
    summary_ignored: bool = False
    """`ignore_cost`: what the summary costs does not count."""
    trigger: Trigger = "auto"

    @property
    def size(self) -> int:
        """F, the one number: the context size in tokens, the safety margin included."""
        return self.state.context + self.margin

    @property
    def limit(self) -> int:
        """The most tokens that a request may have."""
        return self.max_session or self.window - self.reserve

    @property
    def warm(self) -> bool:
        """Whether the prompt cache still holds what was last sent."""
        return self.state.ledger.warm(self.now)

    @property
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
        return tokens

    @property
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


def gap(run: Units, keep: frozenset[UnitId] = frozenset()) -> Fold:
    """A fold that says only that something was here and how to fetch it."""
    gone = sum(unit.id not in keep for unit in run)
    text = f"[octochat left out {gone} earlier messages here; `recall` can fetch them]"
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


def drop(situation: Situation, gone: Units, why: str) -> Decision:
    """A plan that leaves these units out, or a hold where nothing of them may go.

    The run reaches from the first unit to the last; what lies between and is not `gone` is kept.
    """
    going = frozenset(unit.id for unit in gone) & situation.free
    if not going:
        return Hold("nothing that may be dropped")
    units = situation.state.view.units
    places = [i for i, unit in enumerate(units) if unit.id in going]
    run = units[places[0] : places[-1] + 1]
    return Plan(why, gap(run, frozenset(u.id for u in run) - going))
