"""The words of a shell command line, as far as they can be told for sure; else that they can't.

Only a small part of the shell's language is understood, on purpose. (A parser of all of bash would
have to be right about all of bash; `bashlex` is GPL, tree-sitter's grammar recovers from errors
by guessing.) It knows no programs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

MOST_CHARS = 10_000
"""Longer lines are not understood: to look through them would take seconds."""
_MOST_WORDS = 50
"""Words that one word with braces may stand for."""

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f"
_BLANK = re.compile(r"(?:[ \t]|\\\n)+|#[^\n]*")
_OPERATOR = re.compile(r"\|\||&&|\|&|[;|&\n]")
_REDIRECTION = re.compile(r"(?:\d*(?:<<-|<<<|<<|>>|>\||>&|<&|<>|<|>)|&>>?)")
_DELIMITER = re.compile(
    r"[ \t]*(?:(?P<quote>['\"])(?P<quoted>\w+)(?P=quote)|(?P<plain>\w+))(?=[\s;|&<>]|\Z)"
)
_VARIABLE = r"\$(?:[?$\#]|HOME(?!\w)|\{HOME\})"
"""Variables whose values are harmless wherever they stand; they stay as they are written."""
_PIECE = re.compile(
    rf"""
    (?P<plain>[\w./:=@%+,~^-]+)
  | (?P<inside>[\#!])
  | (?P<glob>[*?\[\]])
  | (?P<brace>[{{}}])
  | (?P<variable>{_VARIABLE}|\$(?=[\s.,/:=%+^]|\Z))
  | '(?P<single>[^'{_CONTROL}]*)'
  | "(?P<double>(?:
        [^"$`\\{_CONTROL}] | \\[^{_CONTROL}] | {_VARIABLE} | \$PWD(?!\w) | \$\{{PWD\}}
      | \$(?=[\s.,/:=%+^"')\]}}|&;<>~\\]) | (?<!")\$\d
    )*)"
  | (?P<joined>\\\n)
  | \\(?P<escaped>[^{_CONTROL}\n])
    """,
    re.VERBOSE,
)
_SIGNS = {
    "single": re.compile(r"[*?\[\]$~]"),
    "escaped": re.compile(r"[*?\[\]$~]"),
    "double": re.compile(r"[*?\[\]~]"),
}
"""What in a quoted piece stands for itself and would not in a pattern."""
_BRACKET = re.compile(r"\[[!^]?\]?(?:\[[:.=][^\]/]*\]|[^\[\]/])*\]")
_ESCAPED = re.compile(r"\\([$`\"\\\n])|\$\d")
"""In double quotes; `$1` and the like are empty in octochat's shell."""


class UnclearError(ValueError):
    """What the line would do can't be told for sure."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, quotes removed."""

    text: str
    glob: str = ""
    """A pattern of `*` and `?` that fits every file name that may take its place, and maybe more;
    empty where none may."""
    bare: bool = True
    """Whether nothing of it was quoted."""


