"""Skills, `/done`, `/compact`, `/restore`, pins and knowledge, through the real engine."""

import asyncio
from itertools import repeat
from pathlib import Path

from octochat.commands.base import Report
from octochat.context.session.events import Entry, Reverted, TaskEnded
from octochat.context.session.validity import problems
from octochat.context.session.view import Note, Prompt, Step
from octochat.engine import tasks
from octochat.models.port import ModelError, Notice
from octochat.skills.skill_file import Skill
from octochat.skills.skills import Skills
from tests.stage import (
    LONG,
    Stage,
    calls,
    long_talk,
    note_text,
    notes,
    talked,
    text,
)

SKILLS = Skills((Skill("oars", "rowing", Path("/s/oars"), "row " * 50),))


def test_a_skill_is_loaded_once_survives_compression_and_goes_at_the_next_fold_when_forgotten() -> (
    None
):
    stage = Stage(long_talk(60), skills=SKILLS)
    assert isinstance(asyncio.run(stage.say("/skill use oars"))[0], Entry)
    again = asyncio.run(stage.say("skill(use oars)"))[0]
    assert isinstance(again, Report)
    assert "already" in again.text
    talked(stage, 16)
    assert len(stage.condensed) == 1
    assert [u.skill for u in skill_notes(stage)] == ["oars"]
    asyncio.run(stage.say("skill(forget oars)"))
    assert stage.state.skills == ()
    assert [u.skill for u in skill_notes(stage)] == ["oars"]
    talked(stage, 16)
    assert len(stage.condensed) >= 2
    assert skill_notes(stage) == []


def test_a_forgotten_skill_outside_the_range_goes_with_the_next_fold_too() -> None:
    stage = Stage(long_talk(60), skills=SKILLS)
    talked(stage, 13)
    asyncio.run(stage.say("/skill use oars"))
    asyncio.run(stage.say("/skill forget oars"))
    talked(stage, 2)
    assert len(stage.condensed) == 1
    assert skill_notes(stage) == []


def skill_notes(stage: Stage) -> list[Note]:
    return [u for u in stage.state.view.units if isinstance(u, Note) and u.kind == "skill"]


def test_done_with_nothing_to_do_says_so() -> None:
    stage = Stage(())
    shown = asyncio.run(stage.say("/done"))
    assert [item.text for item in shown if isinstance(item, Notice)] == [
        "There is nothing to compress."
    ]


def test_done_folds_everything_drops_skills_and_says_the_next_prompt() -> None:
    stage = Stage(long_talk(9), skills=SKILLS)
    asyncio.run(stage.say("/skill use oars"))
    talked(stage, 4)
    asyncio.run(stage.say("/done now the sails"))
    assert stage.condensed[-1].trigger == "done"
    assert stage.state.skills == ()
    kinds = [type(unit).__name__ for unit in stage.state.view.units]
    assert kinds == ["Note", "Prompt", "Step"]
    asyncio.run(stage.say("/skill use oars"))
    assert [skill.name for skill in stage.state.skills] == ["oars"]


def test_done_with_a_failing_model_takes_the_extractive_summary() -> None:
    stage = Stage(long_talk(9), notes=repeat(ModelError("auth", "The key is wrong."), 9))
    talked(stage, 4)
    asyncio.run(stage.say("/done"))
    assert stage.condensed[-1].writer == "extractive"
    assert "The key is wrong." in stage.condensed[-1].why


def test_restore_after_done_brings_the_skills_back_and_nothing_compresses_at_the_next_word() -> (
    None
):
    stage = Stage(long_talk(40), skills=SKILLS)
    asyncio.run(stage.say("/skill use oars"))
    talked(stage, 13)
    before = stage.state
    asyncio.run(stage.say("/done"))
    asyncio.run(stage.say("/restore"))
    assert stage.state.view == before.view
    assert stage.state.skills == before.skills
    assert stage.state.context == before.context
    made = len(stage.condensed)
    asyncio.run(stage.say("a word"))
    assert len(stage.condensed) == made


