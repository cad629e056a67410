"""The artifact index of a note: what was harvested, ranked and written within a budget of tokens.

Deterministic: the same artifacts and the same measure give the same text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import Literal, TypeAlias

from octochat.context.notes.artifacts import Artifacts, CommandRun, File, Named
from octochat.context.notes.fitting import Measure, longest

Section: TypeAlias = Literal[
    "Files changed", "Files read", "Paths", "Commands", "Errors", "Ids", "URLs", "Numbers", "Quoted"
]
_ORDER: tuple[Section, ...] = (
    "Files changed",
    "Files read",
    "Paths",
    "Commands",
    "Errors",
    "Ids",
    "URLs",
    "Numbers",
    "Quoted",
)
_BY_KIND: dict[str, Section] = {
    "path": "Paths",
    "id": "Ids",
    "url": "URLs",
    "number": "Numbers",
    "quoted": "Quoted",
}
_GROUPED: frozenset[Section] = frozenset({"Files changed", "Files read", "Paths"})
_WEIGHT: dict[Section, float] = {
    "Files read": 40.0,
    "Paths": 1.0,
    "Commands": 1.5,
    "Errors": 2.0,
    "Ids": 1.0,
    "URLs": 1.0,
    "Numbers": 0.5,
    "Quoted": 0.5,
}
"""What one use of a thing of this kind is worth; changed files need none, they are always in."""
_HALF_LIFE = 0.6
"""Share of the range after which a use counts half."""
_SED_LINES = re.compile(r"[\d,$]+p")
"""`sed -n '10,20p'`: quoted, and worth nothing later."""
_CHARS_A_TOKEN = 3.0
_MOST_CHARS_A_TOKEN = 5
_OVERHEAD = 2.0
"""Tokens that separate one item from the next."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that may stand in the index."""

    section: Section
    text: str
    score: float
    """Worth per token; the best come first."""


def index(artifacts: Artifacts, budget: int, measure: Measure, said: str = "") -> str:
    """The index as text, at most `budget` tokens by `measure`, empty where there is nothing.

    The one exception to the budget: every file that was changed is always in.

    Arguments:
        artifacts: what was harvested.
        budget: tokens.
        measure: the ruler.
        said: what else stands in the note; what it names already is not named again.
    """
    changed = _changed(artifacts)
    likely = _new(
        ranked(artifacts), "\n".join((said, changed_files(artifacts))), budget * _MOST_CHARS_A_TOKEN
    )

    def render(some: Sequence[Item]) -> str:
        return _render(changed, some)

    return render(longest(likely, render, budget, measure))


def changed_files(artifacts: Artifacts) -> str:
    """The part of the index that is always in."""
    return _render(_changed(artifacts), ())


def ranked(artifacts: Artifacts) -> tuple[Item, ...]:
    """Everything but the changed files, the most useful per token first."""
    items = [
        *(_file(file, artifacts.places) for file in artifacts.files if not file.changes),
        *(_command(command, artifacts.places) for command in artifacts.commands),
        *(_named(named, "Errors", artifacts.places) for named in artifacts.errors),
        *(
            _named(named, _BY_KIND[named.identifier.kind], artifacts.places)
            for named in artifacts.names
            if not _SED_LINES.fullmatch(named.identifier.text)
        ),
    ]
    return tuple(sorted(items, key=lambda item: (-item.score, item.section, item.text)))


def _changed(artifacts: Artifacts) -> tuple[Item, ...]:
    return tuple(Item("Files changed", file.path, inf) for file in artifacts.files if file.changes)


def _file(file: File, places: int) -> Item:
    return _item("Files read", file.path, file.reads, file.last, places)


def _command(command: CommandRun, places: int) -> Item:
    came = f" -> {command.outcome}" if command.outcome else ""
    return _item("Commands", command.line + came, command.runs, command.last, places)


def _named(named: Named, section: Section, places: int) -> Item:
    return _item(section, named.identifier.text, named.weight, named.last, places)


def _item(section: Section, text: str, uses: float, last: int, places: int) -> Item:
    age = (places - last) / (places * _HALF_LIFE)
    worth = _WEIGHT[section] * uses * 0.5**age
    cost = _OVERHEAD + len(text) / _CHARS_A_TOKEN
    return Item(section, text, worth / cost)


def _new(items: Iterable[Item], said: str, characters: int) -> list[Item]:
    """The items that nothing before them names, as many as could fit into so many characters."""
    found: list[Item] = []
    spent = 0
    for item in items:
        if spent > characters:
            break
        if not _stands_in(item.text, said):
            found.append(item)
            spent += len(item.text)
            said += "\n" + item.text
    return found


def _stands_in(text: str, said: str) -> bool:
    """Whether a text names something as a word of its own."""
    return text in said and bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said))


def _render(changed: Sequence[Item], others: Sequence[Item]) -> str:
    lines: list[str] = []
    for section in _ORDER:
        texts = [item.text for item in (*changed, *others) if item.section == section]
        if texts:
            lines.append(f"{section}:")
            lines += _grouped(texts) if section in _GROUPED else _listed(section, texts)
    return "\n".join(lines)


def _listed(section: Section, texts: Iterable[str]) -> list[str]:
    match section:
        case "Commands" | "Errors" | "URLs":
            return [f"- {text}" for text in texts]
        case "Quoted":
            return [" | ".join(texts)]
        case _:
            return [", ".join(texts)]


def _grouped(paths: Iterable[str]) -> list[str]:
    """`FOLDER/: NAME, NAME` a folder; what has no folder, on a line of its own."""
    parted = sorted({_parted(path) for path in paths})
    return [
        f"{folder}: {', '.join(name for _, name in group)}"
        if folder
        else ", ".join(name for _, name in group)
        for folder, group in groupby(parted, key=lambda parts: parts[0])
    ]


def _parted(path: str) -> tuple[str, str]:
    cut = max(path.rfind("/"), path.rfind("\\")) + 1
    return (path[:cut], path[cut:]) if cut < len(path) else ("", path)
