"""What the work left behind, harvested from the log by code: files, commands, errors, names.

Summaries that models write keep conclusions and lose paths, commands and numbers; this does not.
Knows entries of the log; it knows nothing of budgets (`index.py` does) or of models.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from octochat.context.notes.growing import Growing
from octochat.context.notes.identifiers import Identifier, identifiers
from octochat.context.notes.outcomes import outcome
from octochat.context.notes.touched import command_line, touched, written_in
from octochat.context.session.content import Block, Said, Text, ToolCall, plain_text
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.context.session.ran import commands_in, own_words
from octochat.context.session.tags import RECALL
from octochat.context.session.tool_marks import unmarked

USED = 4.0
"""What a mention by the agent or the person counts for, where one in a tool result counts 1."""
_LONGEST_LINE = 200
_ERROR_WORD = re.compile(
    r"(?:E(?:rror|xception)\b[:( ]|error(?:\[\w+\]|\s+TS\d+)?:|fatal:|panic:|npm ERR!|FAILED\b|"
    r"--- FAIL|\bE  +\w|command not found|No such file or directory)"
)
_FLEETING = re.compile(
    r"[ab]/|/tmp/|/var/folders/|/dev/|/proc/|path/to/|/path/to|toolu_|call_[A-Za-z0-9]{8}|"
    r"https?://(?:www\.)?example\.(?:com|org)"
)
"""Prefixes of a diff, scratch files, placeholders, ids of tool calls."""
_ERROR_LINES = 3
"""How many lines of one result are taken."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that a tool read or changed."""

    path: str
    """As the agent's calls name it."""
    reads: int
    """Calls that read it."""
    changes: int
    """Calls that changed it."""
    last: int
    """The place of the last such call: the position of its entry in what was harvested."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A shell line that was run."""

    line: str
    """On one line, cut after 200 characters."""
    outcome: str
    """What came of its last run: `exit 1`, `refused`, `interrupted`, `timed out`; empty where it
    went well or the result does not tell."""
    runs: int
    last: int
    """Place of the last run."""


@dataclass(frozen=True, slots=True)
class Named:
    """An identifier and how much it was used."""

    identifier: Identifier
    weight: float
    """Entries that name it; those by the agent or the person count `USED` times."""
    last: int
    """Place of the last entry that names it."""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Everything that was harvested, each kind in the order of first appearance."""

    files: tuple[File, ...] = ()
    commands: tuple[CommandRun, ...] = ()
    errors: tuple[Named, ...] = ()
    """Error lines of tool results."""
    names: tuple[Named, ...] = ()
    """Ids, URLs, numbers with units, quotations, and paths that no tool call named."""
    places: int = 0
    """How many entries were looked at: the scale of every `last`."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Paths of the files that were changed."""
        return tuple(file.path for file in self.files if file.changes)


@dataclass(slots=True)
class _Harvest:
    """The tables while they fill. Never leaves this module."""

    files: dict[str, File] = field(default_factory=dict[str, File])
    commands: dict[str, CommandRun] = field(default_factory=dict[str, CommandRun])
    errors: dict[str, Named] = field(default_factory=dict[str, Named])
    names: dict[Identifier, Named] = field(default_factory=dict[Identifier, Named])
    of: dict[str, str] = field(default_factory=dict[str, str])
    """The command whose error it is: it goes when the same one succeeds later."""
    open: dict[str, ToolCall] = field(default_factory=dict[str, ToolCall])


def harvest(entries: Sequence[Entry]) -> Artifacts:
    """What `entries` (the logged originals of a range, in order) leave behind."""
    return _artifacts(_harvest.over(entries), len(entries))


def _read(found: _Harvest, place: int, entry: Entry) -> None:
    match entry.event:
        case Prompted(blocks=blocks):
            _name(found, identifiers(own_words(blocks)), USED, place)
            printed = "\n".join(ran.output for ran in commands_in(blocks))
            _name(found, filter(_lasting, identifiers(printed)), 1.0, place)
        case Replied(blocks=blocks):
            _reply(found, blocks, place)
        case Returned(call_id=call_id, content=content, failed=failed):
            call = found.open.pop(call_id, None)
            if call is None or call.name != RECALL:
                text = _said(content)
                shown = unmarked(call.name, text) if call else text
                _name(found, filter(_lasting, identifiers(shown)), 1.0, place)
                if call:
                    _act(found, call, text, place, failed=failed)
        case _:
            pass


_harvest = Growing(_Harvest, _read)


def _strings(value: object) -> Iterator[str]:
    """Every text and number inside a call's arguments, however deep."""
    if isinstance(value, Mapping):
        for item in cast("Mapping[str, object]", value).values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[object]", value):
            yield from _strings(item)
    else:
        yield str(value)


def _said(blocks: Iterable[Said | Block]) -> str:
    return plain_text(tuple(block for block in blocks if isinstance(block, Text)))


def _reply(
    found: _Harvest,
    blocks: tuple[Block, ...],
    place: int,
) -> None:
    text = plain_text(blocks)
    _name(found, identifiers(text), USED, place)
    for path in written_in(text):
        _file(found, path, place, reads=0, changes=1)
    for call in (block for block in blocks if isinstance(block, ToolCall)):
        found.open[call.id] = call
        if call.name != RECALL:
            _name(found, identifiers("\n".join(_strings(call.arguments))), USED, place)


def _act(found: _Harvest, call: ToolCall, output: str, place: int, *, failed: bool) -> None:
    files = touched(call, output)
    for path in files.read:
        _file(found, path, place, reads=1, changes=0)
    for path in files.changed:
        _file(found, path, place, reads=int(failed), changes=int(not failed))
    line = " ".join(command_line(call.arguments).split())
    came = outcome(output, failed=failed)
    if line:
        _command(found, line, came, place)
        if not came:
            found.errors = {e: named for e, named in found.errors.items() if found.of[e] != line}
    if came:
        for error in islice(filter(_ERROR_WORD.search, output.splitlines()), _ERROR_LINES):
            cut = " ".join(error.split())[:_LONGEST_LINE]
            found.errors[cut] = _again(found.errors.get(cut), Identifier("quoted", cut), 1.0, place)
            found.of[cut] = line


def _lasting(name: Identifier) -> bool:
    """Whether a thing that a tool's result names may be meant again: no quotation, no scratch."""
    return name.kind != "quoted" and not _FLEETING.match(name.text)


def _file(found: _Harvest, path: str, place: int, *, reads: int, changes: int) -> None:
    old = found.files.get(path, File(path, 0, 0, place))
    found.files[path] = File(path, old.reads + reads, old.changes + changes, place)


def _command(found: _Harvest, line: str, came: str, place: int) -> None:
    cut = line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
    old = found.commands.get(cut)
    found.commands[cut] = CommandRun(cut, came, old.runs + 1 if old else 1, place)


def _name(found: _Harvest, names: Iterable[Identifier], weight: float, place: int) -> None:
    for name in names:
        found.names[name] = _again(found.names.get(name), name, weight, place)


def _again(old: Named | None, name: Identifier, weight: float, place: int) -> Named:
    return Named(name, weight + (old.weight if old else 0.0), place)


def _artifacts(found: _Harvest, places: int) -> Artifacts:
    names = tuple(
        named
        for name, named in found.names.items()
        if not (name.kind == "path" and name.text in found.files)
        and name.text not in found.errors
        and not _FLEETING.match(name.text)
    )
    return Artifacts(
        tuple(found.files.values()),
        tuple(found.commands.values()),
        tuple(found.errors.values()),
        names,
        places,
    )
