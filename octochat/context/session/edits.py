"""The two ways a view may change, the plan for a change, and the answer "not now"."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from octochat.context.codec.encode import WrittenAs
from octochat.context.session.content import Opaque, Text

UnitId: TypeAlias = int
"""The id of the log entry that began the unit."""


@dataclass(frozen=True, slots=True)
class Fold:
    """The units from `first` to `last` become one note; those in `keep` survive it."""

    first: UnitId
    last: UnitId
    note: tuple[Text | Opaque, ...]
    """Blocks, so that the API's own signed compaction block fits too."""
    keep: tuple[UnitId, ...] = ()


NoteStyle: TypeAlias = Literal["work", "outcome", "paragraph", "server"]
"""Which note is wanted: of work that goes on, with sections, knowledge and an index; of a task that
is done; one paragraph; the API's compaction."""


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """A fold whose note has yet to be written."""

    first: UnitId
    last: UnitId
    budget: int
    """Tokens that the note may take."""
    keep: tuple[UnitId, ...] = ()
    focus: str = ""
    """What the person asked the note to attend to."""
    style: NoteStyle = "work"

    @property
    def answer(self) -> int:
        """Tokens that a model is asked for: the other half is put together by code."""
        return self.budget if self.style == "paragraph" else self.budget // 2

    def noted(self, note: tuple[Text | Opaque, ...]) -> Fold:
        """The fold, now that its note is written."""
        return Fold(self.first, self.last, note, self.keep)


@dataclass(frozen=True, slots=True)
class ResultTrim:
    """The result of one tool call becomes `text`."""

    call_id: str
    text: str
    size: int = 0
    """Tokens of what is left, measured by the engine when the trim is committed."""


@dataclass(frozen=True, slots=True)
class PromptTrim:
    """The text of a prompt becomes `text`."""

    unit: UnitId
    text: str
    size: int = 0
    """Tokens of what is left, measured by the engine when the trim is committed."""
    bare: bool = False
    """Its pictures and documents go, too."""
    results: int = 0
    """How many tool results in its text this shortens."""


@dataclass(frozen=True, slots=True)
class LoggedTrim:
    """Either of them as the log has it."""

    call_id: str
    """Empty where a prompt is meant."""
    text: str
    size: int = 0
    unit: UnitId | None = None
    bare: bool = False
    results: int = 0


def _logged(trim: ResultTrim | PromptTrim) -> LoggedTrim:
    match trim:
        case ResultTrim(call_id, text, size):
            return LoggedTrim(call_id, text, size)
        case PromptTrim(unit, text, size, bare, results):
            return LoggedTrim("", text, size, unit, bare, results)


def _read(line: LoggedTrim) -> ResultTrim | PromptTrim:
    if line.unit is None:
        return ResultTrim(line.call_id, line.text, line.size)
    return PromptTrim(line.unit, line.text, line.size, line.bare, line.results)


Trim: TypeAlias = Annotated[ResultTrim | PromptTrim, WrittenAs(LoggedTrim, _logged, _read)]


@dataclass(frozen=True, slots=True)
class Worth:
    """What an edit was expected to cost and to save, in dollars."""

    without: float
    """The calls still expected, with the context as it is."""
    with_edit: float
    """The same calls after the edit, its own cost and the cache rewrite included."""
    summary: float
    """The part of `with_edit` that pays for the summary."""
    calls: int
    """Calls still expected."""

    @property
    def net(self) -> float:
        """Dollars saved; negative where the edit costs more than it saves."""
        return self.without - self.with_edit


@dataclass(frozen=True, slots=True)
class Plan:
    """At most one fold, and any trims."""

    why: str
    fold: Fold | NoteRequest | None = None
    trims: tuple[Trim, ...] = ()
    level: int | None = None
    """Which pressure level, counted from 0."""
    ratio: float | None = None
    """The ratio that the level asks for."""
    worth: Worth | None = None
    otherwise: Fold | None = None
    """What to fold at once where the note of `fold` can't be had; None: nothing."""

    @property
    def fallback(self) -> "Plan | None":
        """The plan for where the note can't be had."""
        return Plan(self.why, self.otherwise) if self.otherwise else None

    least: float = 0.0
    """The share of the context that it must free, measured; else it is thrown away."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Leave the view alone, and why."""

    why: str
    futile: bool = False
    """The try itself is worth remembering: it sets the watermark, so it is logged (once)."""
    broken: bool = False
    """The strategy failed; the reason is for the person."""
    worth: Worth | None = None


Decision: TypeAlias = Plan | Hold
