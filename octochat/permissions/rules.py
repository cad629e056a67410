"""Permission rules: what they cover, and what they say about a call. Nobody is asked here.

A rule is `TOOL` or `TOOL(PATTERN)`: `bash(git *)`, `write(src/**)`, `read(/etc/**)`, `edit`, `*`.
`read` and `write` stand for every tool that reads or writes a path. Deny wins over ask, ask over
allow.
"""

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePath
from typing import Literal, TypeAlias

from octochat.permissions.commandline import may_hide, may_run
from octochat.permissions.line_check import LineCheck, files_read_by, files_written_by, guards_of
from octochat.permissions.modes import PLANNING, Mode
from octochat.permissions.path_patterns import absolute, covers_path
from octochat.permissions.plan_mode import only_reads
from octochat.permissions.protected import protecting, spells_out
from octochat.permissions.rule import Rule
from octochat.permissions.secret_files import holds_secrets, is_plain_git_config
from octochat.tools.base import Access, HookAdvice
from octochat.tools.facts import FACTS, GUESSED

_MOST_FILES = 3_000
"""Files that are looked through for one that may not be read; where there are more, it is asked."""
_MOST_NAMES = 20_000
"""The same where no rule is about reading and only names are looked at."""


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
    """The session's scratch folder, canonical."""
    protected: tuple[Path, ...] = ()
    """Folders of octochat's own, canonical: only a rule that names one allows to write in it."""
    folds: bool = False
    """Whether the file system takes `A` and `a` for the same name."""

    def searchable(self, tool: str, path: Path) -> bool:
        """Whether a search tool may look into this file without asking, if it looks into files."""
        access = Access(kind="read", target=str(path), path=path)
        if any(_covers(rule, tool, access, self) for rule in (*self.deny, *self.ask)):
            return False
        looks = FACTS.get(tool, GUESSED).looks_into
        return not looks or not holds_secrets(path) or _allows(self, tool, access)


def decide(access: Access, tool: str, rules: Rules, mode: Mode = "ask") -> Decision:
    """What the rules say about a call."""
    for rule in rules.deny:
        if _forbids(rule, tool, access, rules):
            return Denied(f"the rule {rule} in [permissions] deny forbids it", rule)
    if access.kind == "none":
        return Allowed()
    if mode == "read-only" and not (access.kind == "read" or access.vouched):
        return Denied("octochat runs with --read-only: nothing may be written or run")
    if mode == "plan" and not _harmless(access):
        return Denied(PLANNING)
    hides = next((rule for rule in rules.deny if _may_hide(rule, tool, access)), None)
    if hides and not _literal(rules, tool, access):
        return Ask(hides=hides)
    if mode == "allow-all":
        return Allowed()
    if wants := next((r for r in rules.ask if _forbids(r, tool, access, rules)), None):
        return Ask(wants)
    free = (
        access.sandboxed
        or access.vouched
        or (access.kind == "read" and access.inside and not _shows_secrets(access))
    )
    if mode == "accept-edits":
        free = free or _edits(access, rules)
    return Allowed() if free or _allows(rules, tool, access, mode) else Ask()


def advised(decision: Decision, hook: HookAdvice | None, access: Access, rules: Rules) -> Decision:
    """What becomes of a decision on which a hook has a word to say.

    It can never lift a refusal, nor spare a question that a rule wants or a protected path needs.
    """
    match decision:
        case Allowed() if hook and hook.decision == "ask":
            return Ask()
        case Ask(wants=None, hides=None) if hook and hook.decision == "allow":
            return decision if _guards(access, rules) else Allowed()
        case _:
            return decision


def covers(
    allowing: Iterable[Rule], past: Iterable[tuple[str, Access]], folder: Path
) -> tuple[Access, ...]:
    """Which of the past calls (tool and access) these rules alone would have allowed."""
    rules, none = Rules(folder, allow=tuple(allowing)), Rules(folder)
    return tuple(
        access
        for tool, access in past
        if _allows(rules, tool, access) and not _allows(none, tool, access)
    )


def protects(rules: Rules, path: Path) -> frozenset[str]:
    """The names for which a path is protected; empty where it is not."""
    if rules.scratch and path.is_relative_to(rules.scratch):
        return protecting(path, (rules.scratch,))
    own = {str(folder) for folder in rules.protected if path.is_relative_to(folder)}
    return frozenset(own) or protecting(path, (rules.folder,))


def _kind_name(access: Access, tool: str) -> str:
    return access.kind if access.kind in ("read", "write") else tool


def _allows(rules: Rules, tool: str, access: Access, mode: Mode = "ask") -> bool:
    """Whether the allow rules cover it; of a compound command, each part."""
    if access.kind == "run" and _literal(rules, tool, access):
        return True
    guards = _guards(access, rules)
    mine = [rule for rule in (*rules.allow, *rules.own) if spells_out(rule.pattern, guards)]
    if _shows_secrets(access):
        mine = [rule for rule in mine if holds_secrets(PurePath(rule.pattern))]
    if any(_covers(rule, tool, access, rules) for rule in mine):
        return True
    return access.kind == "run" and _line_allowed(rules, tool, access, mode)


