"""What is wrong with a plain tree, in words that name the place, the form and the near miss."""

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]

SHOWN = 60
"""Characters of a wrong value that an error message repeats."""


class TreeError(ValueError):
    """A tree is not of the form that was asked for. `str(error)` is one line."""

    def __init__(self, path: Path, message: str, near: str | None = None) -> None:
        super().__init__(path, message, near)
        self.path: Path = path
        """Keys and indexes from the root to the culprit."""
        self.message: str = message
        """What was expected, and what was got."""
        self.near: str | None = near
        """The key or word that was probably meant."""

    def __str__(self) -> str:
        hint = "" if self.near is None else f' (did you mean "{self.near}"?)'
        return f"{dotted(self.path)}: {self.message}{hint}".removeprefix(": ")

    def inside(self, key: str | int) -> "TreeError":
        """The same error, seen from the table or list that holds the tree under `key`."""
        return TreeError((key, *self.path), self.message, self.near)


def dotted(path: Path) -> str:
    """A path as people write it: `compression.pressure_levels[1].threshold`."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{_quoted(step)}" for step in path)
    return "".join(parts).removeprefix(".")


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that was probably meant, if any is close."""
    return next(iter(get_close_matches(word, list(words), cutoff=0.5)), None)


def wrong(expected: str, tree: object, near: str | None = None, path: Path = ()) -> TreeError:
    """The error for a value of the wrong form."""
    return TreeError(path, f"expected {expected}, got {shown(tree)}", near)


def shown(tree: object) -> str:
    """A value in an error message, short."""
    match tree:
        case None:
            return "nothing"
        case dict():
            return "a table"
        case list() | tuple():
            return "a list"
        case bool() | int() | str():
            text = json.dumps(tree, ensure_ascii=False)
            return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
        case float():
            return str(tree)
        case _:
            return f"a {type(tree).__name__}"


def _quoted(step: str) -> str:
    return step if re.fullmatch(r"[\w-]+", step) else json.dumps(step, ensure_ascii=False)
