"""What the terminal application begins with."""

from pathlib import Path

from octochat.frontends.tui.session_source import options_for
from octochat.session.options import Options


def test_the_model_of_the_command_line_is_for_the_session_that_it_asks_for() -> None:
    said = Options(Path(), model="claude-opus-5", resume="abc")
    assert options_for(said, "", "claude-haiku-4-5") == said


def test_a_session_gone_on_with_keeps_its_model_and_a_new_one_takes_the_present_one() -> None:
    said = Options(Path(), model="claude-opus-5", go_on=True)
    other = options_for(said, "other", "claude-haiku-4-5")
    assert (other.resume, other.model, other.go_on) == ("other", None, False)
    new = options_for(said, None, "claude-haiku-4-5")
    assert (new.resume, new.model, new.go_on) == (None, "claude-haiku-4-5", False)
