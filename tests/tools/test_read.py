import os
from pathlib import Path

import pytest

from octochat.context.session.content import Image, Opaque
from octochat.tools.base import ToolError
from octochat.tools.limits import Limits
from octochat.tools.registry import NAMES
from tests.tools.toolbox import toolbox


async def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.txt").write_text("one\n  two\n")
    assert await box.text("read", file_path="a.txt") == "one\n  two\n"


async def test_an_empty_file_says_so(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.txt").touch()
    assert await box.text("read", file_path="a.txt") == "[a.txt is empty]"


async def test_lines_are_read_by_their_numbers(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("1\n2\n3\n4")
    assert await box.text("read", file_path="a", view_range=[2, 3]) == "2\n3\n"
    assert await box.text("read", file_path="a", view_range=[3, -1]) == "3\n4"
    assert "has 4 lines" in await box.failure("read", file_path="a", view_range=[5, 9])
    assert "end is before" in await box.failure("read", file_path="a", view_range=[3, 2])
    assert "two whole numbers" in await box.failure("read", file_path="a", view_range=[1])


async def test_a_long_file_keeps_head_and_tail_and_tells_which_lines_are_missing(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path, Limits(output_chars=300))
    (box.folder / "a").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    text = await box.text("read", file_path="a")
    head, tail = text.split("\n[... ")
    last = int(head.rsplit(maxsplit=1)[1])
    first = int(tail.split("...]\n")[1].split()[1])
    assert f"(lines {last + 1} to {first - 1}); the full text is in a: read it with view" in tail
    middle = await box.text("read", file_path="a", view_range=[last + 1, last + 2])
    assert middle == f"line {last + 1}\nline {last + 2}\n"


async def test_a_file_of_50_mb_is_refused_with_a_way_out_that_works(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    with (box.folder / "big").open("w") as file:
        file.writelines(f"{number:099}\n" for number in range(500_000))
    assert "view_range" in await box.failure("read", file_path="big")
    far = await box.text("read", file_path="big", view_range=[400_001, 400_001])
    assert far == f"{400_000:099}\n"
    long = await box.text("read", file_path="big", view_range=[1, -1])
    assert len(long) < 31_000
    assert "read on with view_range [301, -1]" in long


async def test_one_endless_line_is_cut(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=100))
    (box.folder / "a").write_text("x" * 1_000 + "\nnext\n")
    text = await box.text("read", file_path="a", view_range=[1, 1])
    assert text == "x" * 100 + " [... the line goes on ...]\n"


async def test_a_binary_file_is_named_as_one(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.bin").write_bytes(bytes(range(256)))
    assert "a.bin is a binary file" in await box.failure("read", file_path="a.bin")
    edited = await box.failure("edit", file_path="a.bin", old_string="a", new_string="b")
    assert "a.bin is a binary file" in edited


async def test_pictures_and_documents_come_as_what_they_are(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(image_bytes=10))
    (box.folder / "a.png").write_bytes(b"\x89PNG")
    (box.folder / "b.pdf").write_bytes(b"%PDF")
    (box.folder / "c.jpg").write_bytes(b"x" * 11)
    picture = await box.output("read", file_path="a.png")
    assert picture.content == (Image("image/png", "iVBORw=="),)
    (document,) = (await box.output("read", file_path="b.pdf")).content
    assert isinstance(document, Opaque)
    assert document.raw["type"] == "document"
    assert "at most 10" in await box.failure("read", file_path="c.jpg")


async def test_a_missing_file_names_what_is_near(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "README.md").touch()
    assert await box.failure("read", file_path="readme.txt") == (
        "readme.txt: no such file; near it: README.md"
    )


async def test_folders_and_pipes_are_not_read(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    os.mkfifo(box.folder / "pipe")
    assert "is a folder" in await box.failure("read", file_path=".")
    assert "not a regular file" in await box.failure("read", file_path="pipe")


def test_links_are_followed_before_it_is_decided_what_is_inside(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "out").symlink_to(tmp_path / "nowhere")
    (box.folder / "dir").symlink_to(tmp_path)
    (box.folder / "loop").symlink_to("loop")
    dangling = box.access("write", file_path="out", content="x")
    assert (dangling.inside, dangling.path) == (False, tmp_path / "nowhere")
    assert not box.access("read", file_path="dir/x").inside
    assert not box.access("read", file_path="../x").inside
    assert not box.access("read", file_path="/etc/passwd").inside
    assert box.access("read", file_path=str(box.folder / "x")).target == "x"
    with pytest.raises(ToolError, match="circle"):
        box.access("read", file_path="loop")


def test_arguments_of_the_wrong_form_are_refused_in_words(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    with pytest.raises(ToolError, match="file_path is missing: it must be a string"):
        box.access("read")
    with pytest.raises(ToolError, match="file_path must be a string, not int"):
        box.access("read", file_path=3)
    for path in ("", "a\0b", "\ud800"):
        with pytest.raises(ToolError):
            box.access("read", file_path=path)
    with pytest.raises(ToolError, match="unknown argument offset"):
        box.access("read", file_path="a", offset=3)


def test_every_tool_describes_itself_as_the_api_wants_it(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    assert tuple(box.tools) == NAMES
    for tool in box.tools.values():
        assert len(tool.spec.description) > 80, "what it does, and when to use it"
        assert tool.spec.schema["additionalProperties"] is False
