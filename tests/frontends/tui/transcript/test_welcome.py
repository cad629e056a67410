"""What is proposed in a new session can be done in the folder it is in."""

from pathlib import Path
from typing import get_args

import pytest

from octochat.context.session.events import Entry, ModelChanged, Opened
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.transcript.cards.welcome import ASKS, WelcomeCard, readme_in, tries
from octochat.permissions.modes import Mode
from tests.frontends.tui.stage import on_stage


def test_the_readme_goes_by_its_own_name(tmp_path: Path) -> None:
    assert readme_in(tmp_path) == readme_in(tmp_path / "gone") == ""
    (tmp_path / "README.rst").write_text("words")
    assert readme_in(tmp_path) == "README.rst"


@pytest.mark.parametrize("offline", [True, False])
def test_no_file_is_named_that_is_not_there(offline: bool) -> None:
    proposed = " ".join(words for words, _ in tries("README.rst", offline=offline))
    assert "README.rst" in proposed
    without = tries("", offline=offline)
    assert len(without) == 3
    assert not any("README" in words or "@" in words for words, _ in without)


def test_who_answers_is_named_even_where_that_is_not_the_configured_model() -> None:
    opened = Entry(1, 0.0, 0, Opened("claude-sonnet-5-5", "", (), "/work"))
    instead = Entry(2, 0.0, 0, ModelChanged("offline", only_now=True))
    shown = "\n".join(b.text.plain for b in WelcomeCard((opened, instead)).blocks(Page(80, 0.0)))
    assert "octochat   offline in /work" in shown
    assert "claude" not in shown
    assert "run mkdir a" in shown


@pytest.mark.parametrize("mode", ["plan", "ask", "accept-edits"])
async def test_it_says_what_becomes_of_a_command_in_the_mode_of_the_start(
    mode: Mode, tmp_path: Path
) -> None:
    configuration = tmp_path / "config" / "octochat" / "config.toml"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(f'[permissions]\nmode = "{mode}"\n')
    async with on_stage(tmp_path, (110, 30)) as stage:
        assert ASKS[mode] in stage.screen()


def test_every_mode_has_its_own_words() -> None:
    assert set(ASKS) == set(get_args(Mode))
    assert len(set(ASKS.values())) == len(ASKS)
