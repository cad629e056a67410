"""Which files a command takes in, rewrites or runs besides its own: they should lie in the folder.

A `*` in an allow rule does not cover those that may not be read. Nothing is decided here.
Source: docs/permissions.md#what-a-rule-has-to-spell-out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from octochat.permissions.programs import called, git_parts, operands
from octochat.permissions.risks import programs

Taken: TypeAlias = tuple[Literal["read", "run"], str, str]
"""Whether the file is read or run; what a rule has to spell out, and the file."""

_ANY_GIT = "--pathspec-from-file"
_GIT: Mapping[str, str] = {
    "blame": "-S --contents --ignore-revs-file",
    "commit": "-F -t --file --template",
    "diff": "-O",
    "grep": "-f",
    "ls-files": "-X --exclude-from",
    "merge": "-F --file",
    "notes": "-F --file",
    "tag": "-F --file",
}
"""Options of git's subcommands whose value is a file that is taken in."""
_REWRITERS = re.compile(r"ruff|black|isort|autopep8|yapf|prettier|eslint|gofmt|goimports|rustfmt")


def files_taken(words: tuple[str, ...]) -> Iterator[Taken]:
    """The files of a command and of those that it runs."""
    for each in programs(words):
        name = called(each)
        if name == "git":
            yield from _of_git(git_parts(each)[1])
        elif name in ("pytest", "py.test"):
            for word in operands(each):
                yield "run", word, word.partition("::")[0]
        elif _REWRITERS.fullmatch(name):
            for word in operands(each):
                yield "read", word, word


def _of_git(words: tuple[str, ...]) -> Iterator[Taken]:
    if not words:
        return
    if words[0] == "diff":  # outside of a repository, or of two files, it is like `diff`
        for word in operands(words):
            yield "read", word, word
    for option in f"{_ANY_GIT} {_GIT.get(words[0], '')}".split():
        for at, word in enumerate(words):
            for value in _values(option, word, words[at + 1 :]):
                yield "read", option, value


def _values(option: str, word: str, behind: tuple[str, ...]) -> Iterator[str]:
    """What may be an option's value, if the word is this option, alone or among others."""
    given, _, value = word.partition("=")
    if option.startswith("--"):
        if len(given) > len("--") and given.startswith("--") and option.startswith(given):
            yield from (value, *behind[:1])
    elif found := re.match(rf"-[^-]*?{option[1]}(.*)", word, re.DOTALL):
        yield from (found[1], *behind[:1])
