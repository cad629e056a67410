"""Permission rules: what they cover, and what they say about a call. Pure; nobody is asked here.

A rule is `TOOL` or `TOOL(PATTERN)`: `bash(git *)`, `write(src/**)`, `read(/etc/**)`, `edit`, `*`.
`read` and `write` stand for every tool that reads or writes a path. Deny wins over ask, ask over
allow.
"""

import glob
import os
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

from octochat.permissions.commandline import fits, may_hide, may_run, simple_commands
from octochat.permissions.modes import PLANNING, Mode, only_reads
from octochat.tools import globs
from octochat.tools.base import Access

_FORM = re.compile(r"(?P<tool>\*|[\w.-]+)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_GUARDED = frozenset({".git", ".octochat"})
"""Folders whose files decide what runs or is allowed: only a rule that names them covers them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as it stands in the configuration."""

    tool: str
    """A tool, `read` or `write` for all tools of that kind, or `*`."""
    pattern: str = ""
    """A command pattern or a path pattern; empty for every call."""

    def __str__(self) -> str:
        """The rule as it is written."""
        return f"{self.tool}({self.pattern})" if self.pattern else self.tool

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command pattern; `git:*` is read as `git *`."""
        pattern = re.sub(r":\*$", " *", self.pattern)
        try:
            return tuple(shlex.split(pattern))
        except ValueError:
            return tuple(pattern.split())


@dataclass(frozen=True, slots=True)
class Allowed:
    """Go ahead."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The person decides: a rule wants it so, or none allows the call."""

    wants: Rule | None = None
    """The rule in `ask` that covers the call."""
    hides: Rule | None = None
    """The rule in `deny` that the call may break: it has parts that can't be looked through."""


@dataclass(frozen=True, slots=True)
class Denied:
    """No, and why: the model gets the reason."""

    why: str
    rule: Rule | None = None
    """The rule in `deny` that forbids it; None where something else does."""


Decision: TypeAlias = Allowed | Ask | Denied


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules that hold in a working folder."""

    folder: Path
    """The working folder, canonical: relative path patterns start here."""
    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    own: tuple[Rule, ...] = ()
    """What octochat allows by itself, such as to read the files of skills."""
    scratch: Path | None = None
    """The session's scratch folder, canonical: commands may redirect their output into it."""

    def searchable(self, tool: str, path: Path) -> bool:
        """Whether a search tool may look into this file: no rule denies it or wants to be asked."""
        access = Access(kind="read", target=str(path), path=path)
        return not any(_covers(rule, tool, access, self.folder) for rule in (*self.deny, *self.ask))


def parse(text: str) -> Rule:
    """Read a rule.

    Raises:
        ValueError: it is none; the message is one line that says what a rule looks like.
    """
    found = _FORM.fullmatch(text.strip())
    if not found or (found["pattern"] is not None and not found["pattern"].strip()):
        raise ValueError(
            f"{text!r} is not a rule: write TOOL or TOOL(PATTERN), such as bash(git *)"
        )
    rule = Rule(found["tool"], found["pattern"] or "")
    globs.compiled(rule.pattern)
    return rule


def decide(access: Access, tool: str, rules: Rules, mode: Mode = "ask") -> Decision:
    """What the rules say about a call."""
    for rule in rules.deny:
        if _forbids(rule, tool, access, rules):
            return Denied(f"the rule {rule} in [permissions] deny forbids it", rule)
    if access.kind == "none":
        return Allowed()
    if mode == "read-only" and access.kind != "read":
        return Denied("octochat runs with --read-only: nothing may be written or run")
    if mode == "plan" and not _harmless(access):
        return Denied(PLANNING)
    hides = next((rule for rule in rules.deny if _may_hide(rule, tool, access, rules)), None)
    if hides and not _literal(rules, tool, access):
        return Ask(hides=hides)
    if mode == "allow-all":
        return Allowed()
    if wants := next((r for r in rules.ask if _forbids(r, tool, access, rules)), None):
        return Ask(wants)
    free = access.kind == "read" and access.inside
    if mode == "accept-edits":
        free = free or _edits(access, rules.folder)
    return Allowed() if free or _allows(rules, tool, access) else Ask()


def covers(
    allowing: Iterable[Rule], past: Iterable[tuple[str, Access]], folder: Path
) -> tuple[Access, ...]:
    """Which of the past calls (tool and access) these rules alone would have allowed."""
    rules = Rules(folder, allow=tuple(allowing))
    return tuple(access for tool, access in past if _allows(rules, tool, access))


def _kind_name(access: Access, tool: str) -> str:
    return access.kind if access.kind in ("read", "write") else tool


def _allows(rules: Rules, tool: str, access: Access) -> bool:
    """Whether the allow rules cover it; of a compound command, each part."""
    guarded = _guarded(access, rules.folder)
    mine = [
        rule for rule in (*rules.allow, *rules.own) if all(name in rule.pattern for name in guarded)
    ]
    if any(_covers(rule, tool, access, rules.folder) for rule in mine):
        return True
    if access.kind != "run":
        return False
    commands = simple_commands(access.target, rules.scratch)
    patterns = [rule.words for rule in mine if rule.tool == tool and rule.pattern]
    return commands is not None and all(
        any(fits(pattern, command.words) for pattern in patterns) for command in commands
    )


def _harmless(access: Access) -> bool:
    """Whether it changes nothing, so that plan mode may do it."""
    return access.kind == "read" or (access.kind == "run" and only_reads(access.target))


def _edits(access: Access, folder: Path) -> bool:
    """Whether it changes a file of the working folder that decides nothing by itself."""
    inside = access.path is not None and access.path.is_relative_to(folder)
    return access.kind == "write" and inside and not _guarded(access, folder)


def _guarded(access: Access, folder: Path) -> frozenset[str]:
    if access.kind != "write" or access.path is None or not access.path.is_relative_to(folder):
        return frozenset()
    return _GUARDED & {part.lower() for part in access.path.relative_to(folder).parts}


def _covers(rule: Rule, tool: str, access: Access, folder: Path) -> bool:
    """Whether the rule covers the call as a whole."""
    if rule.tool not in ("*", tool, _kind_name(access, tool)):
        return False
    if not rule.pattern:
        return True
    if access.path is not None:
        return _covers_path(rule.pattern, access.path, folder)
    if access.kind == "run":
        return rule.pattern == glob.escape(access.target.strip())
    return fnmatchcase(access.target, rule.pattern)


def _covers_path(pattern: str, path: Path, folder: Path) -> bool:
    if pattern.startswith("~/"):
        pattern = f"{glob.escape(str(Path.home()))}{pattern[1:]}"
    if pattern.startswith("/"):
        return any(
            globs.compiled(one).fullmatch(path.as_posix()) for one in (pattern, _resolved(pattern))
        )
    return path.is_relative_to(folder) and bool(
        globs.compiled(pattern.removeprefix("./")).fullmatch(path.relative_to(folder).as_posix())
    )


def _resolved(pattern: str) -> str:
    """The pattern with the links in the folders that it names followed, as in canonical paths."""
    fixed = re.split(r"[*?{]|\[(?!.\])", pattern, maxsplit=1)[0].rpartition("/")[0]
    plain = re.sub(r"\[(.)\]", r"\1", fixed)
    return glob.escape(os.path.realpath(plain or "/")).rstrip("/") + pattern[len(fixed) :]


def _forbids(rule: Rule, tool: str, access: Access, rules: Rules) -> bool:
    """Whether a rule that denies or asks is about the call, also where only a part of it is."""
    folder = rules.folder
    if _covers(rule, tool, access, folder):
        return True
    if _about_commands(rule, tool, access):
        runs = may_run(rule.words, access.target, rules.scratch)
        return runs or fnmatchcase(access.target, rule.pattern)
    if access.path is None or rule.pattern[:1] in ("", "/", "~"):
        return False
    # A folder named in the pattern may be a link to one outside.
    absolute = f"{glob.escape(str(folder))}/{rule.pattern.removeprefix('./')}"
    return _covers(Rule(rule.tool, absolute), tool, access, folder)


def _may_hide(rule: Rule, tool: str, access: Access, rules: Rules) -> bool:
    if not _about_commands(rule, tool, access):
        return False
    return may_hide(rule.words, access.target, rules.scratch)


def _about_commands(rule: Rule, tool: str, access: Access) -> bool:
    return access.kind == "run" and about_some(rule, tool)


def about_some(rule: Rule, tool: str) -> bool:
    """Whether the rule is about some calls of the tool, and not about all."""
    return rule.tool in ("*", tool) and rule.pattern != ""


def _literal(rules: Rules, tool: str, access: Access) -> bool:
    """Whether a rule allows exactly this command line."""
    exact = Rule(tool, glob.escape(access.target.strip()))
    return exact in rules.allow
