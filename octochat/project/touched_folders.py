"""Which folders of the project the last tool calls touched, whatever the tools were."""

import os
import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import cast

from octochat.context.notes.touched import command_line
from octochat.context.session.view import Step, View
from octochat.project.ignored import lies_in_ignored

_LONGEST = 400
"""Characters; what is longer is no path."""
_WORDS = 200
"""Words of a command line, and of arguments, that are looked at."""


def touched_folders(view: View, folder: Path, root: Path) -> tuple[Path, ...]:
    """The folders in `root` that the last step's calls are about; what git ignores is left out.

    A call that failed touched nothing, unless it was a command: that may fail for what it found.
    """
    last = next((unit for unit in reversed(view.units) if isinstance(unit, Step)), None)
    if last is None:
        return ()
    answered = zip(last.calls, last.results, strict=True)
    calls = (c for c, result in answered if not result.failed or command_line(c.arguments))
    words = islice((word for call in calls for word in _words(call.arguments)), _WORDS)
    found = dict.fromkeys(place for word in words if (place := _place(word, folder)))
    return tuple(
        place for place in found if place.is_relative_to(root) and not lies_in_ignored(place, root)
    )


def _words(arguments: Mapping[str, object]) -> Iterator[str]:
    for value in arguments.values():
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        yield from (item for item in items if isinstance(item, str))
    command = command_line(arguments)
    try:
        yield from shlex.split(command)
    except ValueError:
        yield from command.split()


def _place(word: str, folder: Path) -> Path | None:
    """The folder that a word names, or that holds the file that it names."""
    if not word or len(word) > _LONGEST or "\n" in word:
        return None
    try:
        path = Path(os.path.realpath(folder / Path(word).expanduser()))
        if not path.exists():
            return None
        return path if path.is_dir() else path.parent
    except (OSError, RuntimeError, ValueError):
        return None
