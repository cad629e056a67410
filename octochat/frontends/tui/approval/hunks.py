"""A change of text taken apart, so that a person can accept some of it. It knows no widgets."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 2
"""Unchanged lines shown around a part."""
MOST_LINES = 10_000
"""Above this many lines comparing takes seconds: the change stays whole."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that give way to other lines."""

    old: tuple[int, int]
    """From where to where in the old text, in lines counted from 0."""
    new: tuple[int, int]
    """The same in the new text."""
    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: tuple[str, ...]
    """Unchanged lines just before it."""
    after: tuple[str, ...]
    """Unchanged lines just after it."""

    @property
    def diff(self) -> tuple[str, ...]:
        """The part as lines of a unified diff, without a header."""
        return (
            *(f" {line}" for line in self.before),
            *(f"-{line}" for line in self.removed),
            *(f"+{line}" for line in self.added),
            *(f" {line}" for line in self.after),
        )


def parts_of(old: str, new: str) -> tuple[Hunk, ...]:
    """The parts in which the texts differ, in order; none where they are too long to compare."""
    before, after = _lines(old), _lines(new)
    if len(before) + len(after) > MOST_LINES:
        return ()
    changes = [
        (a, b, c, d)
        for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    borders = [0, *(b for _, b, _, _ in changes)]
    starts = [*(a for a, _, _, _ in changes), len(before)]
    return tuple(
        Hunk(
            (a, b),
            (c, d),
            tuple(before[a:b]),
            tuple(after[c:d]),
            tuple(before[max(a - CONTEXT, borders[index]) : a]),
            tuple(before[b : min(b + CONTEXT, starts[index + 1])]),
        )
        for index, (a, b, c, d) in enumerate(changes)
    )


def part_of(old: str, new: str) -> Hunk:
    """One of several edits as a part; its lines are counted from where it begins."""
    before, after = _lines(old), _lines(new)
    (a, c), (b, d) = (0, 0), (len(before), len(after))
    if parts := parts_of(old, new):
        (a, c), (b, d) = (parts[0].old[0], parts[0].new[0]), (parts[-1].old[1], parts[-1].new[1])
    return Hunk((a, b), (c, d), tuple(before[a:b]), tuple(after[c:d]), (), ())


def only(old: str, new: str, parts: Sequence[Hunk], accepted: Collection[int]) -> str:
    """The new text with the old lines where a part was not accepted."""
    before, after = _lines(old), _lines(new)
    pieces: list[str] = []
    last = 0
    for number, part in enumerate(parts):
        pieces += before[last : part.old[0]]
        pieces += after[slice(*part.new)] if number in accepted else before[slice(*part.old)]
        last = part.old[1]
    return "\n".join((*pieces, *before[last:]))


def note(parts: Sequence[Hunk], accepted: Collection[int]) -> str:
    """What the model is told of a change that was accepted in part."""
    rejected = [(number, part) for number, part in enumerate(parts) if number not in accepted]
    said = "\n".join(
        "\n".join((f"@@ part {number + 1} @@", *part.diff)) for number, part in rejected
    )
    return (
        f"The person accepted {len(accepted)} of the {len(parts)} parts of this change; "
        f"the others were not made:\n{said}"
    )


def _lines(text: str) -> list[str]:
    return text.split("\n")
