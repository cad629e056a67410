"""Files and folders as recorded conversations, whatever their format."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from octochat.replay.json_lines import JsonLine, Lines
from octochat.replay.read_claude_code import MARKS, read_claude_code
from octochat.replay.read_log import read_log
from octochat.replay.read_messages import read_messages
from octochat.replay.recording import ParsedRecording, RawRecording, ReadError

QUESTIONS = ".qa.json"
SUMMARIES = ".compactions.json"
PARTS = ("all", "tuning", "reporting")
ASIDE = 4
"""Each of so many recordings is put aside."""


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The recordings that `paths` name: files themselves, and every `*.jsonl` under folders.

    Raises:
        ReadError: a path does not exist, or a folder holds no recording.
    """
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.jsonl"))
            if not found:
                raise ReadError(f"{path}: no *.jsonl files in this folder")
            yield from found
        elif path.exists():
            yield path
        else:
            raise ReadError(
                f"{path}: no such file or folder; --session ID takes a session of yours"
            )


def part_of(paths: Sequence[Path], part: str) -> list[Path]:
    """One of `PARTS`: by the sorted names every fourth recording is put aside for reporting.

    What is chosen on the others is not chosen for those.
    """
    ordered = sorted(paths, key=lambda path: (path.name, path))
    aside = frozenset(ordered[ASIDE - 1 :: ASIDE])
    return [path for path in paths if part == "all" or (path in aside) == (part == "reporting")]


def load(path: Path) -> RawRecording:
    """The file and what stands beside it, unread.

    Raises:
        ReadError: it can't be opened.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror or error}") from error
    questions, summaries = (_beside(path, ending) for ending in (QUESTIONS, SUMMARIES))
    return RawRecording(str(path), data, questions, summaries)


def read(path: Path) -> ParsedRecording:
    """The conversation in a file.

    Raises:
        ReadError: the file can't be read, or holds no conversation.
    """
    return parsed(load(path))


def parsed(raw: RawRecording) -> ParsedRecording:
    """The conversation in a file that was loaded.

    Raises:
        ReadError: there is none in it.
    """
    source = Lines(raw.data)
    lines = list(source)
    if not lines:
        raise ReadError(f"{raw.path}: no readable line in it")
    transcript = _read(raw.name, lines, source.faults)
    if not transcript.moments:
        raise ReadError(f"{raw.path}: no conversation in it")
    return transcript


def _read(name: str, lines: list[JsonLine], faults: list[str]) -> ParsedRecording:
    if "octochat" in lines[0].raw:
        return read_log(name, lines, faults)
    if any(MARKS & line.raw.keys() for line in lines):
        return read_claude_code(name, lines, faults)
    return read_messages(name, lines, faults)


def _beside(path: Path, ending: str) -> bytes | None:
    try:
        return path.with_suffix(ending).read_bytes()
    except OSError:
        return None
