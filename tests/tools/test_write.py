import os
import stat
from pathlib import Path

import pytest

from octochat.tools.base import ToolError
from tests.tools.toolbox import toolbox


async def test_a_path_that_becomes_a_link_after_permission_is_not_followed(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    access = box.access("write", file_path="a", content="x")
    (box.folder / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ToolError, match="symbolic link"):
        await box.tools["write"].run({"file_path": "a", "content": "x"}, access, print)
    assert not (tmp_path / "elsewhere").exists()


async def test_writing_makes_folders_and_shows_the_difference_before(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    access = box.access("write", file_path="new/a.txt", content="hi\n")
    assert access.preview == "--- /dev/null\n+++ new/a.txt\n@@ -0,0 +1 @@\n+hi\n"
    assert not (box.folder / "new").exists()
    text = await box.text("write", file_path="new/a.txt", content="hi\n")
    assert text == "wrote new/a.txt (1 line)"
    assert (box.folder / "new/a.txt").read_text() == "hi\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\r\nold\r\n", b"a\r\nnew\r\nmore\r\n"),
        (b"a\nb\r\nold\n", b"a\nb\r\nnew\nmore\n"),
        (b"\xef\xbb\xbfold\n", b"\xef\xbb\xbfnew\nmore\n"),
        ("\ufeffä old\n".encode("utf-16-le"), "\ufeffä new\nmore\n".encode("utf-16-le")),
        ("ä old\n".encode("latin-1"), "ä new\nmore\n".encode("latin-1")),
    ],
)
async def test_an_edit_keeps_line_ends_encoding_and_mode(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_bytes(before)
    path.chmod(0o751)
    await box.text("edit", file_path="a", old_string="old", new_string="new\nmore")
    assert path.read_bytes() == after
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert [found.name for found in box.folder.iterdir()] == ["a"]


async def test_an_edit_finds_text_over_windows_line_ends(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_bytes(b"x\r\none\r\ntwo\r\none\r\ntwo\r\nend")
    await box.text(
        "edit", file_path="a", old_string="one\ntwo", new_string="1\n2\n3", replace_all=True
    )
    assert (box.folder / "a").read_bytes() == b"x\r\n1\r\n2\r\n3\r\n1\r\n2\r\n3\r\nend"


async def test_writing_over_a_file_keeps_its_form(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    await box.text("write", file_path="a", content="c\nd\n")
    assert (box.folder / "a").read_bytes() == b"\xef\xbb\xbfc\r\nd\r\n"


async def test_the_log_is_given_what_changed_in_a_file_that_was_there(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    made = await box.output("write", file_path="a", content="one\ntwo\n")
    assert made.diff == ""
    written = await box.output("write", file_path="a", content="one\n2\n")
    assert written.diff.endswith("@@ -1,2 +1,2 @@\n one\n-two\n+2\n")
    edited = await box.output("edit", file_path="a", old_string="2", new_string="two")
    assert edited.diff.endswith("@@ -1,2 +1,2 @@\n one\n-2\n+two\n")
    long = await box.output("write", file_path="a", content="x" * 100_000)
    assert long.diff == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nothing like it", "x", "old_string is not in a: read the file again"),
        ("def oen():", "x", "line 1 is near it: 'def one():'"),
        ("  pass\ndef three", "x", "its first line is line"),
        ("    pass", "x", "2 times in a (lines 2, 4): give more"),
        ("", "x", "old_string is empty: use write"),
        ("pass", "pass", "the same"),
    ],
)
async def test_an_edit_that_cannot_be_done_says_why_and_changes_nothing(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    box = toolbox(tmp_path)
    text = "def one():\n    pass\ndef two():\n    pass\n"
    (box.folder / "a").write_text(text)
    assert why in await box.failure("edit", file_path="a", old_string=old, new_string=new)
    assert (box.folder / "a").read_text() == text


def test_an_edit_bound_to_fail_says_so_before_anyone_is_asked(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("x")
    access = box.access("edit", file_path="a", old_string="y", new_string="z")
    assert (access.preview, "not in a" in access.fault) == ("", True)


async def test_characters_that_the_encoding_lacks_are_refused(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_bytes("ä".encode("latin-1"))
    said = await box.failure("edit", file_path="a", old_string="ä", new_string="€")
    assert "latin-1, which has no '€'" in said


async def test_a_read_only_file_and_a_full_disk_are_told_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_text("old")
    path.chmod(0o444)
    assert "read-only" in await box.failure("write", file_path="a", content="new")
    path.chmod(0o644)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "the disk is full" in await box.failure("write", file_path="a", content="new")
    assert path.read_text() == "old"
    assert [found.name for found in box.folder.iterdir()] == ["a"]
