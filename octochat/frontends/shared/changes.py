"""What a call changes in a file, line by line, each with its number. It knows nothing of colours.

A diff that was kept tells what really happened; without one, the call's own words must do.
"""

import re
from dataclasses import dataclass
from difflib import unified_diff
from functools import lru_cache

from octochat.context.session.content import ToolCall
from octochat.text.harmless import visible
from octochat.tools.facts import UNCHANGED, facts_of

SHOWN = 20
"""Lines of a change that are seen without opening it."""
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of a diff."""

    sign: str
    """`+`, `-`, a space, a backslash for a remark, `@` between two parts."""
    text: str
    number: int
    """In the new file, for what is removed in the old one; counted from 1; 0: not known."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file."""

    lines: tuple[ChangedLine, ...] = ()
    name: str = ""
    """The file's name, as far as the diff tells it."""

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines are added, and how many are taken away."""
        signs = [line.sign for line in self.lines]
        return signs.count("+"), signs.count("-")

    @property
    def digits(self) -> int:
        """How many its highest number has; 0 where the numbers are not known."""
        highest = max((line.number for line in self.lines), default=0)
        return len(str(highest)) if highest else 0


def change_of(call: ToolCall, diff: str = "", note: str = "") -> Change:
    """What a call changes; as `diff` has it, if that is known. Nothing where it changes none.

    `note` is that of the result.
    """
    if UNCHANGED in note:
        return Change()
    known = change_in(diff)
    if known.lines:
        return known
    facts = facts_of(call)
    texts = facts.texts(call)
    if texts is None:
        return Change()
    old, new = (text.splitlines() for text in texts)
    lines = change_in("\n".join(unified_diff(old, new, lineterm=""))).lines
    if facts.old_text:  # where in the file it stands is not known
        lines = tuple(ChangedLine(line.sign, line.text, 0) for line in lines)
    return Change(lines, facts.summary(call))


@lru_cache(maxsize=32)
def change_in(diff: str) -> Change:
    """The lines of a unified diff, from its first hunk on: a removed `-- x` looks like a header."""
    found: list[ChangedLine] = []
    name = ""
    old = new = 0
    for line in diff.splitlines():
        if hunk := _HUNK.match(line):
            if found:
                found.append(ChangedLine("@", "", 0))
            old, new = int(hunk[1]) or 1, int(hunk[2]) or 1
        elif old or new:
            sign = line[:1] or " "
            text = visible(line[1:]).expandtabs(4)
            found.append(ChangedLine(sign, text, old if sign == "-" else new))
            old, new = old + (sign in " -"), new + (sign in " +")
        elif line.startswith("+++ "):
            name = line[4:].strip()
    return Change(tuple(found), name)
