"""Whether all that a command line does is allowed, command by command; and what files it touches.

Rules come in as patterns of words and as a question about paths: docs/permissions.md#rules.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from octochat.permissions.commandline import SimpleCommand, fits
from octochat.permissions.programs import called, git_parts, inner, own_name
from octochat.permissions.protected import spells_out
from octochat.permissions.readers import files_read, hidden_too, only_reads, prints_only
from octochat.permissions.risks import risks
from octochat.permissions.searchers import goes_deep, says_where
from octochat.permissions.steps import Step, expanded, leads, pieces, steps
from octochat.permissions.takers import files_taken

TRANSPARENT = frozenset({"timeout", "nohup", "nice", "ionice", "stdbuf", "time", "command"})
"""They run a command as it is: allowed where that is."""
_WRITERS = re.compile(
    r"tee|cp|mv|rm|rmdir|ln|install|touch|truncate|dd|sed|chmod|chown|shred|patch|mkdir|rsync|unlink"
)
"""Commands that change the files that they name."""
_REDIRECTED = re.compile(r">[>|&]?\s*['\"]?([^\s;|&<>()'\"]+)")
_KEEPS_FILES = re.compile(
    r"add|commit|reset|stash|tag|push|pull|fetch|branch|merge-base|check-ignore"
)
"""What git does without writing the files that its arguments name."""


@dataclass(frozen=True, slots=True)
class LineCheck:
    """What of a line may run without a question."""

    folder: Path
    """The working folder, canonical: `cd` may go where that leads."""
    patterns: Sequence[tuple[str, ...]]
    """The words of the rules that allow commands."""
    may: Callable[[Literal["read", "write"], Path], bool]
    """Whether a path may be read or written."""
    deep: Callable[[Path, bool], bool]
    """Whether whatever lies below a folder may be read as well, hidden files too or not."""
    guard: Callable[[Path], frozenset[str]]
    """The names for which a path is protected."""

    def allowed(self, line: str, start: Path) -> bool:
        """Whether every command is allowed, in a shell that is in the folder `start`."""
        found = steps(line, start)
        return found is not None and all(self._allowed(step) for step in found)

    def _allowed(self, step: Step) -> bool:
        return all(
            self._redirected(step.command, place) and self._runs(step, place)
            for place in step.places
        )

    def _redirected(self, command: SimpleCommand, place: Path) -> bool:
        return all(self._at("read", word, place) for word in command.reads) and all(
            self._at("write", word, place) for word in command.writes
        )

    def _at(self, kind: Literal["read", "write"], word: str, place: Path) -> bool:
        path = leads(word, place)
        return path is not None and self.may(kind, path)

    def _runs(self, step: Step, place: Path) -> bool:
        if step.moves and all(self._enters(path) for path in step.moves):
            return True
        words = expanded(step.command, place)
        return words is not None and self._covered(step.command.words, words, place)

    def _covered(self, written: tuple[str, ...], words: tuple[str, ...], place: Path) -> bool:
        """Whether a command is allowed: `words` is what file names make of what is `written`."""
        if self._only_reads(words, place) and self._lists(set(words) - set(written), place):
            return True
        guards = frozenset(name for name, _ in guarded(words, place, self.guard))
        risky = (*risks(words), *self._elsewhere(words, place))
        plain = _without_pager(written)
        for pattern in self.patterns:
            named = spells_out(" ".join(pattern), guards)
            if named and _covers(pattern, plain) and _spelled(pattern, risky):
                return True
        if own_name(words) not in TRANSPARENT or words[0] != written[0]:
            return False
        once, now = inner(written), inner(words)
        return once is not None and now is not None and self._covered(once, now, place)

    def _only_reads(self, words: tuple[str, ...], place: Path) -> bool:
        files = files_read(words)
        if files is None or not self._enters(place):
            return False
        below = [path for word in files if (path := leads(word, place))]
        if words[0] == "diff" and any(path.is_dir() for path in below):
            return False  # it follows every link in them
        around = below if says_where(words) else (place, *below)
        if goes_deep(words) and not all(self.deep(path, hidden_too(words)) for path in around):
            return False
        return all(self._at("read", word, place) for word in files)

    def _elsewhere(self, words: tuple[str, ...], place: Path) -> Iterator[str]:
        """What of a command takes in, rewrites or runs a file that it may not read."""
        for kind, risk, word in files_taken(words):
            path = leads(word, place)
            inside = path is not None and path.is_relative_to(self.folder)
            if path is None or not self.may("read", path) or (kind == "run" and not inside):
                yield risk

    def _lists(self, found: Iterable[str], place: Path) -> bool:
        """Whether the folders may be read in which the shell found these names."""
        return all(self._at("read", os.path.dirname(name) or ".", place) for name in found)  # noqa: PTH120  may begin with ~

    def _enters(self, path: Path) -> bool:
        """Whether a folder lies in the working folder and no git folder is hidden in it."""
        hidden = path != self.folder and (path / "HEAD").exists() and not (path / ".git").exists()
        return path.is_relative_to(self.folder) and not hidden


def files_read_by(line: str, start: Path) -> Iterator[Path]:
    """All that a line reads, as far as can be seen, and more: whatever it names."""
    found = steps(line, start)
    if found is None:
        yield from _led(pieces(line), frozenset({start}))
        return
    for step in found:
        for place in step.places:
            words = expanded(step.command, place) or step.command.words
            if not prints_only(words):
                globbed = SimpleCommand(words, "")
                yield from _led(pieces("", globbed), frozenset({place}))
            yield from _led(iter(step.command.reads), frozenset({place}))


def files_written_by(line: str, start: Path) -> Iterator[Path]:
    """All that a line writes, as far as can be seen."""
    found = steps(line, start)
    if found is None:
        yield from _led((hit[1] for hit in _REDIRECTED.finditer(line)), frozenset({start}))
    for step in found or ():
        for place in step.places:
            yield from _led(iter(step.command.writes), frozenset({place}))
            words = expanded(step.command, place) or step.command.words
            for layer in SimpleCommand(words, "").layers:
                if _WRITERS.fullmatch(called(layer)) and not only_reads(layer):
                    yield from _led(pieces("", SimpleCommand(layer, "")), frozenset({place}))


def guards_of(line: str, start: Path, guard: Callable[[Path], frozenset[str]]) -> frozenset[str]:
    """The protected names that a line may write, as far as can be seen."""
    found = steps(line, start)
    if found is None:
        led = _led(pieces(line), frozenset({start}))
        return frozenset[str]().union(*map(guard, led))
    names: set[str] = set()
    for step in found:
        for place in step.places:
            words = expanded(step.command, place) or step.command.words
            names.update(name for name, _ in guarded(words, place, guard))
        for path in _led(iter(step.command.writes), step.places):
            names |= guard(path)
    return frozenset(names)


def guarded(
    words: tuple[str, ...], place: Path, guard: Callable[[Path], frozenset[str]]
) -> Iterator[tuple[str, Path]]:
    """The protected names in a command that may write, and where they lead."""
    if only_reads(words) or (own_name(words) in ("cd", "git") and not _git_writes(words)):
        return
    for path in _led(pieces("", SimpleCommand(words, "")), frozenset({place})):
        yield from ((name, path) for name in guard(path))


def _git_writes(words: tuple[str, ...]) -> bool:
    rest = git_parts(words)[1]
    return called(words) == "git" and bool(rest) and not _KEEPS_FILES.fullmatch(rest[0])


def _led(words: Iterator[str], places: frozenset[Path]) -> Iterator[Path]:
    for word in words:
        for place in places:
            if path := leads(word, place):
                yield path


def _covers(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether they fit; a `*` before other words stands for the name of one program.

    Source: docs/permissions.md#command-patterns.
    """
    if pattern[:1] == ("*",) and len(pattern) > 1:
        return "/" not in words[0] and fits(pattern[1:], words[1:])
    return fits(pattern, words)


def _spelled(pattern: tuple[str, ...], risky: tuple[str, ...]) -> bool:
    """Whether a pattern leaves nothing open, or says of every risk that it is meant."""
    literal = not re.search(r"[*?\[]", re.sub(r"\[.\]", "", " ".join(pattern)))
    return literal or all(any(part.startswith(risk) for part in pattern) for risk in risky)


def _without_pager(words: tuple[str, ...]) -> tuple[str, ...]:
    """A git command without the global options that do nothing but good."""
    if words[0] != "git":
        return words
    options, rest = git_parts(words)
    kept = (word for word in options if word not in ("--no-pager", "-P", "--no-optional-locks"))
    return ("git", *kept, *rest)
