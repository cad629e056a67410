"""One SKILL.md: the Agent Skills format, read as people write it.

Knows one file; where skills are found and which one wins is not its business.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from octochat.project.text_file import UnusableFileError, read_text_file
from octochat.skills.front_matter import front_matter

_LARGEST = 256 * 1024
"""Bytes of a SKILL.md; what is larger is no instruction text."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 64
_LONGEST_HINT = 100
LONGEST_DESCRIPTION = 1_024
"""Characters of a description that the format allows, and that the model is told."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that can be used."""

    name: str
    """On one line, at most 64 characters."""
    description: str
    """What it is for, on one line."""
    folder: Path
    """Where its SKILL.md lies."""
    body: str
    """The instructions, Markdown."""
    callable: bool = True
    """Whether a person may call it as a command: `user-invocable` is not false."""
    hint: str = ""
    """What may follow its name then."""
    for_model: bool = True
    """Whether the model may use it unasked: `disable-model-invocation` is not true."""
    oddities: tuple[str, ...] = ()
    """How its file differs from the format, in a few words each; it works all the same."""


def read_skill(file: Path) -> Skill | str:
    """The skill in a SKILL.md, or in words why there is none in it.

    The format: front matter with `name` (1 to 64 of a-z 0-9 -, as the folder) and `description`
    (up to 1,024 characters), then the instructions. Only a file without one of the two, or one
    that can't be read at all, is none; whatever else differs is an oddity. Fields that other agents
    add are none.
    """
    try:
        found = read_text_file(file, _LARGEST)
    except FileNotFoundError:
        return "it is gone"
    except UnusableFileError as error:
        return str(error)
    said = front_matter(found.text)
    name, description = _line(said.fields, "name"), _line(said.fields, "description")
    lacking = [key for key, value in (("name", name), ("description", description)) if not value]
    if lacking:
        return "; ".join((f"it has no {' and no '.join(lacking)}", *said.oddities))
    folder = file.parent
    odd = (*found.oddities, *said.oddities, *_oddities(name, description, folder.name, said.body))
    return Skill(
        name[:_LONGEST_NAME].rstrip(),
        description,
        folder,
        said.body,
        _line(said.fields, "user-invocable").lower() not in ("false", "no"),
        _line(said.fields, "argument-hint")[:_LONGEST_HINT],
        _line(said.fields, "disable-model-invocation").lower() not in ("true", "yes"),
        odd,
    )


def _line(fields: Mapping[str, str], key: str) -> str:
    """A field on one line, whatever the case of its name."""
    given = (value for name, value in fields.items() if name.strip().lower() == key)
    return " ".join(next(given, "").split())


def _oddities(name: str, description: str, folder: str, body: str) -> Iterator[str]:
    if len(name) > _LONGEST_NAME:
        yield f"its name has {len(name)} characters, {_LONGEST_NAME} of them are taken"
    if not _NAME.fullmatch(name):
        yield f'its name "{name[:_LONGEST_NAME]}" has other characters than a-z, 0-9 and single -'
    if name != folder:
        yield f'its name is not that of its folder, "{folder}"'
    if len(description) > LONGEST_DESCRIPTION:
        yield (
            f"its description has {len(description):,} characters, the model is told "
            f"{LONGEST_DESCRIPTION:,} of them"
        )
    if not body:
        yield "there is no text after the front matter"
