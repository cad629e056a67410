"""What became of the instructions since the model was told of them, as events for the log."""

import difflib
from collections.abc import Iterator, Mapping
from posixpath import dirname

from octochat.context.session.asides import Instructed
from octochat.context.session.instructions import Instructions, Standing, framed


def changes(standing: Standing, now: Mapping[str, str]) -> Iterator[Instructed]:
    """What to tell the model so that it knows what its files say now.

    Args:
        standing: what it knows.
        now: the text of each file, by its name.
    """
    known = {each.file: each for each in standing}
    for file, text in now.items():
        had = known.get(file)
        if had is None or not had.text:
            if text:
                yield Instructed(file, framed(file, f"{_scope(file)}\n\n{text}"), text)
        elif text and had.text != text:
            yield _changed(had, text)
    for each in standing:
        if each.text and not now.get(each.file):
            words = "This file is gone. What it said no longer holds."
            yield Instructed(each.file, framed(each.file, words), change="removed")


def _changed(had: Instructions, text: str) -> Instructed:
    """The difference, or the whole where that is shorter, earlier differences counted."""
    old, new = had.text.splitlines(), text.splitlines()
    lines = list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]
    diff = framed(had.file, "\n".join(("This file has changed. The difference:\n", *lines)))
    whole = framed(had.file, f"This file has changed. It says now:\n\n{text}")
    partly = had.changes + len(diff) < len(whole)
    return Instructed(had.file, diff if partly else whole, text, "changed", partly)


def _scope(file: str) -> str:
    """What the instructions are for."""
    folder = dirname(file)
    if folder.startswith(("~", "/")) or folder in ("", "..") or folder.endswith("/.."):
        return "From here on:"
    return f"For all work in {folder}/, from here on:"
