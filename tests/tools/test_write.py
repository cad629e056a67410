import os
import stat
from pathlib import Path

import pytest

from octochat.context.session.content import plain_text
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
    access = await box.foreseen("write", file_path="new/a.txt", content="hi\n")
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
        ("ä old ".encode() + b"\xff\n", "ä new\nmore ".encode() + b"\xff\n"),
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


async def test_writing_a_file_as_it_was_is_noted(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    notes = [(await box.output("write", file_path="a", content=x)).note for x in ("1", "1", "2")]
    assert notes == ["new file", "nothing changed", ""]


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
    assert long.diff == "a: 2 lines before, 1 after: too long to compare\n"


CODE = "def one():\n    pass\ndef two():\n    pass\n"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("nothing like it", "x", "old_string is not in a, nor is anything like it: read the"),
        ("def oen():", "x", "\n-def oen():\n+def one():"),
        ("  pass\ndef tow", "x", "Nearest: lines 2 to 3."),
        ("def two():\n\tpass", "x", "a tab):\n def two():\n-⇥pass\n+····pass"),
        ("def two ():", "x", "\n-def·two·():\n+def·two():"),
        ("def a():", "def one():", "but new_string is, at line 1: this edit may be made already"),
        ("    pass", "x", "in a 2 times; give more"),
        ("    pass", "x", "\n1\tdef one():\n2\t    pass\n3\tdef two():\n4\t    pass"),
        ("", "x", "old_string is empty: use write"),
        ("pass", "pass", "the same"),
    ],
)
async def test_an_edit_that_cannot_be_done_says_why_and_changes_nothing(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    assert why in await box.failure("edit", file_path="a", old_string=old, new_string=new)
    assert (box.folder / "a").read_text() == CODE


async def test_what_is_nearest_is_found_in_a_large_file_without_much_ado(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    text = "".join(f"    value_{n} = compute({n}, 'x' * {n % 7})\n" for n in range(40_000))
    (box.folder / "a").write_text(text + "    return alpha + beta\n")
    near = await box.failure(
        "edit", file_path="a", old_string="value_77 = compote(77,", new_string=""
    )
    assert "+····value_77 = compute(77, 'x' * 0)" in near
    many = await box.failure("edit", file_path="a", old_string="compute", new_string="c")
    assert "in a 40,000 times" in many
    assert many.endswith("... and 39,992 more")
    assert len(many) < 1_000
    long = await box.failure("edit", file_path="a", old_string="x" * 1_000_000, new_string="c")
    assert len(long) < 1_000


async def test_numbers_that_were_copied_with_the_lines_are_left_out(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    said = await box.text(
        "edit", file_path="a", old_string="3\tdef two():\n4\t    pass", new_string="3\tdef three():"
    )
    assert said == "edited a in 1 place"
    assert (box.folder / "a").read_text() == "def one():\n    pass\ndef three():\n"


async def test_several_edits_are_made_in_order(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_bytes(CODE.replace("\n", "\r\n").encode())
    edits = [
        {"old_string": "one", "new_string": "two_and_a_half"},
        {"old_string": "    pass", "new_string": "    return\n    pass", "replace_all": True},
        {"old_string": "two_and_a_half", "new_string": "three"},
    ]
    output = await box.output("edit", file_path="a", edits=edits)
    assert plain_text(output.content) == "edited a in 4 places"
    assert output.diff.count("\n+") == 4
    assert (box.folder / "a").read_bytes() == (
        b"def three():\r\n    return\r\n    pass\r\ndef two():\r\n    return\r\n    pass\r\n"
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            {
                "edits": [
                    {"old_string": "one", "new_string": "1"},
                    {"old_string": "six", "new_string": "6"},
                ]
            },
            "edit 2 of 2 can't be made, so none was: old_string is not in a",
        ),
        (
            {
                "edits": [
                    {"old_string": "one", "new_string": "1"},
                    {"old_string": "one", "new_string": "2"},
                ]
            },
            "edit 2 of 2 can't be made, so none was: old_string is not in a",
        ),
        ({"edits": [{"old_string": "one"}]}, "edit 1 of 1: new_string is missing"),
        ({"edits": [{"old_string": "a", "new_string": "b", "at": 1}]}, "unknown argument at"),
        ({"edits": ["one"]}, "edits must be a list of objects"),
        (
            {"edits": [{"old_string": "one", "new_string": "1"}], "old_string": "two"},
            "either edits or one old_string",
        ),
        ({}, "old_string is missing"),
    ],
)
async def test_of_several_edits_all_are_made_or_none(
    tmp_path: Path, arguments: dict[str, object], why: str
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    assert why in await box.failure("edit", file_path="a", **arguments)
    assert (box.folder / "a").read_text() == CODE


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("edit", {"old_string": "two", "new_string": "2"}),
        ("write", {"content": "def two(): ...\n"}),
    ],
)
async def test_a_file_that_changed_since_it_was_read_is_not_written_over_unseen(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_text(CODE)
    await box.text("read", file_path="a", ranges=[[1, 1]])
    path.write_text(CODE.replace("one", "uno"))
    refused = await box.failure(tool, file_path="a", **arguments)
    assert refused == (
        "a has changed on disk since you last read it, so nothing was done. What changed:\n"
        "@@ -1,2 +1,2 @@\n-def one():\n+def uno():\n     pass\n"
        "If your change still fits, make it again."
    )
    assert path.read_text() == CODE.replace("one", "uno")
    await box.text(tool, file_path="a", **arguments)
    assert "def one" not in path.read_text()


async def test_an_unseen_change_is_told_before_anyone_is_asked(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_text(CODE)
    await box.text("read", file_path="a")
    path.write_text(CODE + "# more\n")
    with pytest.raises(ToolError, match="has changed on disk"):
        await box.foreseen("edit", file_path="a", old_string="two", new_string="2")


async def test_what_a_command_changes_is_told_with_it_and_may_then_be_edited(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    (box.folder / "same").write_text(CODE)
    await box.text("read", file_path="a")
    await box.text("read", file_path="same")
    told = await box.text("bash", command="sed -i s/one/uno/ a; touch same; echo new > unread")
    assert told.endswith("; no output; changed files that you have read: a]")
    await box.text("edit", file_path="a", old_string="two", new_string="2")
    assert (box.folder / "a").read_text() == CODE.replace("one", "uno").replace("two", "2")


@pytest.mark.parametrize("command", ["sed -i s/one/uno/ a; false", "sed -i s/one/uno/ a; exit 3"])
async def test_a_command_that_fails_tells_it_as_well(tmp_path: Path, command: str) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    await box.text("read", file_path="a")
    told = await box.text("bash", command=command)
    assert told.endswith("changed files that you have read: a]")


async def test_of_many_changed_files_only_some_are_named(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    for n in range(7):
        (box.folder / f"f{n}").write_text(CODE)
        await box.text("read", file_path=f"f{n}")
    told = await box.text("bash", command="sed -i s/one/uno/ f*; rm f6")
    assert told.endswith("changed files that you have read: f0, f1, f2, f3, f4, 1 more]")


async def test_what_somebody_else_changed_after_a_command_is_still_unseen(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text(CODE)
    await box.text("read", file_path="a")
    await box.text("bash", command="true")
    (box.folder / "a").write_text(CODE + "# more\n")
    with pytest.raises(ToolError, match="has changed on disk"):
        await box.text("edit", file_path="a", old_string="two", new_string="2")


async def test_what_the_model_wrote_itself_is_no_unseen_change(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_text("one\r\ntwo\r\n", newline="")
    await box.text("read", file_path="a")
    await box.text("edit", file_path="a", old_string="one", new_string="1")
    await box.text("write", file_path="a", content="1\n2\n")
    await box.text("edit", file_path="a", old_string="2", new_string="two")
    path.write_bytes(path.read_bytes())
    await box.text("edit", file_path="a", old_string="two", new_string="2")
    assert path.read_bytes() == b"1\r\n2\r\n"


async def test_of_a_long_file_it_is_said_only_that_it_changed(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    path = box.folder / "a"
    path.write_text("x\n" * 60_000)
    await box.text("read", file_path="a")
    path.write_text("y\n" * 60_000)
    refused = await box.failure("edit", file_path="a", old_string="y", new_string="z")
    assert "nothing was done. Read it again where it matters." in refused


async def test_an_edit_bound_to_fail_says_so_before_anyone_is_asked(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("x")
    access = await box.foreseen("edit", file_path="a", old_string="y", new_string="z")
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
