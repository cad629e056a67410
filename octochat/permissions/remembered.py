"""The file of "always" answers: one of the person's own, with a table per rule.

It does not lie in the working folder: a folder that someone else made must not be able to
permit itself anything.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import tomli

from octochat.permissions.rule import Rule, parse
from octochat.storage.append import append

_HEAD = (
    '# What you answered "always" to, by folder. octochat adds to the end of this file, and takes\n'
    "# out what you take back with /permissions; delete or change whatever you like.\n"
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
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        return tuple(
            rule
            for number, table in enumerate(self._tables(text), 1)
            if (rule := self._rule(number, table)) is not None
        )

    def add(self, rule: Rule) -> None:
        """Write a rule down at the end; what is in the file stays as it is.

        Raises:
            OSError: it can't be written.
            UnicodeError: a name is none that a text file can hold; nothing is written.
        """
        folder, allow = _quoted(str(self.folder)), _quoted(str(rule))
        append(self.path, f"\n[[rule]]\nfolder = {folder}\nallow = {allow}\n", _HEAD)

    def remove(self, rule: Rule) -> None:
        """Take a rule out again; what else is in the file stays as it is.

        Raises:
            ValueError: the file is not of the form any more; nothing has changed.
            OSError: it can't be written.
        """
        pieces = re.split(r"(?m)^(?=\[\[rule\]\])", self.path.read_text(encoding="utf-8"))
        kept = "".join(
            _comments(piece) if self._is(number, piece, rule) else piece
            for number, piece in enumerate(pieces)  # the first is what stands before any table
        )
        fresh = self.path.with_name(f"{self.path.name}.new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(kept)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)

    def _is(self, number: int, piece: str, rule: Rule) -> bool:
        """Whether a piece of the file is the table of this rule."""
        return any(self._rule(number, table) == rule for table in self._tables(piece))

    def _tables(self, text: str) -> list[object]:
        try:
            found = tomli.loads(text).get("rule", [])
        except tomli.TOMLDecodeError as error:
            raise ValueError(f"{self.path}: {error}") from error
        return cast("list[object]", found) if isinstance(found, list) else [found]

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


def _comments(piece: str) -> str:
    """What a person wrote behind a table that goes."""
    lines = piece.splitlines(keepends=True)
    return "".join(line for line in lines if line.lstrip().startswith("#"))


def _quoted(text: str) -> str:
    """A TOML string: as in JSON, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
