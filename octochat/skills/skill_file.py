"""One SKILL.md: the Agent Skills format, read and validated by its reference library.

Knows one file; where skills are found and which one wins is not its business.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from skills_ref import read_properties, validate

_LARGEST = 256 * 1024
"""Bytes of a SKILL.md; what is larger is no instruction text."""
_NAME = re.compile(r"[a-z0-9-]{1,64}")
_UNEXPECTED = "Unexpected fields"


@dataclass(frozen=True, slots=True)
class Skill:
    """A sound skill."""

    name: str
    description: str
    """What it is for, on one line."""
    folder: Path
    """Where its SKILL.md lies."""
    body: str
    """The instructions, Markdown."""


def read_skill(file: Path) -> Skill | str:
    """The skill in a SKILL.md, or in words what is wrong with it.

    The format: front matter with `name` (1 to 64 of a-z 0-9 -, as the folder) and `description`
    (up to 1,024), then the instructions. Fields that other agents add to it (`model`, `version`)
    do not break a skill, though the reference validator minds them.
    """
    try:
        if file.stat().st_size > _LARGEST:
            return f"{file.name} is larger than {_LARGEST // 1024} KiB"
        return _parsed(file.read_text("utf-8"), file.parent)
    except OSError as error:
        return f"{file.name} can't be read ({error.strerror})"
    except UnicodeDecodeError:
        return f"{file.name} is not UTF-8 text"


def _parsed(text: str, folder: Path) -> Skill | str:
    wrong = [error for error in validate(folder) if not error.startswith(_UNEXPECTED)]
    if wrong:
        return " ".join("; ".join(wrong).split())
    properties = read_properties(folder)
    if not _NAME.fullmatch(properties.name):
        return f"the name {properties.name!r} may have only a-z, 0-9 and -"
    body = text.split("---", 2)[2].strip()  # as the reference reader divides it
    if not body:
        return "there is no text after the front matter"
    return Skill(properties.name, " ".join(properties.description.split()), folder, body)
