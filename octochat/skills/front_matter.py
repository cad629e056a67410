"""The front matter of a Markdown file, as people write it: YAML where it is, else line by line.

Reads texts only: nothing in it is ever a number, a date or an object. It knows no field by name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import cast

import yaml

_FRAMED = re.compile(
    r"\s*^---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_OPEN = re.compile(r"\s*^---[ \t]*\n(.*?)(?:\n[ \t]*\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"([A-Za-z][\w.-]*)[ \t]*:(?:[ \t]+(.*))?")
_BLOCK = re.compile(r"[|>][+-]?\d?")
_LARGEST = 32_000
"""Characters of front matter that are read as YAML; the rest of a longer one is text."""
_ITEMS = 100
"""Items of a list that are read."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself, and what it says."""

    fields: Mapping[str, str]
    """Every value as one text: the items of a list with commas between them."""
    body: str
    """What follows, without white space around it."""
    oddities: tuple[str, ...] = ()
    """What is wrong with the front matter, in a few words each."""


def front_matter(text: str) -> FrontMatter:
    r"""The front matter of a text whose lines end with `\n`; no fields where it has none."""
    framed = _FRAMED.match(text)
    found = framed or _OPEN.match(text)
    if not found:
        return FrontMatter({}, text.strip(), ("it has no front matter",))
    fields, oddities = _fields(found[1])
    if not framed:
        oddities = (*oddities, "its front matter has no closing ---")
    return FrontMatter(fields, text[found.end() :].strip(), oddities)


def _fields(matter: str) -> tuple[Mapping[str, str], tuple[str, ...]]:
    try:
        if len(matter) <= _LARGEST:
            return dict(_of_yaml(matter)), ()
        why = f"over {_LARGEST:,} characters"
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 2}" if error.problem_mark else ""
        why = f"{error.problem or error.context}{line}"
    except (yaml.YAMLError, RecursionError):
        why = "it can't be read as a table"
    return _by_line(matter), (f"its front matter is no YAML ({why}): it was read line by line",)


def _of_yaml(matter: str) -> Iterator[tuple[str, str]]:
    """The fields of a table. It is never made into objects: only its nodes are looked at.

    Raises:
        yaml.YAMLError: it is no YAML, or no table.
        RecursionError: it is nested too deeply.
    """
    compose = cast("Callable[..., object]", yaml.compose)  # its types are not known
    node = compose(matter, Loader=yaml.BaseLoader)
    if node is None:
        return
    if not isinstance(node, yaml.MappingNode):
        raise yaml.YAMLError
    for key, value in node.value:
        yield _text(key), _text(value)


def _text(node: yaml.Node) -> str:
    match node:
        case yaml.ScalarNode():
            return str(node.value)
        case yaml.SequenceNode():
            return ", ".join(_scalar(item) for item in islice(node.value, _ITEMS))
        case yaml.MappingNode():
            pairs = islice(node.value, _ITEMS)
            return ", ".join(f"{_scalar(key)}: {_scalar(value)}" for key, value in pairs)
        case _:
            return ""


def _scalar(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "..."


def _by_line(matter: str) -> Mapping[str, str]:
    """Fields as they look: a name, a colon and the rest of the line, and the lines below."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in matter.split("\n"):
        if named := _LINE.fullmatch(line):
            lines = found.setdefault(named[1], [])
            lines.append(named[2] or "")
        else:
            lines.append(line)
    return {name: _plain(values) for name, values in found.items()}


def _plain(lines: list[str]) -> str:
    first = "" if _BLOCK.fullmatch(lines[0].strip()) else lines[0]
    text = "\n".join(line.strip() for line in (first, *lines[1:])).strip()
    quoted = re.fullmatch(r"""(["'])(.*)\1""", text, re.DOTALL)
    return quoted[2] if quoted else text
