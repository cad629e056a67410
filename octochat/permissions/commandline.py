"""What a shell command line runs, as far as that can be told for sure.

Of what is not understood it says that it does not know, and whoever asks must take that as a no.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise, product
from math import prod
from pathlib import Path

from octochat.permissions.programs import called, inner, opaque, readings, unknown_subcommand
from octochat.permissions.shell_words import (
    MOST_CHARS,
    Operator,
    Redirection,
    Token,
    UnclearError,
    Word,
    tokens,
)

_RESERVED = re.compile(
    r"if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|coproc"
)
_HARMLESS_SETTING = re.compile(
    r"(?:CI|DEBUG|VERBOSE|LOG_LEVEL|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CARGO_TERM_COLOR|"
    r"COLUMNS|LINES|LANG|LANGUAGE|LC_\w+|TZ|NODE_ENV|RUST_BACKTRACE|RUST_LOG|GOOS|GOARCH|"
    r"CGO_ENABLED|SOURCE_DATE_EPOCH|GIT_OPTIONAL_LOCKS|HYPOTHESIS_PROFILE|"
    r"PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8|FAULTHANDLER))=[\w.,:@+-]*"
)
"""Variables that change how a program speaks, and not what it runs; values that are no paths."""

_HOME = re.compile(r"\A~(?=/|\Z)|\$(?:HOME\b|\{HOME\})")
_MOST_GROWN = 200
"""Ways to read the patterns in a command that are tried."""
_QUOTES = re.compile(r"['\"\\]")
_BORDER = re.compile(r"[;&|\n`$(){}<>'\"\\!]")


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One simple command: a name and its arguments, quotes removed."""

    words: tuple[str, ...]
    line: str
    """The command as it stands in the line."""
    globs: Mapping[int, str] = field(default_factory=dict[int, str])
    """Places of the words that file names may take the place of, and patterns of these."""
    reads: tuple[str, ...] = ()
    """Files that its input comes from."""
    writes: tuple[str, ...] = ()
    """Files that its output goes to."""

    @property
    def name(self) -> str:
        """The command's name without the folder it is in."""
        return self.words[0].rpartition("/")[2]

    @property
    def opaque(self) -> bool:
        """Whether it may run something else than it is named after."""
        heads = {len(self.words) - len(words) for words in self.layers}
        return bool(heads & self.globs.keys()) or any(opaque(words) for words in self.layers)

    @property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """Its words, and those of the command that it runs (`timeout 5 make`), and so on."""
        found = [self.words]
        while within := inner(found[-1]):
            found.append(within)
        return tuple(found)


def simple_commands(line: str) -> tuple[SimpleCommand, ...] | None:
    """The commands of a line, in order; None where it can't be told for sure what would run."""
    try:
        return tuple(_command(line, group) for group in _groups(line)) or None
    except UnclearError:
        return None


