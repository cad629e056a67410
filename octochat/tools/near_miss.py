"""What a model is told whose text is not in a file, or there more than once. It reads no files."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from heapq import nlargest

from octochat.context.session.tool_marks import numbered
from octochat.text.harmless import visible

_ALIKE = 0.6
"""From 0 to 1: a line less alike than this is not meant."""
_MOST_ALIKE = 100
"""Lines that are compared letter by letter, which is slow; of the rest only the words are."""
_MOST_VOTES = 20
"""Places that one line may stand for: a brace alone tells nothing."""
_MOST_COMPARED = 400
"""Lines of a text to replace that are compared with the file's."""
_MOST_LINES = 100_000
"""Lines of a file whose words are compared."""
_TELLING = 10
"""Characters: a shorter text may be in a file by chance."""
_MOST_PLACES = 8
_MOST_SHOWN = 30
_LONGEST = 200
"""Characters of a line that are shown or compared."""
_EDGES = re.compile(r"^[ \t]+|[ \t]+$")
_SEEN = str.maketrans(" \t", "·⇥")


def no_single_place(shown: str, number: int) -> str:
    """That a text is not there, or more than once, without a word of what is."""
    if not number:
        return f"old_string is not in {shown}"
    return (
        f"old_string is in {shown} {number:,} times; give more of the text around it, or set "
        "replace_all"
    )


def not_found(shown: str, text: str, old: str, new: str) -> str:
    """That `old` is not in the text, which of its lines are nearest, and what differs in them."""
    said = no_single_place(shown, 0)
    if len(new.strip()) >= _TELLING and (at := text.find(new)) >= 0:
        line = text.count("\n", 0, at) + 1
        said += f", but new_string is, at line {line}: this edit may be made already"
    given, lines = old.strip("\n").split("\n")[:_MOST_COMPARED], text.split("\n")
    start = _nearest(lines, given)
    if start is None:
        return f"{said}, nor is anything like it: read the file again"
    found = lines[start : start + len(given)]
    which = f"line {start + 1}" if len(found) == 1 else f"lines {start + 1} to {start + len(found)}"
    differing = "\n".join(_differing(given, found))
    return (
        f"{said}. Nearest: {which}. What differs (- is old_string, + is the file; · stands for a "
        f"space, ⇥ for a tab):\n{differing}"
    )


def ambiguous(shown: str, text: str, starts: Sequence[int]) -> str:
    """That a text is there more than once, and where: each with the line before it."""
    lines = text.split("\n")
    places = dict.fromkeys(
        line
        for start in starts[:_MOST_PLACES]
        for at in (text.count("\n", 0, start),)
        for line in (at - 1, at)
        if line >= 0
    )
    rows = [numbered(line + 1, visible(lines[line].rstrip("\r"))[:_LONGEST]) for line in places]
    left = len(starts) - _MOST_PLACES
    more = [f"... and {left:,} more"] if left > 0 else []
    said = no_single_place(shown, len(starts))
    return "\n".join((f"{said}. It is here:", *rows, *more))


def _nearest(lines: Sequence[str], given: Sequence[str]) -> int | None:
    """Where the lines begin that are most like the given ones, counted from 0."""
    wanted = {line.strip() for line in given if line.strip()}
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if (bare := line.strip()) in wanted:
            places[bare].append(number)
    votes: Counter[int] = Counter()
    for number, line in enumerate(given):
        for place in places.get(line.strip(), ())[:_MOST_VOTES]:
            votes[place - number] += len(line.strip())
    if votes:
        return max(max(votes, key=lambda start: (votes[start], -start)), 0)
    anchor = max(range(len(given)), key=lambda number: len(given[number].strip()))
    alike = _most_like(given[anchor].strip()[:_LONGEST], lines)
    return None if alike is None else max(alike - anchor, 0)


def _most_like(wanted: str, lines: Sequence[str]) -> int | None:
    words = set(re.findall(r"\w+", wanted))
    some = range(min(len(lines), _MOST_LINES))
    shared = {n: len(words.intersection(re.findall(r"\w+", lines[n][:_LONGEST]))) for n in some}
    likely = nlargest(_MOST_ALIKE, some, key=lambda n: (shared[n], -n))
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    ratios: dict[int, float] = {}
    for number in likely:
        matcher.set_seq1(lines[number].strip()[:_LONGEST])
        ratios[number] = matcher.ratio()
    best = max(likely, key=lambda number: ratios[number])
    return best if ratios[best] >= _ALIKE else None


def _differing(given: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """The lines that differ, each with one line around it; white space where it matters."""
    only_space = ["".join(line.split()) for line in given] == [
        "".join(line.split()) for line in found
    ]
    diff = list(unified_diff(given, found, n=1, lineterm=""))[2:]
    for line in diff[:_MOST_SHOWN]:
        sign, rest = line[:1], visible(line[1:])[:_LONGEST]
        if sign in "+-":
            spaced = rest if only_space else _EDGES.sub(_to_be_seen, rest)
            yield sign + (spaced.translate(_SEEN) if only_space else spaced)
        elif sign == " ":
            yield line[: _LONGEST + 1]
    if len(diff) > _MOST_SHOWN:
        yield f"... and {len(diff) - _MOST_SHOWN:,} more lines"


def _to_be_seen(edge: re.Match[str]) -> str:
    return edge[0].translate(_SEEN)
