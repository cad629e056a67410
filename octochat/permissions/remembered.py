"""The file of "always" answers: one of the person's own, with a table per rule.

It does not lie in the working folder: a folder that someone else made must not be able to
permit itself anything.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import tomli

from octochat.permissions.rules import Rule, parse

_HEAD = (
    '# What you answered "always" to, by folder. octochat only adds to the end of this file;\n'
    "# delete or change whatever you like.\n"
)


@dataclass(frozen=True, slots=True)
class RememberedRules:
    """The rules that the person gave for a working folder."""

    path: Path
    """The file, such as `permissions.toml` in the person's configuration folder."""
    folder: Path
    """The working folder, canonical."""

    def load(self) -> tuple[Rule, ...]:
        """The rules for this folder; none where there is no file yet.

        Raises:
            ValueError: the file is not of the form; the message names it and the place.
            OSError: it can't be read.
        """
        try:
            tables = tomli.loads(self.path.read_text(encoding="utf-8")).get("rule", [])
        except FileNotFoundError:
            return ()
        except tomli.TOMLDecodeError as error:
            raise ValueError(f"{self.path}: {error}") from error
        return tuple(
            rule
            for number, table in enumerate(_tables(tables), 1)
            if (rule := self._rule(number, table)) is not None
        )

    def add(self, rule: Rule) -> None:
        """Write a rule down at the end; what is in the file stays as it is.

        Raises:
            OSError: it can't be written.
        """
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder, allow = _quoted(str(self.folder)), _quoted(str(rule))
        entry = f"\n[[rule]]\nfolder = {folder}\nallow = {allow}\n"
        # One write in append mode: a second octochat can't come in between.
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(("" if file.tell() else _HEAD) + entry)
            file.flush()
            os.fsync(file.fileno())

    def _rule(self, number: int, table: object) -> Rule | None:
        match table:
            case {"folder": str(folder), "allow": str(text)}:
                try:
                    return parse(text) if Path(folder) == self.folder else None
                except ValueError as error:
                    raise ValueError(f"{self.path}: rule {number}: {error}") from error
            case _:
                raise ValueError(
                    f"{self.path}: rule {number}: a [[rule]] needs the keys folder and allow"
                )


def _tables(found: object) -> list[object]:
    return cast("list[object]", found) if isinstance(found, list) else [found]


def _quoted(text: str) -> str:
    """A TOML string: as in JSON, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
