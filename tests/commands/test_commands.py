"""Slash commands on a real session with the offline model: what each does and says."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from platformdirs import user_config_path

from octochat.commands.base import Refused, Report, Shown
from octochat.commands.execute import COMMANDS, commands_of, execute, understood
from octochat.commands.reports import knowledge_text
from octochat.context.session.content import Text, plain_text
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Entry,
    Knowledge,
    KnowledgeChanged,
    ModelChanged,
    Pinned,
    Prompted,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    Titled,
    Unpinned,
)
from octochat.context.session.view import Note
from octochat.models.port import Notice
from octochat.permissions.ask import AllowOnce, Approval, Granted, Verdict
from octochat.permissions.rule import parse
from octochat.session.session import Session
from tests.build import Story
from tests.e2e.home import home

WORDY = "\n".join([f"{'many-words-' * 40}"] * 20)
"""Much text in few words: the offline model streams word by word."""


class Willing:
    async def ask(self, approval: Approval) -> Verdict:
        return AllowOnce()


@pytest.fixture
async def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Session]:
    at = home(tmp_path / "home")
    at.enter(monkeypatch)
    opened = at.open(Willing(), model="offline")
    try:
        yield opened
    finally:
        await opened.close()


async def heard(session: Session, text: str) -> list[Shown]:
    async with aclosing(execute(session, understood(text))) as stream:
        return [item async for item in stream]


async def report(session: Session, text: str) -> str:
    """The one report that a command gives."""
    items = await heard(session, text)
    assert len(items) == 1
    assert isinstance(items[0], Report), items
    return items[0].text


async def event(session: Session, text: str) -> object:
    """The event of the one entry that a command makes."""
    items = await heard(session, text)
    entries = [item for item in items if isinstance(item, Entry)]
    assert len(entries) == 1, items
    assert session.engine.log.entries[-1] == entries[0]
    return entries[0].event


async def test_help_has_every_command(session: Session) -> None:
    text = await report(session, "/help")
    there = commands_of(session)
    assert set(COMMANDS) < set(there)
    for command in there:
        assert f"/{command.name}" in text
        assert command.help in text
    assert len(text.splitlines()) == len(there)


async def test_what_is_no_command_is_told_and_not_sent(session: Session) -> None:
    assert "There is no command /helpp" in await report(session, "/helpp me")
    assert session.engine.state.view.units == ()


@pytest.mark.parametrize("text", [" /help", "/etc/passwd is what?", "a /help", "/"])
async def test_what_only_looks_like_a_command_is_sent(session: Session, text: str) -> None:
    items = await heard(session, text)
    assert isinstance(items[0], Entry)
    assert items[0].event == Prompted((Text(text),))


async def test_info_context_and_knowledge_are_reports_and_leave_no_trace(session: Session) -> None:
    await heard(session, "count to 3")
    before = session.engine.state
    assert (await report(session, "/info")).startswith("Compression Statistics:\n")
    context = await report(session, "/context")
    assert "system and tools" in context
    assert "you: count to 3" in context
    assert "Nothing is known yet" in await report(session, "/knowledge")
    assert session.engine.state == before


async def test_undo_takes_back_the_last_prompt_and_says_which_files_stay(session: Session) -> None:
    await heard(session, "count to 3")
    await heard(session, "write a.txt: hello")
    items = await heard(session, "/undo")
    assert isinstance(items[0], Entry)
    assert isinstance(items[0].event, Rewound)
    assert isinstance(items[1], Notice)
    assert "a.txt" in items[1].text
    said = [plain_text(unit.blocks) for unit in session.engine.state.view.units]
    assert said[0] == "count to 3"
    assert len(said) == 2
    await heard(session, "/undo")
    assert await report(session, "/undo") == "There is nothing to undo."


async def test_undo_with_a_number_takes_nothing_back(session: Session) -> None:
    before = len(session.engine.log.entries)
    (told,) = await heard(session, "/undo 9")
    assert "/rewind NUMBER" in str(told)
    assert len(session.engine.log.entries) == before


async def test_retry_goes_on_only_where_something_is_left_to_do(session: Session) -> None:
    assert "nothing to retry" in await report(session, "/retry")
    session.engine.append(Prompted((Text("count to 2"),)))
    items = await heard(session, "/retry")
    assert plain_text(session.engine.state.view.units[-1].blocks).endswith("1 2")
    assert isinstance(items[-1], Entry)


async def test_pins_by_number_and_the_last_without_one(session: Session) -> None:
    assert "Which?" in await report(session, "/pin")
    await heard(session, "count to 3")
    last = session.engine.state.view.units[-1].id
    assert await event(session, "/pin") == Pinned(last)
    assert f"#{last} is pinned already" in await report(session, f"/pin {last}")
    assert await event(session, f"/unpin #{last}") == Unpinned(last)
    assert "is not pinned" in await report(session, f"/unpin {last}")
    assert "is not in the context" in await report(session, "/pin 999")
    for wrong in ("/unpin", "/pin ²"):
        assert "Which?" in await report(session, wrong)


async def test_knowledge_is_added_listed_and_dropped_by_number(session: Session) -> None:
    await heard(session, "/knowledge add the sky is blue")
    await heard(session, "/knowledge add grass is green")
    assert "2. fact: grass is green" in await report(session, "/knowledge list")
    changed = await event(session, "/knowledge drop 1")
    assert isinstance(changed, KnowledgeChanged)
    assert [known.text for known in session.engine.state.knowledge] == ["grass is green"]
    for wrong in ("drop 0", "drop 2", "drop x", "drop ¹", "add", "forget"):
        assert "Usage: /knowledge" in await report(session, f"/knowledge {wrong}")


def test_knowledge_says_what_compressions_dropped_and_what_they_doubt() -> None:
    mine = Knowledge("fact", "grass is green", "person")
    gone = Knowledge("fact", "the port is 80")
    story = Story().say(5_000).reply().add(0, KnowledgeChanged((gone, mine)))
    story.condensed(
        Condensed("x", "", 9_000, 4_000, Fold(2, 3, (Text("note"),)), outdated=(gone, mine))
    )
    assert knowledge_text(story.state, 10) == (
        "  1. fact: grass is green  (#5 says it no longer holds)\n"
        "Dropped, because it no longer holds:\n"
        "  - fact: the port is 80  (compression #5)"
    )


@pytest.mark.parametrize(
    ("use", "forget"),
    [("/skill use debugging", "/skill forget debugging"),
     ("skill(use debugging)", "skill(forget debugging)")],
)  # fmt: skip
async def test_skills_by_command_and_typed(session: Session, use: str, forget: str) -> None:
    assert isinstance(await event(session, use), SkillLoaded)
    assert "active already" in await report(session, use)
    assert "debugging (active)" in await report(session, "/skill")
    assert await event(session, forget) == SkillForgotten("debugging")
    assert "is not active" in await report(session, forget)
    assert "There is no skill 'nothing'" in await report(session, "/skill use nothing")
    assert "Usage: /skill" in await report(session, "/skill dance")


async def test_the_model_is_shown_and_changed(session: Session) -> None:
    assert "The model is offline." in await report(session, "/model")
    assert "already" in await report(session, "/model offline")
    assert await event(session, "/model anthropic:claude-opus-5") == ModelChanged(
        "claude-opus-5", scale=1.3
    )
    assert session.engine.state.model == "claude-opus-5"


async def test_a_profile_is_shown_and_changed_for_the_session(session: Session) -> None:
    assert "The profile is balanced." in await report(session, "/profile")
    assert "Usage: /profile [careful | balanced | thrifty]" in await report(session, "/profile x")
    await report(session, "/profile thrifty")
    told = await report(session, "/profile")
    assert "* thrifty: pays least; compresses from 40.0k (8x); notes of up to 12.0k" in told
    assert [level.threshold for level in session.info.levels] == [40_000]
    assert session.compressor.rules.note_max == 12_000
    assert session.compressor.rules.hints
    assert session.compressor.rules.hints.strategy in session.config.pipeline


async def test_a_session_gets_a_name(session: Session) -> None:
    assert await event(session, "/rename The plan") == Titled("The plan")
    assert "Usage: /rename" in await report(session, "/rename")


async def test_done_folds_everything_and_says_the_next_prompt(session: Session) -> None:
    await heard(session, f"write long.txt: {WORDY}")
    for _ in range(3):
        await heard(session, "read long.txt")
    await heard(session, "/skill use debugging")
    await heard(session, "/done count to 2")
    units = session.engine.state.view.units
    assert [type(unit).__name__ for unit in units] == ["Note", "Prompt", "Note", "Step"]
    assert plain_text(units[1].blocks) == "count to 2"
    assert "<recalled-passages>" in plain_text(units[2].blocks)
    assert "recalled passages" in await report(session, "/context")
    assert session.engine.state.skills == ()
    restored = await event(session, "/restore")
    assert isinstance(restored, Reverted)
    assert [skill.name for skill in session.engine.state.skills] == ["debugging"]
    notes = [unit for unit in session.engine.state.view.units if isinstance(unit, Note)]
    assert [note.kind for note in notes] == ["skill"]  # what was recalled goes with it
    assert "no compression to take back" in await report(session, "/restore")


async def test_with_nothing_to_compress_it_says_so(session: Session) -> None:
    for command in ("/done", "/compact"):
        items = await heard(session, command)
        assert [i.text for i in items if isinstance(i, Notice)] == ["There is nothing to compress."]


async def test_permissions_are_listed_and_taken_back(session: Session) -> None:
    first = await report(session, "/permissions")
    assert "Sandbox: off." in first
    assert "allowed nothing for longer" in first
    permissions = session.dials.permissions
    rule = parse("bash(git *)")
    permissions.rules = replace(permissions.rules, allow=(rule, parse("write(src/**)")))
    permissions.granted.append(Granted(rule, lasting=False))
    listed = await report(session, "/permissions")
    assert "  1  bash(git *)  (until octochat ends)" in listed
    assert "Allowed by the configuration or the command line: write(src/**)" in listed
    for wrong, said in (("drop 2", "There is no rule 2"), ("all", "Usage")):
        refused = (await heard(session, f"/permissions {wrong}"))[-1]
        assert isinstance(refused, Refused)
        assert said in refused.text
    assert "Taken back: bash(git *)." in await report(session, "/permissions drop 1")
    assert [str(each) for each in permissions.rules.allow] == ["write(src/**)"]


async def test_what_is_allowed_stays_so_where_its_file_was_broken_by_hand(session: Session) -> None:
    granted = Granted(parse("bash(git *)"), lasting=True)
    session.dials.permissions.granted.append(granted)
    file = user_config_path("octochat") / "permissions.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[[rule]\n", encoding="utf-8")
    said = await report(session, "/permissions drop 1")
    assert said.startswith(f"bash(git *) could not be taken back: {file}: ")
    assert session.dials.permissions.granted == [granted]
