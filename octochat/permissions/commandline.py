"""What a shell command line runs, as far as that can be told for sure.

Only a small part of the shell's language is understood, on purpose: of everything else it says
that it does not know, and whoever asks must take that as a no. (A parser of all of bash would
have to be right about all of bash; `bashlex` is GPL, tree-sitter's grammar recovers from errors
by guessing.)
"""

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t]+)
  | (?P<harmless>(?:[012]?>&[12]|[012&]?>{1,2}\ ?/dev/null|<\ ?/dev/null)(?=[\s;|&]|\Z))
  | (?P<writes>[12&]?>{1,2}\ ?(?P<file>/[\w./@%+,:-]+)(?=[\s;|&]|\Z))
  | (?P<end>[;|&\n])
  | '(?P<single>[^'\x00-\x08\x0b-\x1f\x7f]*)'
  | "(?P<double>[^"$`\\!\x00-\x08\x0b-\x1f\x7f]*)"
  | (?P<expanding>[*?\[\]])
  | (?P<plain>[\w./:=@%+,~^-])
    """,
    re.VERBOSE,
)
_MOST_CHARS = 10_000
"""Longer lines are not understood: to look through them would take seconds."""

_RESERVED = re.compile(
    r"if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc"
)
_RUNNERS = re.compile(
    r"\.|source|eval|exec|command|builtin|enable|alias|hash|trap|sudo|doas|su|env|nohup|timeout|"
    r"nice|ionice|chrt|time|stdbuf|setsid|script|watch|xargs|parallel|find|fd|ssh|busybox|"
    r"sh|bash|dash|zsh|ksh|fish"
)
"""Commands that run what their arguments say, or change what names mean."""

_QUOTES = re.compile(r"['\"\\]")
_BORDER = re.compile(r"[;&|\n`$(){}<>'\"\\!]")


Token: TypeAlias = tuple[str, str]
"""Its kind and its text, quotes removed."""

_NOTHING: tuple[Token, ...] = (("blank", ""), ("harmless", ""))


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One simple command: a name and its arguments, quotes removed."""

    words: tuple[str, ...]
    expands: bool = False
    """Whether file names may take the place of an argument (`*`, `?`, `[a]`)."""

    @property
    def name(self) -> str:
        """The command's name without the folder it is in."""
        return self.words[0].rpartition("/")[2]

    @property
    def line(self) -> str:
        """The command as one would type it."""
        return " ".join(word if self.expands else shlex.quote(word) for word in self.words)

    @property
    def opaque(self) -> bool:
        """Whether it may run something else than it is named after."""
        return _RUNNERS.fullmatch(self.name) is not None


def simple_commands(line: str, scratch: Path | None = None) -> tuple[SimpleCommand, ...] | None:
    """The commands of a line, in order; None where it can't be told for sure what would run.

    Output may be redirected into files of the `scratch` folder, which is canonical.
    """
    if len(line) > _MOST_CHARS:
        return None
    commands: list[SimpleCommand] = []
    for is_end, group in groupby(
        _tokens(line, scratch), lambda token: token is not None and token[0] == "end"
    ):
        tokens = list(group)
        if is_end or all(token in _NOTHING for token in tokens):
            continue
        command = _command([token for token in tokens if token is not None])
        if None in tokens or command is None:
            return None
        commands.append(command)
    return tuple(commands) or None


def fits(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words match the pattern's, one by one; a `*` alone stands for any number."""
    return _fits_from(pattern, words, {0})


def may_run(pattern: tuple[str, ...], line: str, scratch: Path | None = None) -> bool:
    """Whether the line runs, or seems to run, what the pattern describes. For rules that deny."""
    commands = simple_commands(line, scratch)
    if commands is not None and not any(command.opaque for command in commands):
        return any(_names(pattern, command.words) for command in commands)
    return _appears(pattern, line)


def may_hide(pattern: tuple[str, ...], line: str, scratch: Path | None = None) -> bool:
    """Whether it can't be told for sure that the line does not run what the pattern describes.

    Any command may run its arguments, as `time rm x` does, so what fits counts wherever it is.
    """
    commands = simple_commands(line, scratch)
    if commands is None:
        return True
    return _appears(pattern, line) or any(
        command.opaque or (command.expands and _fits_word(pattern[0], command.name))
        for command in commands
    )


def _appears(pattern: tuple[str, ...], line: str) -> bool:
    """Whether what the pattern describes stands anywhere in the line, quoted or not."""
    line = line[:_MOST_CHARS]  # the rest is not understood: such a line is not allowed anyway
    pieces = (*_BORDER.split(line), *_BORDER.split(_QUOTES.sub("", line)))
    return any(_stands(pattern, tuple(piece.split())) for piece in pieces)


def _stands(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words from some one of them on fit; where a `*` begins, from the first."""
    if pattern[:1] == ("*",):
        return bool(words) and _names(pattern, words)
    heads = {at + 1 for at, word in enumerate(words) if _names(pattern[:1], (word,))}
    return _fits_from(pattern[1:], words, heads)


def _names(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words fit, the command named with its folder or without."""
    name = words[0].rpartition("/")[2]
    return fits(pattern, words) or fits(pattern, (name, *words[1:]))


def _fits_from(pattern: tuple[str, ...], words: tuple[str, ...], at: set[int]) -> bool:
    """Whether the words from one of the places on fit.

    All places are followed at once: the time grows with words times pattern, whatever its `*`.
    """
    for part in pattern:
        if part == "*":
            at = set(range(min(at), len(words) + 1)) if at else at
        else:
            at = {n + 1 for n in at if n < len(words) and _fits_word(part, words[n])}
    return len(words) in at


def _fits_word(pattern: str, word: str) -> bool:
    # `src/*` must not let `src/../../etc` through.
    climbs = ".." in word.split("/") and ".." not in pattern and pattern != "*"
    return fnmatchcase(word, pattern) and not climbs


def _tokens(line: str, scratch: Path | None) -> Iterator[Token | None]:
    """Kinds and texts; None for what is not understood."""
    at = 0
    in_word = False
    while at < len(line):
        token = _TOKEN.match(line, at)
        if token is None or token.lastgroup is None:
            yield None
            return
        kind = token.lastgroup
        if kind == "writes" and _leads_into(scratch, token["file"]):
            kind = "harmless"
        if kind == "writes" or (kind == "harmless" and in_word):
            yield None
            return
        yield kind, "" if kind in ("blank", "harmless") else token[kind]
        in_word = kind not in ("blank", "end", "harmless")
        at = token.end()


def _leads_into(folder: Path | None, file: str) -> bool:
    """Whether a file lies in a folder, every link followed."""
    return folder is not None and folder in Path(os.path.realpath(file)).parents


def _command(tokens: list[Token]) -> SimpleCommand | None:
    words = tuple(
        "".join(text for _, text in group)
        for is_word, group in groupby(tokens, lambda token: token[0] not in ("blank", "harmless"))
        if is_word
    )
    if not words or _RESERVED.fullmatch(words[0]) or not re.fullmatch(r"[^\s=*?\[\]]+", words[0]):
        return None
    return SimpleCommand(words, any(kind == "expanding" for kind, _ in tokens))
