"""The one interface that every context strategy has, and what it may say about itself besides."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol, cast, runtime_checkable

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Decision, Fold, Hold, NoteRequest, Plan


class Strategy(Protocol):
    """Decides what the model need no longer see. It looks, it answers, it does nothing else.

    A frozen dataclass whose fields are its keys in the configuration.
    """

    name: ClassVar[str]

    def decide(self, situation: Situation) -> Decision:
        """A plan, or a hold with its reason. Called once before each request."""
        ...


@dataclass(frozen=True, slots=True)
class Level:
    """From how many tokens on, and how hard."""

    threshold: int
    """Tokens of the full context."""
    target_ratio: float
    """How hard: the context shrinks to its size divided by this."""


class BuiltInLevels(tuple[Level, ...]):
    """Levels that octochat brings along, for full windows: they shrink with a small one.

    Those that a person writes are a plain tuple, equal or not, and hold as they are written.
    """

    __slots__ = ()


@runtime_checkable
class Leveled(Protocol):
    """A strategy that acts at levels of the context's size and says which they are.

    They show in the gauge and in `/info`, hints go by them, and the hardest ratio is what the
    ladder compresses with. A plan of such a strategy has its `level`.
    """

    def levels(self, window: int) -> tuple[Level, ...]:
        """The levels in ascending order, for a model with this window in tokens."""
        ...

    def waits_for(self, situation: Situation) -> int | None:
        """The context size at which its next try is due, while it is not reached."""
        ...


def leveled(strategies: Iterable[Strategy]) -> Leveled | None:
    """The first of the strategies that has levels."""
    return next((each for each in strategies if isinstance(each, Leveled)), None)


def levels_of(strategies: Iterable[Strategy], window: int) -> tuple[Level, ...]:
    """The levels of the first of the strategies that has any; empty where none does."""
    first = leveled(strategies)
    return first.levels(window) if first else ()


def section(strategy: type[Strategy]) -> str:
    """The table of the configuration that holds its settings."""
    return getattr(strategy, "section", f"context.{strategy.name}")


def considered(strategy: Strategy, situation: Situation) -> Decision:
    """What the strategy decides; a hold where that would only repeat what was just in vain.

    While its last try that came to nothing is fresh, a note to be written and a try that is futile
    wait; after `/restore` every plan does that need not be, or what the person wants back would be
    gone again.
    """
    decision, fits = _decided(strategy, situation), situation.size <= situation.limit
    marks = situation.state.watermarks
    if isinstance(decision, Plan) and fits and marks.restored(situation.size):
        return Hold("you took its last compression back; the context must grow by a tenth first")
    if not marks.stalled(strategy.name, situation.size):
        return decision
    match decision:
        case Hold(futile=True) | Plan(fold=NoteRequest()):
            return Hold("its last attempt came to nothing; the context must grow by a tenth first")
        case Hold() | Plan():
            return decision


def _decided(strategy: Strategy, situation: Situation) -> Decision:
    """Its answer; where it fails or answers nonsense, a hold that says so: the others go on."""
    try:
        decision = cast("object", strategy.decide(situation))
    except Exception as error:  # noqa: BLE001 - other people's code may raise anything
        return Hold(f"it failed: {type(error).__name__}: {error}", broken=True)
    match decision:
        case Plan(fold=fold) if fold is not None:
            try:
                situation.state.view.split(fold.first, fold.last)
            except ValueError:
                return Hold(
                    "it failed: it would replace units that are not in the context", broken=True
                )
            if isinstance(fold, Fold) and not _says_something(fold):
                return Hold("it failed: its note says nothing", broken=True)
            return decision
        case Plan() | Hold():
            return decision
        case _:
            what = type(decision).__name__
            return Hold(f"it failed: it answered with {what}, not a Plan or a Hold", broken=True)


def _says_something(fold: Fold) -> bool:
    """Whether its note can be sent: the API takes neither no blocks nor a blank one."""
    return bool(fold.note) and all(not isinstance(b, Text) or b.text.strip() for b in fold.note)
