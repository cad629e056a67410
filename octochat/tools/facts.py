"""What those who show a tool's calls need to know of it: names of arguments, no code.

Apart from the tools, for an old session is on the screen before any tool is loaded. A call in it
may be of a tool that is gone: then `GUESSED` goes by the arguments.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, cast

from octochat.context.session.content import ToolCall


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """Which arguments of a tool matter, and how its input is shown."""

    subject: tuple[str, ...]
    """Arguments that tell what a call does; the first that was given counts."""
    place: str = ""
    """The argument that says where the subject is looked for; empty: none does."""
    lines: tuple[str, ...] = ()
    """Arguments that hold first and last lines, the newest name first."""
    language: str = ""
    """The language that the subject is source text in; empty: it is no source text."""
    old_text: str = ""
    """The argument with the text that is replaced; empty: the whole file is."""
    new_text: str = ""
    """The argument with what is written to the file; empty: the tool changes no file."""
    prints: bool = False
    """What it returns is worth a look without being asked for: its last lines are shown."""
    several: str = ""
    """The argument with a list of such pairs; empty: there is none."""
    looks_into: bool = True
    """It may tell what is in files, not only their names."""

    def summary(self, call: ToolCall) -> str:
        """What a call does, in the words of its arguments; it may have several lines."""
        given = call.arguments
        found = next((str(given[key]) for key in self.subject if key in given), None)
        if found is None:
            return next((str(value) for value in given.values()), "")
        if where := given.get(self.place):
            return f"{found} in {where}"
        spans = next((given[key] for key in self.lines if given.get(key)), None)
        return f"{found} {_spans(spans)}" if spans else found

    def source(self, call: ToolCall) -> str:
        """The subject where it is source text; empty where it is not."""
        given = (call.arguments.get(key) for key in self.subject if self.language)
        return next((str(value) for value in given if value is not None), "")

    def texts(self, call: ToolCall) -> tuple[str, str] | None:
        """The text that is replaced and the one that takes its place; None if it changes no file.

        What was in a file that is written whole is not known, and counts as empty. Several pairs
        come as one, line after line.
        """
        known = self.pairs(call)
        if not known:
            return None
        return "\n".join(old for old, _ in known), "\n".join(new for _, new in known)

    def pairs(self, call: ToolCall) -> list[tuple[str, str]]:
        """The texts that are replaced, each with the one that takes its place."""
        given = call.arguments.get(self.several)
        pairs = cast("list[object]", given) if isinstance(given, list) else [call.arguments]
        return [pair for each in pairs if (pair := self._pair(each))]

    def _pair(self, value: object) -> tuple[str, str] | None:
        if not isinstance(value, Mapping):
            return None
        given = cast("Mapping[str, object]", value)
        old = given.get(self.old_text) if self.old_text else ""
        new = given.get(self.new_text)
        return (old, new) if isinstance(old, str) and isinstance(new, str) else None


UNCHANGED: Final = "nothing changed"
"""What is noted of a file that was written just as it was."""
_FILE = ("file_path",)
FACTS: Final = MappingProxyType(
    {
        "read": ToolFacts(_FILE, lines=("ranges", "view_range")),
        "write": ToolFacts(_FILE, new_text="content"),
        "edit": ToolFacts(_FILE, old_text="old_string", new_text="new_string", several="edits"),
        "glob": ToolFacts(("pattern",), place="path", looks_into=False),
        "grep": ToolFacts(("pattern",), place="path"),
        "bash": ToolFacts(("command",), language="bash", prints=True),
        "recall": ToolFacts(("entries", "search")),
        "skill": ToolFacts(("name", "action")),
    }
)
"""By the names of the tools."""
GUESSED: Final = ToolFacts(
    ("file_path", "command", "pattern", "name", "path", "url", "query"),
    lines=("view_range", "ranges"),
)
"""Of a tool that nobody knows: the arguments in the order in which they mostly matter."""


def facts_of(call: ToolCall) -> ToolFacts:
    """What is known of a call's tool; a guess where there is no such tool (any more)."""
    return FACTS.get(call.name, GUESSED)


def _spans(value: object) -> str:
    """Lines from and to, `[10, 40]` as `10:40`, `[[1, 5], [10, 40]]` as `1:5, 10:40`."""
    return re.sub(r"\[(-?\d+), (-?\d+)\]", r"\1:\2", str(value)).strip("[]")
