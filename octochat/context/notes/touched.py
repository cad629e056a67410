"""Which files a tool call reads and which it changes, whoever's tool it is.

Knows the shapes that agents' tools have (path-like arguments, patches, shell lines), not the disk.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import cast

from octochat.context.notes.identifiers import is_path
from octochat.context.session.content import ToolCall

_PATH_KEYS = """
file_path filepath path target_file file filename notebook_path relative_path paths files
file_paths old_path new_path source destination src dst from to targetfile
"""
_NEW_TEXT_KEYS = """
content contents new_string new_str old_string old_str newstring oldstring file_text edits
insert_text code_edit new_source new_content text replacement operations
"""
_COMMAND_KEYS = ("command", "cmd", "script")
_PATCH_KEYS = ("input", "patch", "patchText", "patch_text", "diff")
_SEARCHES = re.compile(r"glob|grep|search|find|list|^ls$|tree", re.IGNORECASE)
_CHANGES = re.compile(
    r"write|edit|create|insert|replace|patch|delete|remove|move|rename|append", re.IGNORECASE
)
_LOOKS = frozenset({"view", "read", "open", "show"})

_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ b/)(\S[^\n]*?)\s*$",
    re.MULTILINE,
)
_REPLACED = re.compile(r"^([^\s`*#]+\.\w+)[ \t]*\n(?:```\w*[ \t]*\n)?<{5,9} SEARCH", re.MULTILINE)
_OPEN_FILE = re.compile(r"\((?:Open file|Current file): (\S+?)\)|^\[File: (\S+) \(", re.MULTILINE)

_LONGEST_PATH = 400
"""Characters; what is longer is no path."""
_LONGEST_COMMAND = 8_000
"""Characters of a shell line that are looked at: the pattern below takes the square of them."""
_HEREDOC = re.compile(
    r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?^[ \t]*\2[ \t]*$", re.DOTALL | re.MULTILINE
)
_COMMANDS = re.compile(r"&&|\|\||[;|\n]")
_WORDS = re.compile(r"\"[^\"]*\"|'[^']*'|\d?>>?|[^\s\"'<>]+")
_READERS = """
cat sed head tail less more nl wc grep rg awk diff bat jq open view od xxd file stat source
node python python3 bash sh pytest
"""
_CHANGERS = frozenset({"rm", "touch", "mv", "tee", "truncate", "chmod", "patch", "create"})
_VALUE_COMMANDS = frozenset({"grep", "rg", "awk", "jq", "sed"})
_PREFIXES = frozenset({"sudo", "time", "nohup", "env", "exec", "command", "xargs"})


@dataclass(frozen=True, slots=True)
class Touched:
    """What one call does to files, as the call names them."""

    read: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def touched(call: ToolCall, output: str = "") -> Touched:
    """The files of one tool call.

    Arguments:
        call: a call of any agent's tool.
        output: what it answered (an editor that works on "the open file" names it there).
    """
    patched = tuple(_patched(call.arguments))
    if patched:
        return Touched(changed=patched)
    command, paths = command_line(call.arguments), tuple(_paths(call.arguments))
    if command and not paths:
        return _of_shell(command, output)
    if _is_change(call):
        return Touched(changed=paths)
    if _SEARCHES.search(call.name):
        return Touched(read=tuple(filter(is_file, paths)))
    return Touched(read=paths)


def written_in(text: str) -> tuple[str, ...]:
    """Files that a reply changes by text alone: SEARCH/REPLACE blocks and patches."""
    if "<<<<< SEARCH" not in text and "*** Begin Patch" not in text:
        return ()
    return (*_REPLACED.findall(text), *_PATCHED.findall(text))


def command_line(arguments: Mapping[str, object]) -> str:
    """The shell line that a call runs, or an empty text."""
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return " ".join(str(part) for part in cast("list[object]", value))
    return ""


def is_file(path: str) -> bool:
    """Whether a path has the look of a file rather than a folder's."""
    return "." in re.split(r"[/\\]", path)[-1].lstrip(".")


