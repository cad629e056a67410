"""One custom command: a Markdown file whose text is a prompt. It knows one file, and no session.

Source: docs/custom-commands.md#the-file.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.skills.front_matter import front_matter
from octochat.text.harmless import one_line

_LARGEST = 64 * 1024
"""Bytes of a command's file."""
_LONGEST = 200
"""Characters of a description, and of a hint."""
_KNOWN = ("description", "argument-hint", "allowed-tools", "model", "disable-model-invocation")
_NONE = "it has no front matter"
_HINT = re.compile(r"^(argument-hint:[ \t]*)(\[.*)$", re.MULTILINE)
_NAME = re.compile(r"[\w.-]+(?::[\w.-]+)*")
_RULE = re.compile(r"[^\s,()]+(?:\([^)]*\))?")


@dataclass(frozen=True, slots=True)
class CustomCommand:
    """A command as its file says it."""

    name: str
    """With its folders, as in `frontend:component`."""
    body: str
    file: Path
    description: str = ""
    hint: str = ""
    """What may follow the name."""
    allowed: tuple[str, ...] = ()
    """Permission rules that hold while it is carried out."""
    model: str = ""
    """The model that answers it; empty: the session's."""
    trusted: bool = True
    """Whether it may run commands and allow tools."""
    oddities: tuple[str, ...] = ()
    """How its file differs from the form, in a few words each; it works all the same."""


def read_command(file: Path, name: str) -> CustomCommand | str:
    """The command in a file, or in words why there is none in it."""
    if not _NAME.fullmatch(name):
        return "its name has other characters than letters, digits, _, . and -"
    try:
        found = read_text_file(file, _LARGEST)
    except FileNotFoundError:
        return "it is gone"
    except UnusableFileError as error:
        return str(error)
    # `[a] [b]`, as people write a hint, is no YAML.
    said = front_matter(_HINT.sub(lambda hint: hint[1] + json.dumps(hint[2]), found.text))
    if not said.body:
        return "it has no text"
    fields, body = said.fields, said.body
    first = next((line for line in body.splitlines() if line.strip()), "")
    return CustomCommand(
        name,
        body,
        file,
        one_line(fields.get("description", "") or first.lstrip("# "))[:_LONGEST],
        one_line(fields.get("argument-hint", ""))[:_LONGEST],
        tuple(_RULE.findall(fields.get("allowed-tools", ""))),
        fields.get("model", "").strip(),
        oddities=(*found.oddities, *_oddities(fields, said.oddities)),
    )


def _oddities(fields: Mapping[str, str], found: tuple[str, ...]) -> Iterator[str]:
    yield from (each for each in found if each != _NONE)
    for key in fields:
        if key not in _KNOWN:
            yield f'the key "{one_line(key)[:40]}" means nothing here'
