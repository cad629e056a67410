"""Changes to files, as coloured lines with what differs within a line set off."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff

from textual.content import Content

from octochat.context.session.content import ToolCall
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.text.harmless import visible
from octochat.tools.registry import facts_of

LOOK = {
    "+": ("$text-success", "on $success 12%"),
    "-": ("$text-error", "on $error 12%"),
    "\\": (FAINT, ""),
}
WORDS = {"+": "bold on $success 30%", "-": "bold on $error 30%"}
ALIKE = 0.4
"""From 0 to 1: lines less alike than this differ as a whole."""
LONGEST = 400
"""Characters of a line, and lines of a diff, above which words are not compared."""
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_WORD = re.compile(r"\w+|\s+|.")


@dataclass(frozen=True, slots=True)
class _Line:
    sign: str
    """`+`, `-`, a space, a backslash for a remark, `@` between two parts."""
    text: str
    number: int
    """In the new file, for what is removed in the old one; counted from 1."""


def change(call: ToolCall) -> Sequence[Block]:
    """What a call changes in a file, as a diff; nothing where it changes none."""
    return _drawn(_lines(_difference(call)), 0)


def changed_lines(call: ToolCall, diff: str = "") -> tuple[int, int]:
    """How many lines a call adds and takes away; as `diff` has it, if that is known."""
    lines = _lines(diff.splitlines() or _difference(call))
    return sum(x.sign == "+" for x in lines), sum(x.sign == "-" for x in lines)


def numbered(diff: str) -> Sequence[Block]:
    """A unified diff of a whole file, with the numbers of its lines."""
    lines = _lines(diff.splitlines())
    return _drawn(lines, len(str(max((line.number for line in lines), default=0))))


def changes_at(diff: str) -> Sequence[int]:
    """Where in `numbered(diff)` each run of changed lines begins, counted from 0."""
    lines = _lines(diff.splitlines())
    changed = [line.sign in LOOK for line in lines]
    return [n for n, now in enumerate(changed) if now and not (n and changed[n - 1])]


def _difference(call: ToolCall) -> Sequence[str]:
    texts = facts_of(call).texts(call)
    if texts is None:
        return ()
    old, new = texts
    return list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3))


def _lines(diff: Sequence[str]) -> Sequence[_Line]:
    """The lines from the first hunk on: a removed `-- x` looks like a file's header."""
    found: list[_Line] = []
    old = new = 0
    for line in diff:
        if hunk := _HUNK.match(line):
            if old or new:
                found.append(_Line("@", "", 0))
            old, new = int(hunk[1]) or 1, int(hunk[2]) or 1
        elif old or new:
            sign = line[:1] or " "
            text = visible(line[1:]).expandtabs(4)
            found.append(_Line(sign, text, old if sign == "-" else new))
            old, new = old + (sign in " -"), new + (sign in " +")
    return found


def _drawn(lines: Sequence[_Line], digits: int) -> Sequence[Block]:
    """A block for each line, the numbers on so many digits."""
    texts = _emphasised(lines) if len(lines) <= LONGEST else {}
    return [_block(line, texts.get(place), digits) for place, line in enumerate(lines)]


def _block(line: _Line, text: Content | None, digits: int) -> Block:
    style, ground = LOOK.get(line.sign, ("", ""))
    number = str(line.number or "")
    margin = f"{number:>{digits}} " if digits else ""
    if line.sign == "@":
        return Block(styled(("⋯", FAINT)), lead=Content(f"  {margin}"))
    return Block(
        text or Content.styled(line.text, style),
        lead=styled((f"  {margin}", FAINT), (f"{line.sign} ", style or FAINT)),
        hang=Content(" " * (len(margin) + 4)),
        fill=ground,
        wrap="cells",
    )


def _emphasised(lines: Sequence[_Line]) -> dict[int, Content]:
    """By place, the lines of which only some words were changed."""
    texts: dict[int, Content] = {}
    for removed, added in _runs(lines):
        for a, b in zip(removed, added, strict=False):
            old, new = lines[a].text, lines[b].text
            if max(len(old), len(new)) <= LONGEST and (spans := _differing(old, new)):
                texts[a], texts[b] = (
                    _set_off(lines[place], spans[side]) for side, place in enumerate((a, b))
                )
    return texts


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[range, range]]:
    """Removed lines and the added ones that take their place."""
    place = 0
    while place < len(lines):
        start = place
        while place < len(lines) and lines[place].sign == "-":
            place += 1
        middle = place
        while place < len(lines) and lines[place].sign == "+":
            place += 1
        if start < middle < place:
            yield range(start, middle), range(middle, place)
        place += place == start


def _differing(old: str, new: str) -> tuple[list[tuple[int, int]], ...]:
    """Where two lines differ, in characters of each; nothing if they have little in common."""
    words = _WORD.findall(old), _WORD.findall(new)
    matcher = SequenceMatcher(None, *words, autojunk=False)
    common = [
        word for a, _, size in matcher.get_matching_blocks() for word in words[0][a : a + size]
    ]
    if 2 * _ink(common) < ALIKE * _ink((old, new)):
        return ()
    changes = [codes for codes in matcher.get_opcodes() if codes[0] != "equal"]
    return (
        [_span(words[0], first, last) for _, first, last, _, _ in changes],
        [_span(words[1], first, last) for _, _, _, first, last in changes],
    )


def _ink(texts: Iterable[str]) -> int:
    """Characters that can be seen."""
    return sum(len(re.sub(r"\s", "", text)) for text in texts)


def _span(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    start = sum(map(len, words[:first]))
    return start, start + sum(map(len, words[first:last]))


def _set_off(line: _Line, spans: Sequence[tuple[int, int]]) -> Content:
    text = Content.styled(line.text, LOOK[line.sign][0])
    for start, end in spans:
        if line.text[start:end].strip():
            text = text.stylize(WORDS[line.sign], start, end)
    return text
