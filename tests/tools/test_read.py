import base64
import json
import os
import struct
import sys
from pathlib import Path

import pytest

from octochat.context.session.content import Image, Opaque
from octochat.tools.base import ToolError
from octochat.tools.limits import FileSettings, Limits
from octochat.tools.registry import NAMES
from tests.tools.pdf import pdf
from tests.tools.toolbox import toolbox

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 3, 2) + b"\x08\x02\x00\x00\x00"
GIF = b"GIF89a" + struct.pack("<HH", 3, 2)
PLAIN = FileSettings(numbers=False)


async def test_each_line_of_a_file_comes_with_its_number(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.txt").write_text("one\n  two\n")
    (box.folder / "b.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert await box.text("read", file_path="a.txt") == "1\tone\n2\t  two\n"
    assert await box.text("read", file_path="b.txt") == "1\tone\n2\ttwo"
    assert "its number" in box.tools["read"].spec.description


async def test_without_numbers_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    box = toolbox(tmp_path, files=PLAIN)
    (box.folder / "a.txt").write_text("one\n  two\nthree\n")
    assert await box.text("read", file_path="a.txt") == "one\n  two\nthree\n"
    some = await box.text("read", file_path="a.txt", ranges=[[1, 1], [3, 3]])
    assert some == "one\n[...]\nthree\n[lines 1 and 3 of 3]"
    assert "number" not in box.tools["read"].spec.description


async def test_an_empty_file_says_so(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.txt").touch()
    assert await box.text("read", file_path="a.txt") == "[a.txt is empty]"


async def test_lines_are_read_by_their_numbers_and_of_how_many_is_said(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("a\nb\nc\nd")

    async def read(*ranges: object) -> str:
        return await box.text("read", file_path="a", ranges=list(ranges))

    assert await read([2, 3]) == "2\tb\n3\tc\n[lines 2 to 3 of 4]"
    assert await read([3, -1]) == "3\tc\n4\td\n[lines 3 to 4 of 4]"
    assert await read([4, 9]) == "4\td\n[line 4 of 4]"
    assert await read([1, -1]) == "1\ta\n2\tb\n3\tc\n4\td"
    assert await read([4, 4], [1, 2], [2, 2]) == (
        "1\ta\n2\tb\n[...]\n4\td\n[lines 1 to 2 and 4 of 4]"
    )
    assert await read([1, 2], [3, 4]) == await read([1, -1]), "ranges that touch are one"


async def test_one_range_may_stand_alone_and_older_sessions_call_it_view_range(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("a\nb\nc\n")
    wanted = "2\tb\n3\tc\n[lines 2 to 3 of 3]"
    assert await box.text("read", file_path="a", ranges=[2, 3]) == wanted
    assert await box.text("read", file_path="a", view_range=[2, -1]) == wanted


@pytest.mark.parametrize(
    ("ranges", "why"),
    [
        ([[5, 9]], "a has 4 lines: there is no line 5"),
        ([[3, 2]], "ranges [3, 2] holds no line"),
        ([[-2, -1]], "counted from 1, and only the end may be -1"),
        ([[1]], "ranges must be [[first_line, last_line], ...]"),
        ("1-3", "ranges must be"),
    ],
)
async def test_ranges_that_hold_no_line_are_refused(
    tmp_path: Path, ranges: object, why: str
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("a\nb\nc\nd\n")
    assert why in await box.failure("read", file_path="a", ranges=ranges)


async def test_a_long_file_keeps_head_and_tail_and_the_rest_can_be_had_as_it_says(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path, Limits(output_chars=300))
    (box.folder / "a").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    text = await box.text("read", file_path="a")
    head, tail = text.split("[...]\n")
    assert head.startswith("1\tline 1\n")
    assert "100\tline 100\n[lines 1 to " in tail
    assert " of 100; too long: for the rest use ranges [[" in tail
    (rest,) = json.loads(tail[tail.index("[[") : tail.index("]]") + 2])
    missing = await box.text("read", file_path="a", ranges=[[rest[0], rest[0] + 1]])
    assert head.splitlines()[-1] == f"{rest[0] - 1}\tline {rest[0] - 1}"
    assert missing.startswith(f"{rest[0]}\tline {rest[0]}\n")
    assert tail.startswith(f"{rest[1] + 1}\tline {rest[1] + 1}\n")


async def test_ranges_that_are_too_long_say_how_to_go_on(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=100))
    (box.folder / "a").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    text = await box.text("read", file_path="a", ranges=[[1, 50], [60, -1]])
    assert text.endswith(
        "\n7\tline 7\n[lines 1 to 7 of 100; too long: for the rest use ranges [[8, 50], [60, -1]]]"
    )


async def test_a_file_of_50_mb_shows_its_ends_and_any_of_its_lines(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    with (box.folder / "big").open("w") as file:
        file.writelines(f"{number:099}\n" for number in range(1, 500_001))
    text = await box.text("read", file_path="big")
    assert len(text) < 31_000
    assert f"500000\t{500_000:099}\n[lines 1 to " in text
    far = await box.text("read", file_path="big", ranges=[[400_001, 400_001]])
    assert far == f"400001\t{400_001:099}\n[line 400001 of 500000]"


async def test_an_endless_line_is_cut_and_how_much_of_it_is_said(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=100))
    (box.folder / "a").write_text("x" * 100_000 + "\r\nnext\n" + "y" * 100 + "\n")
    text = await box.text("read", file_path="a", ranges=[[1, 1]])
    assert text == f"1\t{'x' * 100} [... 99,900 more characters in this line ...]\n[line 1 of 3]"
    exact = await box.text("read", file_path="a", ranges=[[3, 3]])
    assert exact == f"3\t{'y' * 100}\n[line 3 of 3]"


async def test_bytes_that_are_no_utf_8_are_shown_as_such_among_the_rest(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_bytes("zwölf \ud800".encode("utf-8", "replace") + b" \xff ende\n")
    (box.folder / "b").write_bytes("zwölf\n".encode("latin-1"))
    assert await box.text("read", file_path="a") == "1\tzwölf ? \ufffd ende\n"
    assert await box.text("read", file_path="b") == "1\tzwölf\n"


async def test_a_binary_file_is_named_as_one(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.bin").write_bytes(bytes(range(256)))
    assert "a.bin is a binary file" in await box.failure("read", file_path="a.bin")
    edited = await box.failure("edit", file_path="a.bin", old_string="a", new_string="b")
    assert "a.bin is a binary file" in edited


async def test_pictures_and_documents_come_as_what_they_are(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(image_bytes=50))
    (box.folder / "a.png").write_bytes(PNG)
    (box.folder / "named.png").write_bytes(GIF)
    (box.folder / "b.pdf").write_bytes(b"%PDF-1.7")
    (box.folder / "c.png").write_bytes(PNG + b"x" * 50)
    (shown,) = (await box.output("read", file_path="a.png")).content
    assert shown == Image("image/png", base64.b64encode(PNG).decode())
    (other,) = (await box.output("read", file_path="named.png")).content
    assert isinstance(other, Image)
    assert other.media_type == "image/gif", "the API refuses a picture that is not what it says"
    (document,) = (await box.output("read", file_path="b.pdf")).content
    assert isinstance(document, Opaque)
    assert document.raw["type"] == "document"
    assert "takes at most 50" in await box.failure("read", file_path="c.png")
    assert "has no lines" in await box.failure("read", file_path="a.png", ranges=[[1, 2]])


async def test_a_picture_that_the_api_would_refuse_is_refused_here(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "cut.png").write_bytes(PNG[:12])
    (box.folder / "text.png").write_text("no picture\n")
    (box.folder / "huge.gif").write_bytes(b"GIF89a" + struct.pack("<HH", 9_000, 2))
    assert "a broken picture" in await box.failure("read", file_path="cut.png")
    assert await box.text("read", file_path="text.png") == "1\tno picture\n"
    assert "9,000 x 2 pixels" in await box.failure("read", file_path="huge.gif")


async def test_a_model_without_eyes_is_sent_no_picture(tmp_path: Path) -> None:
    box = toolbox(tmp_path, pictures=False)
    (box.folder / "a.png").write_bytes(PNG)
    (box.folder / "a.pdf").write_bytes(pdf("Invoice 4711"))
    assert "this model can't see" in await box.failure("read", file_path="a.png")
    assert "Invoice 4711" in await box.text("read", file_path="a.pdf")


async def test_a_pdf_is_read_by_page(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.pdf").write_bytes(pdf("Invoice 4711", "", "Total 12 EUR"))
    text = await box.text("read", file_path="a.pdf", ranges=[[1, 1], [3, -1]])
    assert text == ("[page 1]\nInvoice 4711\n[page 3]\nTotal 12 EUR\n[pages 1, 3 of 3]")
    assert "(no text" in await box.text("read", file_path="a.pdf", ranges=[[2, 2]])
    failed = await box.failure("read", file_path="a.pdf", ranges=[[4, 9]])
    assert failed == "a.pdf has 3 pages: there is no page 4"


async def test_long_pages_say_how_to_go_on(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(output_chars=100))
    (box.folder / "a.pdf").write_bytes(pdf(*["word " * 10] * 3))
    text = await box.text("read", file_path="a.pdf", ranges=[[1, -1]])
    assert text.endswith("[page 1 of 3; too long: go on with ranges [[2, 3]]]")


async def test_a_pdf_that_is_broken_or_has_too_many_pages_says_so(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (box.folder / "b.pdf").write_bytes(b"%PDF-1.7\n" + b"<</Type /Page>>" * 101)
    failed = await box.failure("read", file_path="a.pdf", ranges=[[1, 2]])
    assert "a.pdf can't be read as a PDF" in failed
    assert "b.pdf has 101 pages; at most 100" in await box.failure("read", file_path="b.pdf")


async def test_without_pypdf_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    box = toolbox(tmp_path)
    (box.folder / "a.pdf").write_bytes(pdf("x"))
    failed = await box.failure("read", file_path="a.pdf", ranges=[[1, 2]])
    assert failed.endswith('needs pypdf; install it with: pip install "octochat[pdf]"')


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
