"""One permission rule: how it is written and read. What it covers stands in `rules.py`."""

import re
import shlex
from dataclasses import dataclass
from fnmatch import fnmatchcase

from octochat.tools import globs

_FORM = re.compile(r"(?P<tool>\*|[\w.-]+|mcp__[\w*-]+)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_BEGINS = re.compile(r"(?P<begin>[\w:-]*[\w-])\*")
WITH_SUBCOMMANDS = re.compile(
    r"git|npm|pnpm|yarn|bun|cargo|go|docker|podman|kubectl|helm|gh|uv|poetry|pip3?|make|just|"
    r"terraform|aws|brew|apt|systemctl|hg|svn|rustup|deno|bundle|rails|mix|gradle|mvn|dotnet"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as it stands in the configuration."""

    tool: str
    """A tool, `read` or `write` for all tools of that kind, `mcp__SERVER__*`, or `*`."""
    pattern: str = ""
    """A command pattern or a path pattern; empty for every call."""

    def __str__(self) -> str:
        """The rule as it is written."""
        return f"{self.tool}({self.pattern})" if self.pattern else self.tool

    def names(self, tool: str) -> bool:
        """Whether it is about this tool."""
        return fnmatchcase(tool, self.tool) if "*" in self.tool else self.tool == tool

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command pattern; `git:*` and `git*` are read as `git *`.

        Source: docs/permissions.md#command-patterns.
        """
        pattern = re.sub(r":\*$", " *", self.pattern)
        try:
            words = tuple(shlex.split(pattern))
        except ValueError:
            words = tuple(pattern.split())
        if not words or not _BEGINS.fullmatch(words[-1]):
            return words
        known = len(words) == 1 or WITH_SUBCOMMANDS.fullmatch(words[0])
        return (*words, "*") if known else words


def parse(text: str) -> Rule:
    """Read a rule.

    Raises:
        ValueError: it is none; the message is one line that says what a rule looks like.
    """
    found = _FORM.fullmatch(text.strip())
    if not found or (found["pattern"] is not None and not found["pattern"].strip()):
        raise ValueError(
            f"{text!r} is not a rule: write TOOL or TOOL(PATTERN), such as bash(git status *)"
        )
    rule = Rule(found["tool"], found["pattern"] or "")
    globs.compiled(rule.pattern)
    return rule
