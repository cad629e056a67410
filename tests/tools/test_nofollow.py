"""A path is judged first and opened later: what became a link in between leads nowhere."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from octochat.tools.base import ToolError
from octochat.tools.nofollow import listed, opened, replaced, status
from octochat.tools.textfile import lines, load, save
from tests.tools.toolbox import Toolbox, toolbox

SECRET = "not for the model"


def outside(tmp_path: Path) -> Path:
    """A folder that nothing may reach."""
    folder = tmp_path / "outside"
    (folder / "inner").mkdir(parents=True)
    (folder / "a").write_text(SECRET)
    (folder / "inner/a").write_text(SECRET)
    return folder


def whole(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


ACTS: dict[str, Callable[[Path], object]] = {
    "open": opened,
    "look": status,
    "write": lambda path: replaced(path, b"x", None),
    "load": lambda path: load(path, "a", 1_000),
    "lines": lambda path: list(lines(path, "a", 1_000)),
    "save": lambda path: save(path, b"x", "a"),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("link", ["a", "inner", "."])
def test_no_link_is_followed_wherever_on_the_path_it_stands(
    tmp_path: Path, act: str, link: str
) -> None:
    away = outside(tmp_path)
    before = whole(away)
    work = tmp_path / "work"
    path = work / "inner/a"
    place = {"a": path, "inner": path.parent, ".": work}[link]
    leads = {"a": away / "a", "inner": away, ".": away}[link]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(leads)
    with pytest.raises((ToolError, OSError), match=r"symbolic link"):
        ACTS[act](path)
    assert whole(away) == before


def test_no_folder_is_made_and_nothing_listed_behind_a_link(tmp_path: Path) -> None:
    away = outside(tmp_path)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/link").symlink_to(away)
    with pytest.raises(OSError, match="symbolic link"):
        replaced(tmp_path / "work/link/new/a", b"x", None)
    with pytest.raises(OSError, match="symbolic link"):
        listed(tmp_path / "work/link/inner")
    assert not (away / "new").exists()


async def test_a_folder_that_is_swapped_while_a_file_is_written_takes_it_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, box = outside(tmp_path), toolbox(tmp_path)
    (box.folder / "src").mkdir()

    def swap(_: int) -> None:
        (box.folder / "src").rename(box.folder / "moved")
        (box.folder / "src").symlink_to(away)

    monkeypatch.setattr(os, "fsync", swap)
    await box.text("write", file_path="src/new", content="mine")
    assert (box.folder / "moved/new").read_text() == "mine"
    assert "new" not in whole(away)


async def swapped(box: Toolbox, away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a call is permitted and its path was looked at for the last time, it is a link."""
    (box.folder / "src").mkdir()
    (box.folder / "src/a").write_text("mine")
    look = os.path.realpath

    def last_look(path: str) -> str:
        found = look(path)
        if path == box.folder / "src/a" and (box.folder / "src").is_dir():
            (box.folder / "src").rename(box.folder / "moved")
            (box.folder / "src").symlink_to(away)
        return found

    monkeypatch.setattr(os.path, "realpath", last_look)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"file_path": "src/a", "content": "x"}),
        ("edit", {"file_path": "src/a", "old_string": "model", "new_string": "person"}),
        ("read", {"file_path": "src/a"}),
        ("grep", {"path": "src/a", "pattern": "."}),
    ],
)
async def test_a_swap_between_the_look_and_the_deed_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, object]
) -> None:
    away, box = outside(tmp_path), toolbox(tmp_path)
    before = whole(away)
    access = box.access(tool, **arguments)
    await swapped(box, away, monkeypatch)
    said = ""
    try:
        said = str(await box.tools[tool].run(arguments, access, print))
    except ToolError as error:
        said = str(error)
    assert (box.folder / "src").is_symlink()
    assert SECRET not in said
    assert "symbolic link" in said or "1 not readable" in said
    assert whole(away) == before


async def test_links_that_were_there_before_are_followed_as_ever(tmp_path: Path) -> None:
    away, box = outside(tmp_path), toolbox(tmp_path)
    (box.folder / "real").mkdir()
    (box.folder / "link").symlink_to("real")
    (box.folder / "real/file").write_text("old")
    (box.folder / "alias").symlink_to("link/file")
    (box.folder / "far").symlink_to(away)
    await box.text("write", file_path="link/new/file", content="new")
    await box.text("write", file_path="alias", content="by its alias")
    assert (box.folder / "real/new/file").read_text() == "new"
    assert (box.folder / "real/file").read_text() == "by its alias"
    assert (box.folder / "alias").is_symlink()
    assert not box.access("write", file_path="far/a", content="x").inside
    await box.text("write", file_path="far/a", content="allowed")
    assert (away / "a").read_text() == "allowed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_that_may_be_passed_but_not_listed_is_no_obstacle(tmp_path: Path) -> None:
    inner = tmp_path / "closed/inner"
    inner.mkdir(parents=True)
    (inner / "a").write_text("text")
    inner.parent.chmod(0o111)
    try:
        with opened(inner / "a") as file:
            assert file.read() == b"text"
    finally:
        inner.parent.chmod(0o755)
