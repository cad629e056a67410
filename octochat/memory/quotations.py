"""Passages as the model reads them: their number, who said it and when, and the words. Pure."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby, pairwise

from octochat.context.session.tags import escaped
from octochat.memory.passages import Passage
from octochat.memory.searching import Hit

ABOUT = 80
"""Characters of the command or path that a result came from."""
GAP = "[…]"
"""Stands for what was left out between two passages of one message."""
_NAMES = {"person": "the person", "you": "you", "tool": "a tool"}


def quotation(passage: Passage, *, numbered: bool = True) -> str:
    """One passage."""
    return escaped(f"{_opening(passage, numbered=numbered)}\n{passage.text}")


def quotations(hits: Iterable[Hit]) -> str:
    """Passages in the order in which they were said; those of one message under one opening."""
    ordered = sorted(hits, key=lambda hit: hit.number)
    messages = groupby(ordered, key=lambda hit: hit.passage.entry)
    return "\n\n".join(_of_message(list(found)) for _, found in messages)


def _of_message(hits: Sequence[Hit]) -> str:
    lines = [_opening(hits[0].passage, numbered=True), hits[0].passage.text]
    for before, hit in pairwise(hits):
        if hit.number > before.number + 1:
            lines.append(GAP)
        lines.append(hit.passage.text)
    return escaped("\n".join(lines))


def _opening(passage: Passage, *, numbered: bool) -> str:
    number = f"#{passage.unit} " if numbered else ""
    when = datetime.fromtimestamp(passage.at, UTC).strftime("%Y-%m-%d %H:%M")
    about = " ".join(passage.path.split())
    cut = about if len(about) <= ABOUT else about[: ABOUT - 1] + "…"
    return f"{number}{_NAMES[passage.who]}{f' ({cut})' if cut else ''}, {when} UTC:"
