"""The scripts that hooks name: who trusts a hook trusts what its script says now.

It over-estimates: whatever looks like a file of the project counts.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

_SCRIPT = 1024 * 1024
"""Bytes of a script that count for its digest."""
_PROJECT = re.compile(r"""["']?\$\{?CLAUDE_PROJECT_DIR\}?["']?""")
"""With its quotes: `"$CLAUDE_PROJECT_DIR"/check.sh` is one word."""
_HERE = "\0"


def scripts_in(commands: Iterable[str], folder: Path) -> str:
    """What tells one content of the files that commands name from another; empty without any.

    Only files in `folder` count: they come from whoever wrote the commands.
    """
    paths = dict.fromkeys(path for command in commands for path in _named(command, folder))
    return "".join(f"\n{path}\n{_digest(path)}" for path in sorted(paths))


def commands_in(tree: Mapping[str, Any]) -> Iterator[str]:
    """The commands of a `hooks` table of octochat's own configuration, whatever its form."""
    for value in tree.values():
        for each in cast("list[object]", value) if isinstance(value, list) else []:
            command = (
                cast("dict[str, object]", each).get("command") if isinstance(each, dict) else ""
            )
            yield command if isinstance(command, str) else ""


def _named(command: str, folder: Path) -> Iterator[Path]:
    """The files in a folder that a command line names, as far as can be seen."""
    for word in re.split(r"[\s;|&()<>\"'`=]+", _PROJECT.sub(_HERE, command)):
        relative = word.replace(_HERE, "", 1).lstrip("/") if word.startswith(_HERE) else word
        path = folder / relative
        try:
            inside = path.resolve().is_relative_to(folder) and path.is_file()
        except (OSError, ValueError, RuntimeError):
            continue
        if relative and inside:
            yield path


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.sha256(file.read(_SCRIPT)).hexdigest()
    except OSError as error:
        return str(error.strerror)