@dataclass(frozen=True, slots=True)
class Operator:
    """What ends a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Redirection:
    """Where a command reads from or writes to; empty where that is no file."""

    reads: str = ""
    writes: str = ""


Token: TypeAlias = Word | Operator | Redirection


def tokens(line: str) -> Iterator[tuple[Token, int, int]]:
    """The words, operators and redirections of a line, with the places where they begin and end.

    Raises:
        UnclearError: there is something in it that is not understood.
    """
    if len(line) > MOST_CHARS:
        raise UnclearError
    return _Reader(line).tokens()


class _Reader:
    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0
        self._heredocs: list[tuple[str, bool, bool]] = []
        """Those whose text is still to come: the end mark, quoted or not, tabs or not."""

    def tokens(self) -> Iterator[tuple[Token, int, int]]:
        while self._at < len(self._line):
            start = self._at
            if blank := self._take(_BLANK):
                if self._heredocs and "\n" in blank:
                    raise UnclearError
                continue
            if redirection := self._take(_REDIRECTION):
                yield self._redirected(redirection), start, self._at
            elif operator := self._take(_OPERATOR):
                yield Operator(operator), start, self._at
                if operator == "\n":
                    self._skip_heredocs()
            else:
                words = self._words()
                yield from ((word, start, self._at) for word in words)
        if self._heredocs:
            raise UnclearError

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._line, self._at)
        self._at = found.end() if found else self._at
        return found[0] if found else ""

    def _words(self) -> tuple[Word, ...]:
        """The word that begins here, or those that its braces make of it."""
        start, text, pattern = self._at, "", ""
        kinds: set[str] = set()
        while piece := _PIECE.match(self._line, self._at):
            kind = piece.lastgroup
            if kind is None or (kind == "inside" and not kinds):
                break
            self._at = piece.end()
            kinds.add(kind)
            if kind != "joined":
                said = _ESCAPED.sub(_unescaped, piece[kind]) if kind == "double" else piece[kind]
                text += said
                pattern += _SIGNS[kind].sub("?", said) if kind in _SIGNS else said
        ended = self._line[self._at : self._at + 1] in ("", *" \t\n;|&<>")
        in_the_way = self._heredocs and "\n" in self._line[start : self._at]
        if not kinds or not ended or in_the_way:
            raise UnclearError
        quoted = bool(kinds & {"single", "double", "escaped"})
        if "brace" not in kinds:
            return (Word(text, _glob(pattern) if "glob" in kinds else "", bare=not quoted),)
        if kinds - {"plain", "brace", "glob"}:
            raise UnclearError
        spread = _spread(self._line[start : self._at])
        return tuple(Word(word, _glob(word)) for word in spread)

    def _redirected(self, operator: str) -> Redirection:
        operator = operator.lstrip("0123456789")
        if operator in ("<<", "<<-"):
            self._remember_heredoc(tabs=operator == "<<-")
            return Redirection()
        self._take(_BLANK)
        first, *others = self._words()
        word = first.text
        if others or first.glob or operator == "<>" or "$?" in word:
            raise UnclearError
        if operator in (">&", "<&") and re.fullmatch(r"\d+|-", word):
            return Redirection()
        if operator == "<&":
            raise UnclearError
        if operator == "<<<" or word in ("/dev/null", "/dev/stdout", "/dev/stderr"):
            return Redirection()
        return Redirection(reads=word) if operator == "<" else Redirection(writes=word)

    def _remember_heredoc(self, *, tabs: bool) -> None:
        found = _DELIMITER.match(self._line, self._at)
        if not found:
            raise UnclearError
        self._at = found.end()
        self._heredocs.append((found["quoted"] or found["plain"], bool(found["quote"]), tabs))

    def _skip_heredocs(self) -> None:
        """Go on behind the texts of heredocs, which are data."""
        for mark, quoted, tabs in self._heredocs:
            while True:
                if self._at >= len(self._line):
                    raise UnclearError
                end = self._line.find("\n", self._at) % (len(self._line) + 1)
                row = self._line[self._at : end]
                self._at = end + 1
                if (row.lstrip("\t") if tabs else row) == mark:
                    break
                if not quoted and re.search(r"[$`\\]", row):
                    raise UnclearError
        self._heredocs.clear()


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] in (None, "\n") else found[1]


def _glob(pattern: str) -> str:
    """The pattern with a `?` for all that is in brackets: what that fits depends on the locale."""
    plain = _BRACKET.sub("?", pattern)
    if not re.search(r"[*?]", plain):
        return ""
    if re.search(r"[\[\]]", plain):
        raise UnclearError
    return plain


def _spread(word: str) -> Iterator[str]:
    """What a word without quotes stands for: `a{b,c}` for `ab` and `ac`."""
    pieces = re.split(r"(\{[^{}]*\})", word)
    if any(re.search(r"[{}]", piece) for piece in pieces[::2]) or ".." in "".join(pieces[1::2]):
        raise UnclearError
    choices = [
        piece[1:-1].split(",") if place % 2 and "," in piece else [piece]
        for place, piece in enumerate(pieces)
    ]
    size = 1
    for choice in choices:
        size *= len(choice)
    words = ["".join(one) for one in product(*choices)] if size <= _MOST_WORDS else [""]
    if "" in words:
        raise UnclearError
    return iter(words)