def _patched(arguments: Mapping[str, object]) -> Iterator[str]:
    for value in (*(arguments.get(key) for key in _PATCH_KEYS), command_line(arguments)):
        if isinstance(value, str) and ("*** " in value or "+++ b/" in value):
            yield from _PATCHED.findall(value)


def _paths(arguments: Mapping[str, object]) -> Iterator[str]:
    for key, value in arguments.items():
        if key.lower() not in _PATH_KEYS.split():
            continue
        values: Sequence[object] = (
            cast("list[object]", value) if isinstance(value, list) else (value,)
        )
        for item in values:
            if isinstance(item, str) and 0 < len(item) < _LONGEST_PATH and "\n" not in item:
                yield item


def _is_change(call: ToolCall) -> bool:
    command = call.arguments.get("command")
    if isinstance(command, str) and command in _LOOKS:
        return False
    writes = not {key.lower() for key in call.arguments}.isdisjoint(_NEW_TEXT_KEYS.split())
    return writes or bool(_CHANGES.search(call.name) and not _SEARCHES.search(call.name))


def _of_shell(command: str, output: str) -> Touched:
    opened = _OPEN_FILE.findall(output) if command.startswith("edit ") else ()
    named = _named_in(command[:_LONGEST_COMMAND])
    changed = dict.fromkeys((*(a or b for a, b in opened), *named.changed))
    return Touched(tuple(name for name in named.read if name not in changed), tuple(changed))


@lru_cache(maxsize=8_192)
def _named_in(command: str) -> Touched:
    """What a shell line reads and changes; remembered, for every fold looks at it again."""
    read: dict[str, None] = {}
    changed: dict[str, None] = {}
    for part in _COMMANDS.split(_HEREDOC.sub(r"\3", command)):
        words = [word.strip("\"'") for word in _WORDS.findall(part)]
        for name, writes in _of_words(words):
            (changed if writes else read)[name] = None
    return Touched(tuple(read), tuple(changed))


def _of_words(words: list[str]) -> Iterator[tuple[str, bool]]:
    while words and (words[0] in _PREFIXES or "=" in words[0]):
        words = words[1:]
    if not words:
        return
    program = words[0].rpartition("/")[2]
    rest = words[1:]
    for arrow, target in pairwise(words):
        if arrow in {">", ">>", "1>", "2>", "&>"} and _named(target):
            yield target, True
    if program == "git" and rest:
        program, rest = rest[0], rest[1:]
        if program in {"add", "checkout", "restore", "commit", "push", "log", "branch"}:
            return
    yield from _of_program(program, [word for word in rest if word not in {">", ">>", "2>"}])


def _of_program(program: str, rest: list[str]) -> Iterator[tuple[str, bool]]:
    names = [word for word in rest if _named(word)]
    if program in {"cp", "ln"}:  # the last word is written, though it may be a folder or `$DIR`
        yield from ((name, name == rest[-1]) for name in names)
    elif program == "str_replace_editor" or program in _CHANGERS or _in_place(program, rest):
        looks = bool(rest) and rest[0] in _LOOKS
        yield from ((name, not looks) for name in names)
    elif program in _READERS.split():
        pattern = next((w for w in rest if not w.startswith("-")), "")
        skipped = pattern if program in _VALUE_COMMANDS else ""
        yield from ((name, False) for name in names if name != skipped)


def _in_place(program: str, rest: list[str]) -> bool:
    return program in {"sed", "perl"} and any(
        word.startswith(("-i", "--in-place")) for word in rest
    )


def _named(word: str) -> bool:
    plain = not word.startswith(("-", "/dev/", "$")) and not set(word) & set("*?{}()$|\\,;`=")
    return plain and len(word) < _LONGEST_PATH and is_path(word) and is_file(word)
