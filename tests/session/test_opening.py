"""How a session begins, and what importing octochat's command line costs."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octochat.context.plans.forecast import forecast
from octochat.context.session.content import Text
from octochat.context.session.events import (
    ModelChanged,
    Opened,
    Prompted,
    SkillLoaded,
)
from octochat.models.claude.credentials import NO_KEY
from octochat.session.opening import offline_notice
from octochat.text.figures import dollars
from octochat.tools.registry import NAMES
from tests.cold_session import cold_session
from tests.e2e.home import Home, home

SAID = Prompted((Text("hello"),))
KEYED = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


@contextmanager
def keyless(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """For some time there is no key."""
    with monkeypatch.context() as without:
        for name in KEYED:
            without.delenv(name)
        yield


@pytest.fixture
def keyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    at = home(tmp_path / "home", KEYED)
    at.enter(monkeypatch)
    return at


async def test_a_new_session_holds_prompt_tools_and_folder_as_they_are_sent(keyed: Home) -> None:
    session = keyed.open(model="anthropic:claude-sonnet-5-5")
    opened = session.engine.log.entries[0].event
    assert isinstance(opened, Opened)
    assert opened.model == "claude-sonnet-5-5"
    assert opened.folder == str(keyed.project)
    assert tuple(tool.name for tool in opened.tools) == NAMES
    assert str(keyed.project) in opened.system
    assert "debugging" in opened.system
    await session.close()


async def test_a_resumed_session_sends_what_it_sent_before_whatever_has_changed(
    keyed: Home,
) -> None:
    session = keyed.open()
    session.engine.append(ModelChanged("claude-opus-5"))
    before = session.engine.state
    await session.close()
    (keyed.project / "AGENTS.md").write_text("new instructions")
    again = keyed.open(resume=session.engine.log.id)
    assert again.engine.state == before
    assert again.engine.state.model == "claude-opus-5"
    await again.close()


async def test_another_model_on_resume_is_a_change_that_is_logged(keyed: Home) -> None:
    session = keyed.open(model="claude-opus-5")
    session.engine.append(ModelChanged("claude-sonnet-5"))
    await session.close()
    again = keyed.open(resume=session.engine.log.id, model="claude-haiku-4-5")
    assert again.engine.log.entries[-1].event == ModelChanged("claude-haiku-4-5", scale=0.7692)
    await again.close()


async def test_without_a_key_the_offline_model_answers_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path / "home")
    at.enter(monkeypatch)
    session = at.open(model="claude-opus-5")
    assert session.engine.state.model == "offline"
    assert offline_notice(NO_KEY) in session.notices
    await session.close()


async def begun(at: Home) -> str:
    """A session of claude-opus-5 in which something was said; its id."""
    session = at.open(model="claude-opus-5")
    session.engine.append(SAID)
    await session.close()
    return session.engine.log.id


async def test_a_session_that_is_resumed_without_a_key_goes_back_to_its_model_by_itself(
    keyed: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    resumed = await begun(keyed)
    with keyless(monkeypatch):
        await keyed.open(resume=resumed).close()
        session = keyed.open(resume=resumed)
        assert session.engine.state.model == "offline"
        assert offline_notice(NO_KEY) in session.notices
        await session.close()
        changes = [e for e in session.engine.log.entries if isinstance(e.event, ModelChanged)]
        assert len(changes) == 1
    session = keyed.open(resume=resumed)
    assert session.engine.state.model == "claude-opus-5"
    assert not session.notices, "the line of the log tells it"
    await session.close()


async def test_a_session_begun_without_a_key_has_its_model_once_there_is_one(
    keyed: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with keyless(monkeypatch):
        resumed = await begun(keyed)
    session = keyed.open(resume=resumed)
    assert session.engine.state.model == "claude-opus-5"
    await session.close()


async def test_the_offline_model_that_somebody_chose_stays(
    keyed: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    resumed = await begun(keyed)
    with keyless(monkeypatch):
        for model in (None, "offline"):
            await keyed.open(resume=resumed, model=model).close()
    session = keyed.open(resume=resumed)
    assert session.engine.state.model == "offline"
    await session.close()


async def test_a_model_for_notes_without_a_known_price_is_told_of_at_the_start(keyed: Home) -> None:
    keyed.configure('[compression.decision]\nmodel = "claude-hiaku-9"\n')
    session = keyed.open()
    assert [notice for notice in session.notices if "claude-hiaku-9" in notice]
    await session.close()


async def test_skills_named_in_the_environment_are_active_and_unknown_ones_are_said(
    keyed: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OCTOCHAT_SKILLS", "debugging, no-such-skill")
    session = keyed.open()
    loaded = [e.event for e in session.engine.log.entries if isinstance(e.event, SkillLoaded)]
    assert [(event.name, event.permanent) for event in loaded] == [("debugging", True)]
    assert any("no-such-skill" in notice for notice in session.notices)
    await session.close()


async def test_the_instructions_from_the_persons_own_down_to_the_folder_are_in_the_prompt(
    keyed: Home,
) -> None:
    (keyed.settings.parent / "AGENTS.md").write_text("Answer in English.")
    (keyed.root / ".git").mkdir()
    (keyed.root / "CLAUDE.md").write_text("Be brief.")
    (keyed.project / "AGENTS.md").write_text("Be kind.")
    session = keyed.open()
    assert [(each.file, each.text) for each in session.engine.state.instructions] == [
        ("~/config/octochat/AGENTS.md", "Answer in English."),
        ("../CLAUDE.md", "Be brief."),
        ("AGENTS.md", "Be kind."),
    ]
    told = "The model is told what this folder wants of it: ../CLAUDE.md, AGENTS.md. If you trust"
    assert any(notice.startswith(told) for notice in session.notices)
    await session.close()
    keyed.configure(f'[permissions]\ntrusted_folders = ["{keyed.root}"]')
    again = keyed.open()
    assert not any(notice.startswith("The model is told") for notice in again.notices)
    await again.close()


async def test_what_can_not_be_taken_of_the_instructions_is_said(keyed: Home) -> None:
    keyed.configure('[instructions]\nmax_chars = 20\n[permissions]\ndeny = ["read(**/.env)"]')
    (keyed.project / "AGENTS.md").write_text("@.env\n" + "Be kind.\n" * 9)
    (keyed.project / ".env").write_text("KEY=1")
    session = keyed.open()
    refused, cut = [line for line in session.notices if line.startswith("AGENTS.md: ")]
    assert refused.endswith("@.env was not imported: the permission rules keep it from being read")
    assert cut == "AGENTS.md: cut after 20 of 86 characters ([instructions] max_chars)"
    assert "[cut after 20 of 86 characters; read AGENTS.md for the rest]" in (
        session.engine.state.instructions[0].text
    )
    await session.close()


def test_the_command_line_loads_neither_the_sdk_nor_textual() -> None:
    code = (
        "import json, sys; from octochat.cli import arguments, chat, main;"
        "arguments.chat_parser().format_help();"
        "print(json.dumps(sorted(name.partition('.')[0] for name in sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert "octochat" in loaded
    assert not loaded & {
        "anthropic",
        "httpx2",
        "textual",
        "rich",
        "tiktoken",
        "asyncio",
        "pydantic",
    }


def test_help_says_where_things_are_and_how_it_ends(tmp_path: Path) -> None:
    ran = home(tmp_path / "home").run("--help")
    assert ran.returncode == 0
    for words in (b"exit codes:", b"130 interrupted", b"OCTOCHAT_DATA_DIR", b"--output-format"):
        assert words in ran.stdout


async def test_a_session_gone_on_with_after_a_pause_is_told_what_reading_it_anew_costs(
    keyed: Home,
) -> None:
    again = keyed.open(resume=await cold_session(keyed))
    cost = dollars(forecast(again.situation).cold)
    told = f"The cache is cold: reading it anew costs {cost}; compress first for about $0.0"
    assert again.offer
    assert again.offer.question.startswith(told)
    assert (again.offer.answered(" c "), again.offer.answered("cc")) == ("/compact", "cc")
    assert again.notices == ()
    await again.close()


async def test_a_level_below_what_every_request_has_is_told_of_at_the_start(keyed: Home) -> None:
    file = keyed.project / "low.toml"
    file.write_text("[[compression.pressure_levels]]\nthreshold = 500\ntarget_ratio = 2.0")
    session = keyed.open(config=file)
    assert any(notice.startswith("The level of 500 tokens") for notice in session.notices)
    await session.close()
