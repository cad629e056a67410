"""Pictures and documents that a prompt names go along with it."""

import base64
from pathlib import Path

import pytest

from octochat.commands.attachments import read_attachments
from octochat.commands.typed import files_named
from octochat.context.session.content import Image, Opaque
from octochat.context.session.events import Prompted
from tests.frontends.tui.stage import on_stage

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_a_picture_is_sent_before_the_words_that_name_it(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        (stage.folder / "shot.png").write_bytes(PNG)
        await stage.says("what is in @shot.png and in @none.png?")
        said = [e.event for e in stage.session.engine.log.entries if isinstance(e.event, Prompted)]
        image, _ = said[0].blocks
        assert image == Image("image/png", base64.b64encode(PNG).decode())
        assert "[image: image/png" in stage.text()
        assert "what is in @shot.png" in stage.text()


async def test_a_pdf_is_sent_as_a_document_and_a_text_is_not(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        (stage.folder / "paper.pdf").write_bytes(b"%PDF-1.4 ...")
        found = await read_attachments(stage.session, ("paper.pdf", "README.md"))
        assert [type(block) for block in found.blocks] == [Opaque]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("compare @gone.py, @README.md and @none.png", "There is no file gone.py, none.png. Your"),
        ("see @src/gone and @src/shop.py:3-5", "There is no file src/gone. Your"),
        ("@./a @../b @/c @~nobody/d", "There is no file ./a, ../b, /c and 1 more. Your"),
        (f"@{'x' * 300}.png", ".png. Your message went as it is."),
        ("the @property of @types/node, @app.route( and @someone; @~nobody", ""),
        ("@src @src/ @src/shop.py#L3 @~/", ""),
    ],
)
async def test_a_file_that_is_not_there_is_told_and_the_words_go(
    said: str, told: str, tmp_path: Path
) -> None:
    async with on_stage(tmp_path) as stage:
        (stage.folder / "src").mkdir(exist_ok=True)
        (stage.folder / "src" / "shop.py").write_text("", encoding="utf-8")
        found = await read_attachments(stage.session, files_named(said))
        assert not found.blocks
        assert told in " ".join(found.troubles)
        assert bool(found.troubles) == bool(told)
        await stage.says(said)
        assert not told or "Your message went as it is." in " ".join(stage.text().split())


async def test_a_picture_that_is_too_big_is_said_and_the_words_go(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        with (stage.folder / "huge.png").open("wb") as file:
            file.truncate(30_000_000)
        await stage.says("look at @huge.png")
        assert "The file was not sent." in " ".join(stage.text().split())
        said = [e.event for e in stage.session.engine.log.entries if isinstance(e.event, Prompted)]
        assert len(said[0].blocks) == 1
