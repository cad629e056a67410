"""vim's motions: where the cursor goes from a place in a text. Pure functions in one table."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from octochat.frontends.tui.input.vim.lines import first_letter, line_end, line_start

Kind: TypeAlias = Literal["to", "onto", "lines"]
"""What an operator takes with a motion: up to the place, the character there too, whole lines."""
Move: TypeAlias = Callable[[str, int, int | None], int | None]
"""From a text, a place and a count (None: none was given) to a place; None: there is no way."""

OPENING, CLOSING = "([{<", ")]}>"
_WORD = r"\w+|[^\w\s]+"
_BIG_WORD = r"\S+"


@dataclass(frozen=True, slots=True)
class Motion:
    """A way to move."""

    move: Move
    kind: Kind = "to"


def seek(letter: str, name: str) -> Motion:
    """f, F, t or T: to a character of the line, or next to it."""

    def move(text: str, at: int, count: int | None) -> int | None:
        return _seek(text, at, (letter, name), count or 1)

    return Motion(move, "onto" if name in "ft" else "to")


def _seek(text: str, at: int, wanted: tuple[str, str], count: int) -> int | None:
    letter, name = wanted
    place: int = at
    for _ in range(count):
        if name in "ft":
            place = text.find(letter, place + 1, line_end(text, at))
        else:
            place = text.rfind(letter, line_start(text, at), max(place, 0))
        if place < 0:
            return None
    return place + {"t": -1, "T": 1}.get(name, 0)


def _times(step: Callable[[str, int], int]) -> Move:
    def move(text: str, at: int, count: int | None) -> int | None:
        for _ in range(count or 1):
            to = step(text, at)
            if to == at:
                break
            at = to
        return at

    return move


def _next(word: str) -> Callable[[str, int], int]:
    pattern = re.compile(rf"(?:{word})?\s*")

    def step(text: str, at: int) -> int:
        found = pattern.match(text, at)
        return found.end() if found else at

    return step


def _end(word: str) -> Callable[[str, int], int]:
    pattern = re.compile(rf"\s*(?:{word})")

    def step(text: str, at: int) -> int:
        found = pattern.match(text, at + 1)
        return found.end() - 1 if found else max(at, len(text) - 1)

    return step


def _back(word: str) -> Callable[[str, int], int]:
    pattern = re.compile(word)

    def step(text: str, at: int) -> int:
        return max((found.start() for found in pattern.finditer(text, 0, at)), default=0)

    return step


def _back_end(word: str) -> Callable[[str, int], int]:
    pattern = re.compile(word)

    def step(text: str, at: int) -> int:
        ends = (found.end() - 1 for found in pattern.finditer(text))
        return max((end for end in ends if end < at), default=0)

    return step


def _below(text: str, at: int) -> int:
    end = line_end(text, at)
    if end == len(text):
        return at
    return min(end + 1 + at - line_start(text, at), line_end(text, end + 1))


def _above(text: str, at: int) -> int:
    start = line_start(text, at)
    if start == 0:
        return at
    return min(line_start(text, start - 1) + at - start, start - 1)


def _to_line(text: str, number: int) -> int:
    at = 0
    for _ in range(number - 1):
        at = _below(text, at)
    return first_letter(text, at)


def _line_end(text: str, at: int, count: int | None) -> int:
    for _ in range((count or 1) - 1):
        at = _below(text, at)
    return line_end(text, at)


def _paragraph_below(text: str, at: int) -> int:
    found = re.compile(r"\S[^\n]*\n(?=[ \t]*(?:\n|$))").search(text, at)
    return found.end() if found else len(text)


def _paragraph_above(text: str, at: int) -> int:
    before = text[:at].rstrip()
    found = [match.start() + 1 for match in re.finditer(r"\n[ \t]*(?=\n)", before)]
    return found[-1] if found else 0


def _partner(text: str, at: int, _count: int | None) -> int | None:
    """The bracket that belongs to the next one in the line."""
    found = re.compile(r"[()\[\]{}]").search(text, at, line_end(text, at))
    if found is None:
        return None
    here = found[0]
    opens = here in OPENING
    other = (CLOSING if opens else OPENING)[(OPENING if opens else CLOSING).index(here)]
    return partner(text, found.start(), here, other)


def partner(text: str, at: int, here: str, other: str) -> int | None:
    """The bracket `other` that belongs to the bracket `here` at a place."""
    by = 1 if here in OPENING else -1
    depth = 0
    while 0 <= at < len(text):
        depth += (text[at] == here) - (text[at] == other)
        if depth == 0:
            return at
        at += by
    return None


def change_word(word: str) -> Motion:
    """What `cw` takes: unlike `dw` not the blanks behind the word, unlike `ce` never the next."""
    ends = _end(word)

    def move(text: str, at: int, count: int | None) -> int | None:
        at -= 1
        for _ in range(count or 1):
            at = ends(text, at)
        return at

    return Motion(move, "onto")


_LEFT = Motion(lambda text, at, count: max(line_start(text, at), at - (count or 1)))
_RIGHT = Motion(lambda text, at, count: min(line_end(text, at), at + (count or 1)))
MOTIONS: Mapping[str, Motion] = {
    "h": _LEFT,
    "l": _RIGHT,
    " ": Motion(lambda text, at, count: min(len(text), at + (count or 1))),
    "j": Motion(_times(_below), "lines"),
    "k": Motion(_times(_above), "lines"),
    "w": Motion(_times(_next(_WORD))),
    "W": Motion(_times(_next(_BIG_WORD))),
    "e": Motion(_times(_end(_WORD)), "onto"),
    "E": Motion(_times(_end(_BIG_WORD)), "onto"),
    "b": Motion(_times(_back(_WORD))),
    "B": Motion(_times(_back(_BIG_WORD))),
    "ge": Motion(_times(_back_end(_WORD)), "onto"),
    "gE": Motion(_times(_back_end(_BIG_WORD)), "onto"),
    "0": Motion(lambda text, at, _: line_start(text, at)),
    "^": Motion(lambda text, at, _: first_letter(text, at)),
    "_": Motion(lambda text, at, _: first_letter(text, at), "lines"),
    "$": Motion(_line_end),
    "%": Motion(_partner, "onto"),
    "{": Motion(_times(_paragraph_above)),
    "}": Motion(_times(_paragraph_below)),
    "gg": Motion(lambda text, _at, count: _to_line(text, count or 1), "lines"),
    "G": Motion(lambda text, _at, count: _to_line(text, count or 1 + text.count("\n")), "lines"),
}
CHANGE_WORD: Mapping[str, Motion] = {"w": change_word(_WORD), "W": change_word(_BIG_WORD)}
SEEKS = frozenset("fFtT")
AGAIN = frozenset(";,")
"""The last search within a line once more, and the other way."""
