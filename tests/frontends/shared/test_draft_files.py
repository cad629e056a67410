"""Which drafts were left behind by others."""

import os
import subprocess
import sys
from pathlib import Path

from octochat.frontends.shared.draft_files import DraftFiles
from octochat.frontends.shared.drafts import Draft, DraftFile, Unsent


def left(files: DraftFiles) -> list[str]:
    """The words that were left."""
    return [file.load().draft.text for file in files.left()]


def written(file: DraftFile, words: str) -> Path:
    """The path of a draft that is on the disk now."""
    file.save(Unsent(Draft(words)))
    return file.path


def test_a_draft_is_left_once_its_process_is_gone(tmp_path: Path) -> None:
    files = DraftFiles(tmp_path, tmp_path / "here")
    mine = written(files.new, "mine")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        theirs = mine.with_stem(mine.stem.replace(str(os.getpid()), str(other.pid)))
        written(DraftFile(theirs), "theirs")
        assert left(files) == []
        other.kill()
    assert left(files) == ["theirs"]


def test_a_draft_of_an_earlier_process_with_our_number_is_left(tmp_path: Path) -> None:
    before, now = (DraftFiles(tmp_path, tmp_path / "here") for _ in range(2))
    written(before.new, "before")
    written(now.new, "now")
    assert left(now) == ["before"]


def test_one_from_before_files_had_a_process_is_left(tmp_path: Path) -> None:
    files = DraftFiles(tmp_path, tmp_path / "here")
    path = files.new.path
    written(DraftFile(path.with_stem("-".join(path.stem.split("-")[:2]))), "old")
    assert left(files) == ["old"]


def test_drafts_of_sessions_and_of_other_folders_are_not_left(tmp_path: Path) -> None:
    files = DraftFiles(tmp_path, tmp_path / "here")
    written(files.of("s1"), "of a session")
    written(DraftFiles(tmp_path, tmp_path / "there").new, "elsewhere")
    assert left(files) == []