def test_restoring_twice_takes_back_two_compressions() -> None:
    stage = Stage(long_talk(60))
    talked(stage, 28)
    assert len(stage.condensed) == 2
    first = asyncio.run(stage.say("/restore"))[0]
    second = asyncio.run(stage.say("/restore"))[0]
    assert isinstance(first, Entry)
    assert isinstance(second, Entry)
    assert isinstance(first.event, Reverted)
    assert isinstance(second.event, Reverted)
    assert first.event.condensed > second.event.condensed
    assert notes(stage) == []
    assert sum(isinstance(u, Prompt) for u in stage.state.view.units) == 28
    third = asyncio.run(stage.say("/restore"))[0]
    assert third == Report("There is no compression to take back.")


def test_resuming_right_after_a_compression_goes_on_with_the_same_view() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 15)
    again = Stage(long_talk(3), entries=stage.log.entries)
    assert again.state.view == stage.state.view
    assert again.state.watermarks == stage.state.watermarks
    asyncio.run(again.say("go on"))
    assert problems(again.state.view.messages("m", binds=False)[:-1]) == ()


def test_compact_keeps_the_tail_and_the_skills_and_tells_the_focus() -> None:
    stage = Stage(long_talk(20), skills=SKILLS)
    asyncio.run(stage.say("/skill use oars"))
    talked(stage, 6)
    asyncio.run(stage.say("/compact the names of the parts"))
    assert stage.condensed[-1].trigger == "compact"
    assert "the names of the parts" in str(stage.asked[-1].messages[-1])
    assert [u.skill for u in skill_notes(stage)] == ["oars"]
    assert sum(isinstance(u, Prompt) for u in stage.state.view.units) == 2


def test_pinned_units_survive_and_knowledge_can_be_edited() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 1)
    pinned = stage.state.view.units[0].id
    asyncio.run(stage.say(f"/pin {pinned}"))
    asyncio.run(stage.say("/knowledge add the boat is blue"))
    talked(stage, 15)
    assert len(stage.condensed) == 1
    assert stage.state.view.unit(pinned) is not None
    assert "the boat is blue" in note_text(notes(stage)[0])
    asyncio.run(stage.say("/knowledge drop 1"))
    assert "blue" not in str(stage.state.knowledge)


def test_only_what_is_there_is_pinned_and_only_what_is_pinned_is_let_go() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 1)
    unit = stage.state.view.units[0].id
    assert tasks.unpin(stage.engine, unit) is None
    assert tasks.pin(stage.engine, 999) is None
    assert tasks.pin(stage.engine, unit) is not None
    assert stage.state.pins == {unit}
    assert tasks.unpin(stage.engine, unit) is not None
    assert stage.state.pins == frozenset()


def test_a_task_that_ended_is_in_the_log() -> None:
    stage = Stage(long_talk(5))
    talked(stage, 4)
    asyncio.run(stage.say("/done"))
    assert any(isinstance(entry.event, TaskEnded) for entry in stage.log.entries)


def test_after_done_nothing_is_owed_though_a_pinned_step_with_calls_is_the_last_unit() -> None:
    stage = Stage((*calls(400), text(LONG), text(LONG)))
    for said in ("look at it", "and more", "and more"):
        asyncio.run(stage.say(said))
    pinned = next(u.id for u in stage.state.view.units if isinstance(u, Step) and u.calls)
    asyncio.run(stage.say(f"/pin {pinned}"))
    asyncio.run(stage.say("/done"))
    assert stage.state.view.units[-1].id == pinned
    assert not stage.engine.unfinished


def test_what_a_person_folds_is_expected_to_save_something_too() -> None:
    for command in ("/compact", "/done"):
        stage = Stage(long_talk(6))
        talked(stage, 6)
        asyncio.run(stage.say(command))
        worth = stage.condensed[-1].worth
        assert worth
        assert worth.summary == stage.condensed[-1].cost
        assert stage.session.info.compressions.cost_saved == worth.net
