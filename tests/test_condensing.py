"""Compression through the real engine: what happens when it works, and when it does not."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from math import isclose
from pathlib import Path
from typing import ClassVar

import pytest

from octochat.commands import Report
from octochat.context.content import Text
from octochat.context.edits import Brief, Decision, Hold, Plan
from octochat.context.events import Condensed, Entry, Held, Reverted, TaskEnded
from octochat.context.prices import UNPRICED
from octochat.context.state import Watermark
from octochat.context.strategies import Pressure, Situation
from octochat.context.validity import problems
from octochat.context.view import Note, Prompt
from octochat.model import Compressing, ModelError, Notice
from octochat.scripted import Line
from octochat.skill_file import Skill
from octochat.skills import Skills
from tests.stage import LEVELS, Stage, answer, calls, text

LONG = " ".join(["word"] * 700)
SKILLS = Skills((Skill("oars", "rowing", Path("/s/oars"), "row " * 50),))


def long_talk(turns: int) -> Iterator[Line]:
    return repeat(text(LONG), turns)


def talked(stage: Stage, turns: int) -> None:
    for n in range(turns):
        asyncio.run(stage.say(f"request number {n} is to build part {n} of the boat"))


def notes(stage: Stage) -> list[Note]:
    return [u for u in stage.state.view.units if isinstance(u, Note) and u.kind == "summary"]


def note_text(note: Note) -> str:
    return "\n".join(block.text for block in note.blocks if isinstance(block, Text))


def test_a_long_talk_is_compressed_and_goes_on() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 20)
    assert len(stage.condensed) == 1
    done = stage.condensed[0]
    assert (done.by, done.level, done.ratio, done.writer) == ("pressure", 0, 2.0, "m")
    assert done.after <= done.before / 2
    assert "oak, because it lasts" in note_text(notes(stage)[0])
    assert stage.state.knowledge[0].text == "the hull is oak"


def test_a_compression_is_a_line_while_it_runs_and_after() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 14)
    shown = asyncio.run(stage.say("and now?"))
    kinds = [type(i.event if isinstance(i, Entry) else i) for i in shown]
    assert kinds.index(Compressing) < kinds.index(Condensed)


def test_fixed_parts_above_the_threshold_make_no_loop() -> None:
    stage = Stage(long_talk(12), head=LONG * 15)
    talked(stage, 12)
    assert stage.condensed == []
    marks = [event.watermark or 0 for event in stage.held]
    assert 1 <= len(marks) <= 3
    assert all(later >= 1.1 * earlier for earlier, later in pairwise(marks))
    assert stage.asked == []


def test_one_message_and_150_tool_rounds_are_compressed_and_keep_the_prompt() -> None:
    stage = Stage(calls(*[120] * 150))
    asyncio.run(stage.say("the one and only request"))
    assert len(stage.condensed) >= 1
    prompts = [u for u in stage.state.view.units if isinstance(u, Prompt)]
    assert prompts[0].blocks == (Text("the one and only request"),)
    assert len(notes(stage)) == 1


def test_repeated_compressions_in_one_turn_wait_for_more_growth_and_climb_the_levels() -> None:
    stage = Stage(calls(*[300] * 200))
    asyncio.run(stage.say("the request"))
    sizes = [(event.before, event.after) for event in stage.condensed]
    assert len(sizes) >= 3
    for n, ((_, after), (before, _)) in enumerate(pairwise(sizes)):
        assert before >= after * (1 + min(0.1 * 2**n, 1.0))
    assert [event.level for event in stage.condensed][:3] == [0, 1, 2]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (ModelError("auth", "The key is wrong."), "The key is wrong."),
        (answer(should_compress=False, reason="it is being quoted"), "it is being quoted"),
        (text(""), "empty"),
        (text(LONG * 20), "longer than what it would replace"),
    ],
    ids=["fails", "says no", "says nothing", "says more than it got"],
)
def test_a_decision_that_comes_to_nothing_is_a_line_and_leaves_the_history(
    said: Line, why: str
) -> None:
    stage = Stage(long_talk(15), notes=repeat(said, 4))
    talked(stage, 15)
    assert stage.condensed == []
    assert len(stage.held) == 1
    assert why in stage.held[0].why
    assert stage.state.watermark == Watermark(stage.held[0].watermark or 0, "hold")
    assert sum(isinstance(u, Prompt) for u in stage.state.view.units) == 15


def test_prose_instead_of_json_is_taken_as_the_summary() -> None:
    prose = "## Goal\n\nTo build a boat.\n\n## Decisions\n\n- oak, because it lasts\n"
    stage = Stage(long_talk(15), notes=[text(prose)])
    talked(stage, 15)
    assert "oak, because it lasts" in note_text(notes(stage)[0])


def test_what_a_failed_decision_cost_is_on_the_bill() -> None:
    said = answer(should_compress=False, reason="no")
    paid = type(said)(said.blocks, type(said.usage)(fresh=1_000, output=100), said.stop)
    stage = Stage(long_talk(15), notes=[paid])
    talked(stage, 15)
    assert isclose(stage.held[0].cost or 0, 0.003)
    assert stage.state.ledger.summary_cost == stage.held[0].cost


def too_long(times: int) -> Iterator[Line]:
    error = ModelError("too_long", "The prompt is too long.", tokens=11_000, limit=10_000)
    return chain(long_talk(6), repeat(error, times), long_talk(9))


def test_a_prompt_that_the_api_finds_too_long_runs_the_ladder_and_is_answered() -> None:
    stage = Stage(too_long(1), strategies=())
    talked(stage, 6)
    shown = asyncio.run(stage.say("the last request"))
    assert any(isinstance(item, Notice) for item in shown)
    assert stage.condensed[-1].trigger == "overflow"
    units = stage.state.view.units
    assert Text("the last request") in [b for u in units if isinstance(u, Prompt) for b in u.blocks]


def test_the_ladder_ends_without_a_model() -> None:
    stage = Stage(too_long(1), strategies=(), notes=repeat(ModelError("auth", "no"), 9))
    talked(stage, 6)
    asyncio.run(stage.say("the last request"))
    assert stage.condensed[-1].writer == "extractive"


def test_what_can_never_fit_ends_in_a_clear_error_that_names_the_part() -> None:
    stage = Stage(long_talk(3), strategies=(), window=3_000)
    with pytest.raises(ModelError) as caught:
        asyncio.run(stage.say("huge " * 5_000))
    assert caught.value.kind == "too_long"
    assert 'your message "huge' in str(caught.value)
    assert sum(isinstance(u, Prompt) for u in stage.state.view.units) == 1


def test_an_unpriced_model_is_compressed_all_the_same() -> None:
    stage = Stage(long_talk(20), strategies=(Pressure(pressure_levels=LEVELS),), prices=UNPRICED)
    talked(stage, 20)
    assert len(stage.condensed) == 1
    assert stage.condensed[0].worth is None


@pytest.mark.parametrize("off", [Pressure(hints_enabled=False), Pressure(pressure_levels=())])
def test_turned_off_nothing_is_compressed(off: Pressure) -> None:
    stage = Stage(long_talk(20), strategies=(off,))
    talked(stage, 20)
    assert stage.condensed == stage.held == []


def learned() -> Iterable[Line]:
    for fact in ("oak", "pine", "oak"):
        yield answer(knowledge=[{"kind": "fact", "text": f"The mast is {fact}."}])


def test_three_compressions_leave_one_note_that_still_knows_the_first_request() -> None:
    stage = Stage(long_talk(60), notes=learned())
    talked(stage, 40)
    assert len(stage.condensed) == 3
    assert len(notes(stage)) == 1
    said = note_text(notes(stage)[0])
    assert "request number 0 is to build part 0 of the boat" in said
    assert [k.text for k in stage.state.knowledge] == ["The mast is pine.", "The mast is oak."]
    assert said.count("The mast is oak.") == 1


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
    assert again.state.watermark == stage.state.watermark
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


def test_esc_while_a_summary_is_written_leaves_the_history_and_the_turn_goes_on() -> None:
    stage = Stage(long_talk(20))
    talked(stage, 14)

    async def stop() -> list[object]:
        shown: list[object] = []
        async for item in stage.engine.turn((Text("next"),)):
            if isinstance(item, Compressing):
                stage.engine.interrupt()
            shown.append(item.event if isinstance(item, Entry) else item)
        return shown

    shown = asyncio.run(stop())
    held = [item for item in shown if isinstance(item, Held)]
    assert [event.why for event in held] == ["you stopped it"]
    assert stage.condensed == []
    assert isinstance(stage.state.view.units[-2], Prompt)


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


def test_a_task_that_ended_is_in_the_log() -> None:
    stage = Stage(long_talk(5))
    talked(stage, 4)
    asyncio.run(stage.say("/done"))
    assert any(isinstance(entry.event, TaskEnded) for entry in stage.log.entries)


@dataclass(frozen=True)
class Eager:
    """A strategy that would have a note written at every look."""

    name: ClassVar[str] = "eager"

    def decide(self, situation: Situation) -> Decision:
        units = situation.state.view.units[:-1]
        return Plan("always", Brief(units[0].id, units[-1].id, 400)) if units else Hold("nothing")


def test_a_strategy_that_paid_for_nothing_waits_for_growth_before_it_pays_again() -> None:
    stage = Stage(long_talk(30), strategies=(Eager(),), notes=repeat(ModelError("auth", "no"), 99))
    talked(stage, 20)
    tries = len(stage.held)
    while len(stage.held) == tries:
        talked(stage, 1)
    marks = [event.watermark or 0 for event in stage.held]
    assert len(marks) > 1
    assert all(later >= 1.1 * earlier for earlier, later in pairwise(marks))
    assert "came to nothing" in str(stage.session.info.outlook)
