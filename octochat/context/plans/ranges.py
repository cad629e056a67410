"""Which run of units a compression folds: as much of the oldest history as its ratio asks for."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from octochat.context.session.content import ToolCall
from octochat.context.session.edits import NoteRequest, UnitId
from octochat.context.session.events import Trigger
from octochat.context.session.state import State
from octochat.context.session.view import Note, Prompt, Step, Unit, Units, original_size

TAIL_TURNS = 4
"""Turns that always stay ("Last 4 turns (2 exchanges) always remain uncompressed")."""
NOTE_SHARE = 0.2
"""A note may take a fifth of what it replaces (docs/lab.md#how-long-a-note-may-be)."""
NOTE_MIN = 400
"""But never has to do with fewer tokens than this."""
ENDED_SHARE = 1 / 3
"""The share of it that the note of a task needs that is done."""
BETWEEN_EXCHANGES = 0.25
"""How far, as a share of the folded tokens, the border may move to fall between exchanges."""
TOGETHER = 0.10
"""How far it may move so that units which share what they work on stay together."""


def note_budget(replaced: int, most: int) -> int:
    """Tokens for the note: a fifth of what it replaces, at least 400 and at most `most`.

    What an earlier note in the range stands for is replaced again, and counts in full: its names
    must all find room in the new one.
    """
    return min(max(int(replaced * NOTE_SHARE), NOTE_MIN), most)


def of_a_task_that_is_done(request: NoteRequest) -> NoteRequest:
    """The same range, for the shorter note that `/done` leaves."""
    budget = max(int(request.budget * ENDED_SHARE), NOTE_MIN)
    return replace(request, budget=budget, style="outcome")


def choose(
    units: Units, keep: frozenset[UnitId], *, excess: int, tail: int, note_max: int
) -> NoteRequest | None:
    """The shortest good run that frees `excess` tokens; as much as there is where none does.

    Starts right after the stable head, so an older summary always lies inside. Units in `keep`
    survive and count for nothing. None: there is nothing to fold.

    Args:
        units: the view's.
        keep: active skills, pins, the prompt being answered, a result not seen yet.
        excess: tokens to be freed, the note's own already taken off.
        tail: turns at the end that stay.
        note_max: the most tokens that a note may take.
    """
    end = before_tail(units, tail)
    going = [0 if unit.id in keep else unit.size for unit in units[:end]]
    sums = list(accumulate(going, initial=0))
    originals = (0 if unit.id in keep else original_size(unit) for unit in units[:end])
    notes = [note_budget(tokens, note_max) for tokens in accumulate(originals, initial=0)]
    if all(_settled(unit, keep) for unit in units[:end]):
        return None
    freed = (folded - note for folded, note in zip(sums, notes, strict=True))
    wanted = next((i for i, tokens in enumerate(freed) if tokens >= excess), end)
    border = _good_border(units, sums, wanted)
    return NoteRequest(units[0].id, units[border - 1].id, notes[border]) if sums[border] else None


def going(state: State, request: NoteRequest, trigger: Trigger = "auto") -> Units:
    """The units that the fold takes away: those in its range that need not survive it.

    Raises:
        ValueError: the view has no such range.
    """
    keep = (state.kept if trigger == "done" else state.protected).union(request.keep)
    inside = state.view.split(request.first, request.last)[1]
    return tuple(unit for unit in inside if unit.id not in keep)


def _settled(unit: Unit, keep: frozenset[UnitId]) -> bool:
    """Whether folding it would bring nothing: it stays, or it is a note already."""
    return unit.id in keep or (isinstance(unit, Note) and unit.kind == "summary")


def before_tail(units: Units, tail: int) -> int:
    """How many units there are before the last `tail` turns (a turn is a Prompt or a Step)."""
    turns = [i for i, unit in enumerate(units) if isinstance(unit, Prompt | Step)]
    if not tail:
        return len(units)
    return turns[-tail] if len(turns) >= tail else 0


def _good_border(units: Units, sums: Sequence[int], wanted: int) -> int:
    """The nearest border between exchanges, else between unrelated steps, else the one wanted."""
    last = len(sums) - 1
    if wanted >= last:
        return last
    begins = _nearest(sums, wanted, BETWEEN_EXCHANGES, lambda i: isinstance(units[i], Prompt))
    if begins is not None:
        return begins
    apart = _nearest(sums, wanted, TOGETHER, lambda i: not _related(units[i - 1], units[i]))
    return wanted if apart is None else apart


def _nearest(
    sums: Sequence[int], wanted: int, share: float, good: Callable[[int], bool]
) -> int | None:
    """The good border before which something is folded, the nearest in tokens; the later of two.

    `share` of the folded tokens is how far it may be.
    """

    def far(border: int) -> int:
        return abs(sums[border] - sums[wanted])

    room = sums[wanted] * share
    near = (i for i in range(len(sums) - 1) if sums[i] and far(i) <= room and good(i))
    return min(near, key=lambda border: (far(border), -border), default=None)


def _related(one: Unit, other: Unit) -> bool:
    """Whether two adjacent steps work on the same file or id."""
    if not (isinstance(one, Step) and isinstance(other, Step)):
        return False
    return bool(_subjects(one.calls) & _subjects(other.calls))


_NAMES = range(3, 201)
"""Characters of a path, an id or a name."""


def _subjects(calls: Sequence[ToolCall]) -> frozenset[str]:
    """The short string arguments of tool calls: paths, ids, names."""
    return frozenset(
        value
        for call in calls
        for value in call.arguments.values()
        if isinstance(value, str) and len(value) in _NAMES and "\n" not in value
    )
