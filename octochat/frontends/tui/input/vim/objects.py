"""vim's text objects: the word, the quotation, the brackets or the paragraph around a place."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from octochat.frontends.tui.input.vim.lines import line_end, line_start
from octochat.frontends.tui.input.vim.motions import CLOSING, OPENING, partner

Extent: TypeAlias = tuple[int, int]
"""Where it begins and where it ends, the end not included."""
Object: TypeAlias = Callable[[str, int, str], Extent | None]
"""From a text, a place and `i` or `a` to an extent; None where there is no such thing."""


def _word(pattern: str) -> Object:
    runs = re.compile(rf"{pattern}|[^\S\n]+")

    def find(text: str, at: int, how: str) -> Extent | None:
        begin, stop = line_start(text, at), line_end(text, at)
        found = list(runs.finditer(text, begin, stop))
        here = next((n for n, run in enumerate(found) if run.start() <= at < run.end()), None)
        if here is None:
            return None
        start, end = found[here].span()
        if how == "a":
            blank = found[here][0].isspace()
            after = found[here + 1] if here + 1 < len(found) else None
            before = found[here - 1] if here else None
            if after and after[0].isspace() != blank:
                end = after.end()
            elif before and before[0].isspace() and not blank:
                start = before.start()
        return start, end

    return find


def _quoted(mark: str) -> Object:
    def find(text: str, at: int, how: str) -> Extent | None:
        begin, stop = line_start(text, at), line_end(text, at)
        marks = [
            n for n in range(begin, stop) if text[n] == mark and (n == begin or text[n - 1] != "\\")
        ]
        pairs = zip(marks[::2], marks[1::2], strict=False)
        pair = next(((a, b) for a, b in pairs if b >= at), None)
        if pair is None:
            return None
        first, last = pair
        if how == "i":
            return first + 1, last
        end = last + 1
        while end < stop and text[end] in " \t":
            end += 1
        return first, end

    return find


def _between(opening: str) -> Object:
    closing = CLOSING[OPENING.index(opening)]

    def find(text: str, at: int, how: str) -> Extent | None:
        first = at if text[at : at + 1] == opening else _enclosing(text, at, opening, closing)
        if first is None:
            return None
        last = partner(text, first, opening, closing)
        if last is None:
            return None
        return (first, last + 1) if how == "a" else (first + 1, last)

    return find


def _enclosing(text: str, at: int, opening: str, closing: str) -> int | None:
    depth = 0
    for place in range(at - 1, -1, -1):
        depth += (text[place] == closing) - (text[place] == opening)
        if depth < 0:
            return place
    return None


def _paragraph(text: str, at: int, how: str) -> Extent | None:
    blank = not text[line_start(text, at) : line_end(text, at)].strip()
    start, end = line_start(text, at), min(len(text), line_end(text, at) + 1)
    while start and (not text[line_start(text, start - 1) : start].strip()) == blank:
        start = line_start(text, start - 1)
    end = _run(text, end, blank=blank)
    return start, _run(text, end, blank=not blank) if how == "a" else end


def _run(text: str, end: int, *, blank: bool) -> int:
    """The end of the lines from `end` on that are blank, or that are not."""
    while end < len(text) and (not text[end : line_end(text, end)].strip()) == blank:
        end = min(len(text), line_end(text, end) + 1)
    return end


OBJECTS: Mapping[str, Object] = {
    "w": _word(r"\w+|[^\w\s]+"),
    "W": _word(r"\S+"),
    "p": _paragraph,
    **{mark: _quoted(mark) for mark in "\"'`"},
    **{
        key: _between(opening)
        for opening, keys in (("(", "()b"), ("[", "[]"), ("{", "{}B"), ("<", "<>"))
        for key in keys
    },
}
WHOLE_LINES = frozenset("p")
"""Objects that are lines."""
