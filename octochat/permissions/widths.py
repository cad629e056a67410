"""What "always" may mean for a call: exactly it, those like it, more. Nobody is asked here."""

import glob
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

from octochat.permissions.commandline import SimpleCommand, simple_commands
from octochat.permissions.danger import dangers
from octochat.permissions.line_check import TRANSPARENT
from octochat.permissions.modes import Mode
from octochat.permissions.plan_mode import only_reads
from octochat.permissions.programs import called, own_name
from octochat.permissions.risks import risks
from octochat.permissions.rule import WITH_SUBCOMMANDS, Rule, parse
from octochat.permissions.rules import Allowed, Rules, decide
from octochat.tools.base import Access

Width: TypeAlias = tuple[Rule, ...]
"""Rules that together cover the call: of a compound command, one for each part not yet allowed."""

_INTERPRETER = re.compile(r"(?:python|pypy|node|deno|ruby|perl|php|lua)[\d.]*")
_LAUNCHER = re.compile(
    r"npm|pnpm|yarn|bun|uv|poetry|pipenv|hatch|cargo|go|bundle|npx|uvx|make|just"
)
_UNDOES = re.compile(
    r"rm|rmdir|unlink|mv|cp|ln|install|tee|truncate|dd|shred|chmod|chown|chgrp|rsync|scp|patch|"
    r"tar|cpio|zip|unzip|gzip|gunzip|bzip2|xz|kill|pkill|killall"
)
"""Commands that delete, overwrite or end what their arguments name."""
_UNDOES_AS = re.compile(
    r"rm|rmi|mv|del|delete|destroy|drop|remove|uninstall|purge|prune|clean|kill|stop|down|reset|"
    r"restore|checkout|rollback|revert"
)
"""As subcommands: `git clean`, `docker rm`."""
_SUB = re.compile(r"[a-z][a-z-]*")
_TASK = re.compile(r"[a-z][\w:.-]*")
_RUNS = frozenset({"run", "exec", "tool", "x", "dlx"})
"""What stands before the name of a task or program."""


def widths(access: Access, tool: str, rules: Rules) -> tuple[Width, ...]:
    """What would cover this call, the narrowest first, each once."""
    if access.path is not None:
        name = access.kind if access.kind in ("read", "write") else tool
        found = [(rule,) for rule in _of_path(access.path, name, rules.folder)]
    elif access.kind == "call":
        found = [(Rule(tool),), (Rule(f"{tool.rpartition('__')[0]}__*"),)]
    elif access.kind != "run":
        found = [(Rule(tool),)]
    else:
        found = [
            (Rule(tool, glob.escape(access.target.strip())),),
            *_of_command(access, tool, rules),
        ]
    return tuple(dict.fromkeys(width for width in found if _covers(width, access, tool, rules)))


def said(width: Width) -> str:
    """The rules in a line."""
    return " and ".join(map(str, width))


def understood(line: str) -> Width:
    """The rules that such a line says.

    Raises:
        ValueError: one of them is none.
    """
    return tuple(map(parse, re.split(r"(?<=\)) and (?=[\w*])", line)))


def _covers(width: Width, access: Access, tool: str, rules: Rules) -> bool:
    """Whether rules would allow the call, whatever others want."""
    then = replace(rules, allow=(*rules.allow, *width), ask=(), deny=())
    return isinstance(decide(access, tool, then), Allowed)


def _of_path(path: Path, kind: str, folder: Path) -> tuple[Rule, ...]:
    inside = path.is_relative_to(folder)
    shown = path.relative_to(folder) if inside else path
    parent = glob.escape(shown.parent.as_posix())
    around = "**" if parent == "." else f"{parent.rstrip('/')}/**"
    exact = Rule(kind, glob.escape(shown.as_posix()))
    if not inside and kind == "write":
        return exact, Rule(kind, around)
    return exact, Rule(kind, around), Rule(kind, "**") if inside else Rule(kind)


def _of_command(access: Access, tool: str, rules: Rules) -> list[Width]:
    """For each part that no rule allows yet those like it; then, more of them."""
    parts = simple_commands(access.target)
    if parts is None:
        return []
    asked = [part for part in parts if not runs(part, tool, rules)] or list(parts)
    patterns = [_fitting(part, tool, rules) for part in asked]
    return [
        tuple(dict.fromkeys(Rule(tool, each[min(wide, len(each) - 1)]) for each in patterns))
        for wide in (0, 1)
    ]


def _fitting(part: SimpleCommand, tool: str, rules: Rules) -> tuple[str, ...]:
    """Those of its patterns that would allow a part by itself; else the part as it stands."""
    free = replace(rules, ask=(), deny=())
    fit = (
        pattern
        for pattern in _patterns(part)
        if runs(part, tool, replace(free, allow=(*rules.allow, Rule(tool, pattern))))
    )
    return tuple(fit) or (_exact(part.words),)


def _exact(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(glob.escape(word)) for word in words)


def _patterns(part: SimpleCommand) -> tuple[str, ...]:
    """Patterns for the commands like this one, the narrower first.

    What runs other programs, or deletes, is covered as it is or not at all.
    """
    words = part.layers[-1] if own_name(part.words) in TRANSPARENT else part.words
    exact = _exact(words)
    name, *rest = words
    if part.opaque or _undoes(words) or dangers(Access("run", " ".join(part.words))):
        return (exact,)
    plain = shlex.quote(name)
    if _INTERPRETER.fullmatch(called(words)):
        kept = rest[:2] if rest[:1] == ["-m"] else rest[:1]
        program = bool(kept) and not kept[-1].startswith("-")
        return (f"{shlex.join([name, *kept])} *",) if program else (exact,)
    if _LAUNCHER.fullmatch(called(words)):
        kept = _task(rest)
        return (f"{shlex.join([name, *kept])} *",) if kept else (exact,)
    if risks(words):
        return (exact,)
    if rest and _SUB.fullmatch(rest[0]) and not only_reads(name):
        return f"{plain} {rest[0]} *", f"{plain} *"
    return (f"{plain} *",)


def _task(words: Sequence[str]) -> Sequence[str]:
    """A launcher's words as far as the task or program that it is to run; none if none is named."""
    place = len(tuple(takewhile(_RUNS.__contains__, words)))
    named = place < len(words) and not words[place].startswith("-")
    if not named or (place == 0 and not _TASK.fullmatch(words[0])):
        return ()
    return words[: place + 1]


def _undoes(words: tuple[str, ...]) -> bool:
    named = (word for word in words[1:] if not word.startswith("-"))
    several = WITH_SUBCOMMANDS.fullmatch(called(words)) is not None
    undoes = several and any(_UNDOES_AS.fullmatch(word) for word in named)
    return undoes or _UNDOES.fullmatch(called(words)) is not None


def runs(part: SimpleCommand, tool: str, rules: Rules, mode: Mode = "ask") -> bool:
    """Whether a part of a command line would run alone without a question."""
    return isinstance(decide(Access("run", part.line), tool, rules, mode), Allowed)
