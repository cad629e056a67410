"""What is read of the configuration before the first paint."""

from pathlib import Path

import pytest

from octochat.cli.first_paint import FirstPaint, first_paint
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.themes import LIGHT
from octochat.session.options import Options


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "octochat").mkdir(parents=True)
    (tmp_path / ".octochat").mkdir()
    return tmp_path


def test_the_project_s_configuration_is_asked_before_the_user_s(place: Path) -> None:
    own, project = place / "config" / "octochat" / "config.toml", place / ".octochat/config.toml"
    assert not first_paint(place, None, {}).plain
    own.write_text("[tui]\nplain = true\n")
    assert first_paint(place, None, {}).plain
    project.write_text('[tui]\nkeys = "vim"  # plain\n')
    assert first_paint(place, None, {}).plain, "a file that does not say it leaves it to the other"
    project.write_text("[tui]\nplain = false\n")
    assert not first_paint(place, None, {}).plain


def test_a_named_configuration_counts_alone(place: Path) -> None:
    (place / "config" / "octochat" / "config.toml").write_text("[tui]\nplain = true\n")
    named = place / "named.toml"
    named.write_text("[tui]\nplain = false\n")
    assert not first_paint(place, named, {}).plain
    assert not first_paint(place, None, {"OCTOCHAT_CONFIG": str(named)}).plain
    named.write_text("[tui]\nplain = true\n")
    assert first_paint(place, None, {"OCTOCHAT_CONFIG": str(named)}).plain


@pytest.mark.parametrize("text", ["plain = [", "tui = 3 # plain", '[tui]\nplain = "yes"', "\udc80"])
def test_a_wrong_file_is_left_to_the_one_who_reports_it(place: Path, text: str) -> None:
    named = place / "named.toml"
    named.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert not first_paint(place, named, {}).plain


def test_a_terminal_that_can_not_place_a_cursor_gets_lines(place: Path) -> None:
    assert first_paint(place, None, {"TERM": "dumb"}).plain
    assert not first_paint(place, None, {"TERM": "xterm"}).plain


def test_the_theme_of_the_project_counts_before_the_users_and_plain_is_merged(place: Path) -> None:
    own, project = place / "config" / "octochat" / "config.toml", place / ".octochat/config.toml"
    assert first_paint(place, None, {}) == FirstPaint()
    own.write_text('[tui]\nplain = true\ntheme = "nord"\n')
    assert first_paint(place, None, {}) == FirstPaint(plain=True, theme="nord")
    project.write_text('[tui]\ntheme = "gruvbox"\n')
    assert first_paint(place, None, {}) == FirstPaint(plain=True, theme="gruvbox")
    project.write_text("[tui]\ntheme = 3\n")
    assert not first_paint(place, None, {}).theme


@pytest.mark.parametrize(
    ("theme", "seen"), [("nord", "nord"), ("auto", LIGHT.name), ("nrod", LIGHT.name)]
)
def test_the_app_begins_with_the_theme(tmp_path: Path, theme: str, seen: str) -> None:
    app = Octochat(Options(tmp_path), data=tmp_path, dark=False, theme=theme)
    assert app.theme == seen
