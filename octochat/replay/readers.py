"""Files and folders as recorded conversations, whatever their format."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from octochat.replay.json_lines import JsonLine, Lines
from octochat.replay.read_claude_code import MARKS, read_claude_code
from octochat.replay.read_log import read_log
from octochat.replay.read_messages import read_messages
from octochat.replay.recording import ParsedRecording, ReadError


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
            raise ReadError(f"{path}: no such file or folder")


def read(path: Path) -> ParsedRecording:
    """The conversation in a file.

    Raises:
        ReadError: the file can't be read, or holds no conversation.
    """
    source = Lines(path)
    lines = list(source)
    if not lines:
        raise ReadError(f"{path}: no readable line in it")
    transcript = _read(path, lines, source.faults)
    if not transcript.moments:
        raise ReadError(f"{path}: no conversation in it")
    return transcript


def _read(path: Path, lines: list[JsonLine], faults: list[str]) -> ParsedRecording:
    if "octochat" in lines[0].raw:
        return read_log(path.stem, lines, faults)
    if any(MARKS & line.raw.keys() for line in lines):
        return read_claude_code(path.stem, lines, faults)
    return read_messages(path.stem, lines, faults)
