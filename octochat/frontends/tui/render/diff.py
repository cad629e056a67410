"""Changes to files, coloured as their language is, with what differs within a line set off."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from textual.content import Content

from octochat.frontends.shared.changes import Change, ChangedLine, change_in
from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.render.code import highlighted
from octochat.frontends.tui.render.highlight import language_of

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
ENDLESS = 1_000
"""Characters of a line above which it has no colours: nobody wrote it by hand."""
_WORD = re.compile(r"\w+|\s+|.")


def numbered(diff: str) -> Sequence[Block]:
    """A unified diff of a whole file, with the numbers of its lines."""
    return drawn(change_in(diff))


def changes_at(diff: str) -> Sequence[int]:
    """Where in `numbered(diff)` each run of changed lines begins, counted from 0."""
    changed = [line.sign in LOOK for line in change_in(diff).lines]
    return [n for n, now in enumerate(changed) if now and not (n and changed[n - 1])]


def drawn(change: Change, most: int | None = None) -> Sequence[Block]:
    """A block for each line, or for the first so many."""
    lines = change.lines[:most]
    texts = _coloured(lines, language_of(change.name))
    if len(lines) <= LONGEST:
        _set_off(lines, texts)
    digits = change.digits
    return [_block(line, text, digits) for line, text in zip(lines, texts, strict=True)]


def _block(line: ChangedLine, text: Content, digits: int) -> Block:
    style, ground = LOOK.get(line.sign, ("", ""))
    margin = f"{line.number or '':>{digits}} " if digits else ""
    if line.sign == "@":
        return Block(styled(("⋯", FAINT)), lead=Content(f"  {margin}"))
    return Block(
        text,
        lead=styled((f"  {margin}", FAINT), (f"{line.sign} ", style or FAINT)),
        hang=Content(" " * (len(margin) + 4)),
        fill=ground,
        wrap="code",
    )


def _coloured(lines: Sequence[ChangedLine], language: str) -> list[Content]:
    """The lines as they are read: what was there as one text, and what is there now as another."""
    texts = [Content(line.text) for line in lines]
    for sign in "-+":
        places = [at for at, line in enumerate(lines) if line.sign in (sign, " ")]
        code = "\n".join(lines[at].text[:ENDLESS] for at in places)
        coloured = highlighted(code, language).split("\n", allow_blank=True)
        for at, text in zip(places, coloured, strict=False):
            if len(lines[at].text) <= ENDLESS:
                texts[at] = text
    return texts


def _set_off(lines: Sequence[ChangedLine], texts: list[Content]) -> None:
    """Mark the words that differ in lines of which only some words were changed."""
    for removed, added in _runs(lines):
        for pair in zip(removed, added, strict=False):
            old, new = (lines[at].text for at in pair)
            if max(len(old), len(new)) <= LONGEST and (spans := _differing(old, new)):
                for at, found in zip(pair, spans, strict=True):
                    texts[at] = _marked(texts[at], lines[at].sign, found)


def _runs(lines: Sequence[ChangedLine]) -> Iterator[tuple[range, range]]:
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


def _marked(text: Content, sign: str, spans: Sequence[tuple[int, int]]) -> Content:
    for start, end in spans:
        if text.plain[start:end].strip():
            text = text.stylize(WORDS[sign], start, end)
    return text