def _guards(access: Access, rules: Rules) -> frozenset[str]:
    """The protected names that a call may write."""
    if access.kind == "write" and access.path is not None:
        return protects(rules, access.path)
    if access.kind == "run":
        return guards_of(access.target, _start(access, rules), lambda path: protects(rules, path))
    return frozenset()


def _line_allowed(rules: Rules, tool: str, access: Access, mode: Mode) -> bool:
    def may(kind: Literal["read", "write"], path: Path) -> bool:
        inside = path.is_relative_to(rules.folder)
        touched = Access(kind, str(path), inside=inside, path=path)
        return isinstance(decide(touched, kind, rules, mode), Allowed)

    patterns = [rule.words for rule in rules.allow if rule.tool == tool and rule.pattern]
    check = LineCheck(
        rules.folder,
        patterns,
        may,
        lambda path, hidden: _all_below(rules, path, hidden=hidden),
        lambda path: protects(rules, path),
    )
    return check.allowed(access.target, _start(access, rules))


def _all_below(rules: Rules, folder: Path, *, hidden: bool) -> bool:
    """Whether what lies below a folder may be read without asking, as far as can be looked."""
    ruled = any(rule.tool in ("read", "*") for rule in (*rules.deny, *rules.ask))
    files = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    if not hidden:
        files = (file for file in files if not file.name.startswith("."))
    most = _MOST_FILES if ruled else _MOST_NAMES
    found = list(islice(files, most + 1))
    return len(found) <= most and all(
        rules.searchable("read", file) or (not ruled and is_plain_git_config(file))
        for file in found
    )


def _shows_secrets(access: Access) -> bool:
    return access.kind == "read" and access.path is not None and holds_secrets(access.path)


def _start(access: Access, rules: Rules) -> Path:
    return access.place or rules.folder


def _harmless(access: Access) -> bool:
    """Whether it changes nothing, so that plan mode may do it."""
    reads = access.kind == "read" or access.vouched
    return reads or (access.kind == "run" and only_reads(access.target))


def _edits(access: Access, rules: Rules) -> bool:
    """Whether it changes a file of the working folder that decides nothing by itself."""
    path = access.path
    inside = path is not None and path.is_relative_to(rules.folder)
    return access.kind == "write" and inside and path is not None and not protects(rules, path)


def _covers(rule: Rule, tool: str, access: Access, rules: Rules) -> bool:
    """Whether the rule covers the call as a whole."""
    if not rule.names(tool) and rule.tool != _kind_name(access, tool):
        return False
    if not rule.pattern:
        return True
    if access.path is not None:
        return covers_path(rule.pattern, access.path, rules.folder, folds=rules.folds)
    if access.kind == "run":
        return rule.pattern == glob.escape(access.target.strip())
    return fnmatchcase(access.target, rule.pattern)


def _forbids(rule: Rule, tool: str, access: Access, rules: Rules) -> bool:
    """Whether a rule that denies or asks is about the call, also where only a part of it is."""
    if _covers(rule, tool, access, rules):
        return True
    if access.kind == "run" and rule.pattern and _touches(rule, access, rules):
        return True
    if _about_commands(rule, tool, access):
        return may_run(rule.words, access.target) or fnmatchcase(access.target, rule.pattern)
    if access.path is None or rule.pattern[:1] in ("", "/", "~"):
        return False
    # A folder named in the pattern may be a link to one outside.
    return _covers(Rule(rule.tool, absolute(rule.pattern, rules.folder)), tool, access, rules)


def _touches(rule: Rule, access: Access, rules: Rules) -> bool:
    """Whether a command line reads or writes, as far as can be seen, what the rule is about."""
    start = _start(access, rules)
    if rule.tool in ("read", "*"):
        paths = files_read_by(access.target, start)
    elif rule.tool == "write":
        paths = files_written_by(access.target, start)
    else:
        return False
    kind: Literal["read", "write"] = "write" if rule.tool == "write" else "read"
    return any(_forbids(rule, kind, Access(kind, str(p), path=p), rules) for p in paths)


def _may_hide(rule: Rule, tool: str, access: Access) -> bool:
    return _about_commands(rule, tool, access) and may_hide(rule.words, access.target)


def _about_commands(rule: Rule, tool: str, access: Access) -> bool:
    return access.kind == "run" and about_some(rule, tool)


def about_some(rule: Rule, tool: str) -> bool:
    """Whether the rule is about some calls of the tool, and not about all."""
    return rule.names(tool) and rule.pattern != ""


def _literal(rules: Rules, tool: str, access: Access) -> bool:
    """Whether a rule allows exactly this command line."""
    exact = Rule(tool, glob.escape(access.target.strip()))
    return exact in rules.allow