def fits(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words match the pattern's, one by one; a `*` alone stands for any number."""
    return _fits_from(pattern, words, {0})


def may_run(pattern: tuple[str, ...], line: str) -> bool:
    """Whether the line runs, or seems to run, what the pattern describes. For rules that deny."""
    commands = simple_commands(line)
    if commands is not None and not any(command.opaque for command in commands):
        return any(_names(pattern, words) for each in commands for words in each.layers)
    return _appears(pattern, line)


def may_hide(pattern: tuple[str, ...], line: str) -> bool:
    """Whether it can't be told for sure that the line does not run what the pattern describes.

    Any command may run its arguments, as `wrapper rm x` does, so what fits counts wherever it is.
    """
    commands = simple_commands(line)
    if commands is None:
        return True
    return _appears(pattern, line) or any(
        command.opaque
        or any(_may_mean(pattern, words) for words in command.layers)
        or _may_grow_into(pattern, command)
        or any(
            called(outer) == "xargs" and _called(pattern[0], within[0])
            for outer, within in pairwise(command.layers)
        )
        for command in commands
    )


def appearing(line: str) -> Iterator[str]:
    """All that stands between the signs of a line, quoted or not, as words."""
    line = line[:MOST_CHARS]  # the rest is not understood: such a line is not allowed anyway
    for piece in (*_BORDER.split(line), *_BORDER.split(_QUOTES.sub("", line))):
        yield from piece.split()


def _groups(line: str) -> Iterator[list[tuple[Token, int, int]]]:
    group: list[tuple[Token, int, int]] = []
    for each in (*tokens(line), (Operator(";"), len(line), len(line))):
        if not isinstance(each[0], Operator):
            group.append(each)
        elif group:
            yield group
            group = []


def _command(line: str, group: Sequence[tuple[Token, int, int]]) -> SimpleCommand:
    words = _after_prefixes([token for token, _, _ in group if isinstance(token, Word)])
    if not words or _RESERVED.fullmatch(words[0].text) or not _can_be_named(words[0].text):
        raise UnclearError
    redirections = [token for token, _, _ in group if isinstance(token, Redirection)]
    globs = {place: word.glob for place, word in enumerate(words) if word.glob}
    return SimpleCommand(
        tuple(word.text for word in words),
        line[group[0][1] : group[-1][2]],
        globs,
        tuple(each.reads for each in redirections if each.reads),
        tuple(each.writes for each in redirections if each.writes),
    )


def _after_prefixes(words: list[Word]) -> list[Word]:
    """The words without `time` and harmless settings (`CI=1 make`)."""
    while words and words[0].bare:
        first = words[0].text
        if first == "time" and len(words) > 1:
            words = words[2:] if words[1].text == "-p" else words[1:]
        elif re.match(r"[A-Za-z_]\w*\+?=", first):
            if len(words) == 1 or not _HARMLESS_SETTING.fullmatch(first):
                raise UnclearError
            words = words[1:]
        else:
            break
    return words


def _can_be_named(word: str) -> bool:
    return word == "[" or re.fullmatch(r"[^\s=*?\[\]{}$!]+", word) is not None


def _appears(pattern: tuple[str, ...], line: str) -> bool:
    """Whether what the pattern describes stands anywhere in the line, quoted or not."""
    line = line[:MOST_CHARS]  # the rest is not understood: such a line is not allowed anyway
    pieces = (*_BORDER.split(line), *_BORDER.split(_QUOTES.sub("", line)))
    return any(_stands(pattern, tuple(piece.split())) for piece in pieces)


def _stands(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words from some one of them on fit."""
    heads = {at + 1 for at, word in enumerate(words) if _called(pattern[0], word)}
    if _fits_from(pattern[1:], words, heads):
        return True
    # Options may stand before and between the words that the pattern names.
    first = min(heads, default=1)
    return _names(pattern, words[first - 1 :])


def _called(part: str, word: str) -> bool:
    return _fits_word(part, word) or _fits_word(part, word.rpartition("/")[2])


def _names(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words fit, the command named with its folder or without, options anywhere."""
    if not words:
        return False
    options = tuple(part for part in pattern[1:] if part.startswith("-"))
    bare = tuple(part for part in pattern if not part.startswith("-"))
    at_home = tuple(_HOME.sub(str(Path.home()), word) for word in words)
    for reading in (*readings(words), *readings(at_home)):
        if fits(pattern, reading):
            return True
        plain = (reading[0], *(word for word in reading[1:] if not word.startswith("-")))
        if options and fits(bare, plain) and all(_given(each, reading) for each in options):
            return True
    return False


def _may_grow_into(pattern: tuple[str, ...], command: SimpleCommand) -> bool:
    """Whether files could be called so that the pattern fits: `npm publis[h]` is `npm publish`."""
    parts = range(1, len(pattern))
    runs = [pattern[start : end + 1] for start in parts for end in parts if start <= end]
    choices: list[list[tuple[str, ...]]] = [[(word,)] for word in command.words]
    for place, names in command.globs.items():
        choices[place] += (run for run in runs if all(fnmatchcase(part, names) for part in run))
    if prod(map(len, choices)) > _MOST_GROWN:
        return True
    grown = (tuple(word for run in chosen for word in run) for chosen in product(*choices))
    return bool(command.globs) and any(
        _names(pattern, words) for each in grown for words in SimpleCommand(each, "").layers
    )


def _given(option: str, words: tuple[str, ...]) -> bool:
    """Whether an option is there, alone or among others, shortened or with a value."""
    given = [word.partition("=")[0] for word in words[1:] if word.startswith("-")]
    if option.startswith("--"):
        return any(
            fnmatchcase(word, option) or (len(word) > len("--") and option.startswith(word))
            for word in given
        )
    letters = {letter for word in given if not word.startswith("--") for letter in word}
    return set(option) <= letters or any(fnmatchcase(word, option) for word in words)


def _may_mean(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether the words may be another way to write what the pattern describes."""
    if not _called(pattern[0], words[0]):
        return False
    if unknown_subcommand(words):
        return True
    named = tuple(part for part in pattern[1:] if part != "*" and not part.startswith("-"))
    options = [at for at, word in enumerate(words) if word.startswith(("-", "+")) and at]
    if words[0].endswith("git") or not named or not options:
        return False
    return _fits_from((*(p for part in named for p in ("*", part)), "*"), words, {options[0]})


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
