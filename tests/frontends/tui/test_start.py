"""What the terminal application begins with."""

import json
import subprocess
import sys
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


LATE = (
    "octochat.context.session",
    "octochat.context.strategies",
    "octochat.commands.execute",
    "octochat.engine",
    "octochat.frontends.tui.approval",
    "octochat.frontends.tui.chat",
    "octochat.frontends.tui.main_pane",
    "octochat.frontends.tui.transcript",
    "octochat.models",
    "octochat.permissions",
    "octochat.replay",
    "octochat.session.build",
    "octochat.tools",
    "anthropic",
    "httpx2",
    "markdown_it",
    "pygments",
    "regex",
    "tiktoken",
    "tomli",
)
"""What the first paint can do without."""


def test_the_first_paint_loads_nothing_of_what_comes_after_it() -> None:
    code = "import json, sys, octochat.frontends.tui.start; print(json.dumps(list(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = json.loads(ran.stdout)
    assert "octochat.frontends.tui.app" in loaded
    assert [name for name in loaded if f"{name}.".startswith(tuple(f"{x}." for x in LATE))] == []


def test_after_the_boundary_all_is_there_but_the_sdk() -> None:
    code = (
        "import asyncio, json, sys; from octochat.frontends.tui import after_first_paint as after;"
        "asyncio.run(after.what_shows()); shows = set(sys.modules);"
        "asyncio.run(after.what_works()); works = set(sys.modules);"
        "print(json.dumps([list(shows), list(works)]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    shows, works = map(set, json.loads(ran.stdout))
    assert "octochat.frontends.tui.transcript.transcript" in shows
    later = {"octochat.session.build", "octochat.tools.registry", "octochat.permissions.ask"}
    assert not later & shows, "an earlier session is shown before that"
    assert {
        "octochat.session.build",
        "octochat.commands.execute",
        "octochat.replay.whatif",
    } <= works
    assert not works & {"anthropic", "httpx2", "pydantic"}
