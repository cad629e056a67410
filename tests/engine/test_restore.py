"""Taking back: a compression with the task that ended by it, and a prompt with what followed."""

from dataclasses import replace
from itertools import chain

import pytest

from octochat.context.session.content import Text, plain_text
from octochat.context.session.events import Prompted, Reverted, TaskEnded
from octochat.context.session.view import Step
from octochat.engine import tasks
from octochat.models.port import ModelError
from tests.stage import Stage, calls, long_talk, notes, text


async def said(turns: int, stage: Stage) -> None:
    for n in range(turns):
        await stage.say(f"request number {n} is to build part {n} of the boat")


@pytest.mark.parametrize(
    ("command", "why"), [("/done", "the task is done"), ("/compact", "you asked for it")]
)
async def test_a_compression_that_was_asked_for_says_why_it_was_made(
    command: str, why: str
) -> None:
    stage = Stage(long_talk(6))
    await said(6, stage)
    await stage.say(command)
    assert stage.condensed[-1].why == why


@pytest.mark.parametrize(("command", "left"), [("/done", 0), ("/compact", 1)])
async def test_results_that_no_answer_followed_stay_unless_the_task_is_done(
    command: str, left: int
) -> None:
    stage = Stage(chain(long_talk(6), list(calls(400))[:1]))
    await said(6, stage)
    with pytest.raises(ModelError):
        await stage.say("read it")
    await stage.say(command)
    steps = [unit for unit in stage.state.view.units if isinstance(unit, Step) and unit.calls]
    assert len(steps) == left


async def test_done_folds_results_that_no_answer_followed_where_all_else_is_pinned() -> None:
    stage = Stage(list(calls(400))[:1])
    with pytest.raises(ModelError):
        await stage.say("read it")
    prompt, _ = stage.state.view.units
    tasks.pin(stage.engine, prompt.id)
    await stage.say("/done")
    assert [unit.id for unit in stage.state.view.units if unit not in notes(stage)] == [prompt.id]
    assert len(stage.condensed) == 1


@pytest.mark.parametrize(("command", "outcomes"), [("/done", True), ("/compact", False)])
async def test_a_task_that_is_done_leaves_its_outcomes_and_one_that_goes_on_its_progress(
    command: str, *, outcomes: bool
) -> None:
    stage = Stage(long_talk(6))
    await said(6, stage)
    await stage.say(command)
    (asked,) = stage.asked
    words = plain_text(asked.messages[-1].blocks)
    assert ("- outcomes:" in words, "- progress:" in words) == (outcomes, not outcomes)


async def reverted(stage: Stage) -> Reverted:
    entry = tasks.restore(stage.engine, stage.compressor)
    assert entry
    assert isinstance(entry.event, Reverted)
    return entry.event


def ended(stage: Stage) -> list[int]:
    """The ids of the ends of tasks that hold."""
    return [e.id for e in stage.log.surviving if isinstance(e.event, TaskEnded)]


async def test_the_end_of_a_task_is_taken_back_with_its_own_compression_only() -> None:
    stage = Stage(long_talk(20))
    for command in ("/done", "/done", "/compact"):
        await said(4, stage)
        await stage.say(command)
    first, second = ended(stage)
    assert (await reverted(stage)).task is None
    assert ended(stage) == [first, second]
    assert (await reverted(stage)).task == second
    assert (await reverted(stage)).task == first
    assert tasks.restore(stage.engine, stage.compressor) is None


async def test_what_was_restored_is_as_large_as_before_and_waits_for_growth_margin_included() -> (
    None
):
    stage = Stage(long_talk(20))
    stage.compressor.rules = replace(stage.compressor.rules, margin=50)
    await said(6, stage)
    before = stage.state.context
    await stage.say("/compact")
    assert stage.state.context < before
    event = await reverted(stage)
    assert (event.after, event.watermark) == (before, before + 50)
    assert stage.state.context == before


async def test_an_end_of_a_task_that_folded_nothing_is_no_part_of_what_is_taken_back() -> None:
    stage = Stage(long_talk(4))
    await said(4, stage)
    await stage.say("/done")
    await stage.say("/done")
    first, second = ended(stage)
    assert len(stage.condensed) == 1
    assert (await reverted(stage)).task == first
    assert ended(stage) == [second]


async def test_what_was_restored_is_never_less_than_nothing_however_long_the_note_became() -> None:
    stage = Stage(chain(long_talk(4), [text("ok", fresh=3_000)]))
    await said(4, stage)
    await stage.say("/compact")
    assert tasks.edit_note(stage.engine, notes(stage)[0].id, "word " * 6_000)
    await stage.say("go on")
    assert stage.state.context == 3_000
    assert (await reverted(stage)).after == 0


async def test_a_prompt_is_taken_back_by_its_id_with_all_that_followed() -> None:
    stage = Stage(long_talk(3))
    await said(3, stage)
    prompts = [e.id for e in stage.log.entries if isinstance(e.event, Prompted)]
    units = [unit.id for unit in stage.state.view.units]
    assert tasks.rewind(stage.engine, prompts[1] + 1) is None
    taken = tasks.rewind(stage.engine, prompts[1])
    assert taken
    assert taken[1].blocks == (Text("request number 1 is to build part 1 of the boat"),)
    assert [unit.id for unit in stage.state.view.units] == units[:2]
    assert tasks.rewind(stage.engine, prompts[1]) is None
    assert tasks.rewind(stage.engine, prompts[0])
    assert stage.state.view.units == ()
