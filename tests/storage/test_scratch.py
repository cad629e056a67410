"""The scratch folder: private, the same for a session that is resumed, and gone if it is empty."""

from pathlib import Path

import pytest

from octochat.storage.scratch import let_go, make, scratch_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path / "data"))
    return place


def test_it_is_private_lies_among_temporary_files_and_is_found_again(temporary: Path) -> None:
    folder = scratch_folder("s1")
    make(folder)
    assert folder.is_relative_to(temporary)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    (folder / "x").write_text("kept")
    let_go(folder)
    make(scratch_folder("s1"))
    assert (scratch_folder("s1") / "x").read_text() == "kept"
    assert scratch_folder("s2") != folder


def test_one_that_stayed_empty_goes() -> None:
    folder = scratch_folder("s1")
    make(folder)
    let_go(folder)
    assert not folder.exists()
    let_go(folder)


def test_where_there_can_be_none_a_session_goes_on_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    monkeypatch.setenv("TMPDIR", str(place))
    folder = scratch_folder("s1")
    make(folder)
    assert folder == tmp_path / "data" / "scratch" / "s1"
    assert folder.is_dir()
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(place))
    make(scratch_folder("s1"))
    let_go(scratch_folder("s1"))
    assert place.read_text() == "no folder"


@pytest.mark.parametrize("kind", ["link", "open", "file"])
def test_a_place_that_somebody_else_could_have_made_is_not_used(
    temporary: Path, tmp_path: Path, kind: str
) -> None:
    taken = scratch_folder("s1").parent
    taken.rmdir()
    match kind:
        case "link":
            taken.symlink_to(temporary)
        case "open":
            taken.mkdir()
            taken.chmod(0o777)
        case _:
            taken.write_text("")
    assert scratch_folder("s1") == tmp_path / "data" / "scratch" / "s1"
