"""A note that is written in the background, before anybody waits for it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from itertools import chain

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Entry, KeptWarm, Prompted, Usage
from octochat.engine.tasks import edit_note
from octochat.models.port import Compressing, Delta, ModelError, Reply, Request
from octochat.models.scripted import Line
from tests.stage import LONG, Stage, answer, calls, long_talk, note_text, notes, wants_note

PAID = replace(answer(), usage=Usage(fresh=1_000, output=10))


class Slow(Stage):
    """Writes a note only when the test says so."""

    gate: asyncio.Event

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        if wants_note(request):
            self.asked.append(request)
            await self.gate.wait()
            yield PAID
            return
        async with aclosing(super().reply(request)) as stream:
            async for item in stream:
                yield item


def staged(share: float = 0.9, *, notes: tuple[Line, ...] = (PAID,) * 9, turns: int = 60) -> Stage:
    """A session at which somebody sits, whose level is at 10,000 tokens."""
    stage = Stage(long_talk(turns), notes=notes)
    stage.compressor.ahead.share = share
    stage.compressor.ahead.between_turns = True
    return stage


async def until_asked(stage: Stage, most: int = 40) -> list[Condensed]:
    """Talk until a note is asked for; the folds that were made meanwhile."""
    for n in range(most):
        await stage.say(f"request number {n} is to build part {n} of the boat")
        await asyncio.sleep(0)
        if stage.asked:
            break
    return stage.condensed


async def test_it_is_begun_before_the_level_and_used_at_the_level_without_another_call() -> None:
    stage = staged()
    assert await until_asked(stage) == []
    assert 9_000 <= stage.state.context < 10_100
    while not stage.condensed:
        await stage.say("and on")
    (made,) = stage.condensed
    assert len(stage.asked) == 1
    assert (made.writer, made.usage, made.by) == ("m", PAID.usage, "pressure")
    assert made.before >= 10_000
    assert made.after <= 0.85 * made.before
    assert "oak, because it lasts" in note_text(notes(stage)[0])
    assert stage.held == []
    assert stage.state.ledger.summary_usage == PAID.usage


async def test_a_late_note_is_awaited_not_asked_for_again() -> None:
    stage = Slow(long_talk(60))
    stage.gate = asyncio.Event()
    stage.compressor.ahead.share, stage.compressor.ahead.between_turns = 0.9, True
    await until_asked(stage)
    async with aclosing(stage.engine.turn((Text(LONG * 3),))) as turn:
        async for item in turn:
            if isinstance(item, Compressing):
                assert stage.condensed == []
                stage.gate.set()
    assert len(stage.condensed) == 1
    assert len(stage.asked) == 1


async def test_what_was_written_for_nothing_is_told_and_billed() -> None:
    stage = staged()
    await until_asked(stage)
    await asyncio.sleep(0)
    stage.now += 7
    shown = await stage.say("/compact")
    (vain,) = stage.held
    assert vain.seconds == 7
    assert vain.why == "a note was written ahead for nothing: another one is needed now"
    assert vain.trigger == "ahead"  # not one of the looks that a strategy has
    assert (vain.usage, vain.writer, vain.watermark) == (PAID.usage, "m", None)
    assert any(isinstance(item, Entry) and item.event == vain for item in shown)
    assert stage.state.ledger.summary_usage == PAID.usage + PAID.usage


async def test_what_nobody_waited_for_is_billed_when_the_person_leaves() -> None:
    stage = staged()
    await until_asked(stage)
    await asyncio.sleep(0)
    await stage.session.close()
    assert [event.usage for event in stage.held] == [PAID.usage]
    assert "you left before it was needed" in stage.held[0].why


async def test_a_note_whose_messages_were_undone_or_whose_knowledge_is_old_is_not_used() -> None:
    for change in ("/knowledge add The hull is ash.", "/pin 2"):
        stage = staged()
        await until_asked(stage)
        await stage.say(change)
        while not stage.condensed:
            await stage.say("and on")
        assert len(stage.asked) == 2, change
        assert len(stage.held) == 1, change
    assert "ash" not in note_text(notes(stage)[0])


async def test_a_failure_is_told_when_the_note_is_needed_and_not_paid_twice() -> None:
    error = ModelError("auth", "The key is not valid.")
    stage = staged(notes=(error,))
    await until_asked(stage)
    while not stage.held:
        await stage.say("and on")
    assert "The key is not valid." in stage.held[0].why
    assert len(stage.asked) == 1
    assert stage.held[0].watermark


async def test_what_is_given_up_leaves_no_error_behind() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what))
    stage = Slow(long_talk(60))
    stage.gate = asyncio.Event()
    stage.compressor.ahead.share, stage.compressor.ahead.between_turns = 0.9, True
    await until_asked(stage)
    assert len(stage.asked) == 1
    await stage.compressor.discard_ahead(stage.engine, "so")
    await asyncio.sleep(0)
    assert not stage.compressor.ahead.under_way
    assert told == []


async def test_it_is_begun_while_the_person_types() -> None:
    stage = staged(turns=60)
    while stage.state.context < 9_000:
        assert stage.asked == []
        stage.compressor.ahead.between_turns = False
        await stage.say("go on with the boat")
    stage.compressor.ahead.between_turns = True
    stage.compressor.begin_ahead(stage.engine)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(stage.asked) == 1
    assert stage.session.info.writing_ahead
    stage.compressor.begin_ahead(stage.engine)
    await asyncio.sleep(0)
    assert len(stage.asked) == 1
    await stage.session.close()


async def test_where_nothing_runs_between_turns_it_is_begun_in_the_middle_of_one() -> None:
    talk = chain(long_talk(13), calls(150, 10, 900), long_talk(9))
    stage = Stage(talk, notes=(PAID,) * 9)
    stage.compressor.ahead.share = 0.9
    for n in range(13):
        await stage.say(f"request number {n} is to build part {n} of the boat")
    assert 9_000 < stage.state.context < 9_700
    stage.compressor.begin_ahead(stage.engine)
    assert not stage.compressor.ahead.under_way
    asked_before = 0
    async with aclosing(stage.engine.turn((Text("now the mast"),))) as turn:
        async for item in turn:
            await asyncio.sleep(0)
            if isinstance(item, Compressing):
                asked_before = len(stage.asked)
    assert asked_before == len(stage.asked) == len(stage.condensed) == 1
    assert stage.held == []


async def test_it_is_looked_at_once_for_every_entry_of_the_log_not_for_every_key() -> None:
    stage = staged()
    ahead = stage.compressor.ahead
    assert [ahead.due(stage.state) for _ in range(3)] == [True, False, False]
    await stage.say("/knowledge add The hull is ash.")
    assert [ahead.due(stage.state) for _ in range(3)] == [True, False, False]


async def test_where_it_is_turned_off_nothing_is_begun() -> None:
    stage = staged(1.0)
    assert not stage.compressor.ahead.due(stage.state)
    await until_asked(stage)
    assert len(stage.asked) == len(stage.condensed) == 1
    assert stage.condensed[0].before >= 10_000


async def test_a_session_that_has_cost_all_it_may_begins_none() -> None:
    stage = staged()
    while stage.state.context < 9_000:
        stage.compressor.ahead.between_turns = False
        await stage.say("go on with the boat")
    stage.compressor.ahead.between_turns = True
    stage.engine.append(KeptWarm("m", Usage(fresh=1_000), 1.0))
    stage.engine.max_cost = 1.0
    stage.compressor.begin_ahead(stage.engine)
    assert not stage.compressor.ahead.under_way


async def test_where_nothing_runs_between_turns_none_is_begun_before_the_model_is_at_work() -> None:
    stage = staged()
    stage.compressor.ahead.between_turns = False
    assert not stage.compressor.ahead.due(stage.state)
    stage.engine.append(Prompted((Text("now the mast"),)))
    assert stage.engine.unfinished
    assert not stage.compressor.ahead.due(stage.state)


async def test_it_is_being_written_until_it_is_whole_and_is_there_until_it_is_used() -> None:
    stage = Slow(long_talk(60))
    stage.gate = asyncio.Event()
    ahead = stage.compressor.ahead
    ahead.share, ahead.between_turns = 0.9, True
    assert (ahead.writing, ahead.under_way) == (False, False)
    await until_asked(stage)
    assert (ahead.writing, ahead.under_way) == (True, True)
    stage.gate.set()
    for _ in range(9):
        await asyncio.sleep(0)
    assert (ahead.writing, ahead.under_way) == (False, True)
    await stage.compressor.discard_ahead(stage.engine, "so")
    assert (ahead.writing, ahead.under_way) == (False, False)


async def test_a_note_that_was_given_up_took_no_time_where_the_clock_was_set_back() -> None:
    stage = staged()
    await until_asked(stage)
    await asyncio.sleep(0)
    stage.now -= 7
    await stage.say("/compact")
    assert [event.seconds for event in stage.held] == [0]


@pytest.mark.parametrize("rewritten", [False, True])
async def test_a_note_over_an_earlier_one_is_used_unless_the_person_rewrote_that_one(
    *, rewritten: bool
) -> None:
    stage = staged()
    while len(stage.asked) < 2:
        await stage.say("a part")
        await asyncio.sleep(0)
    assert len(stage.condensed) == 1
    if rewritten:
        assert edit_note(stage.engine, notes(stage)[0].id, "The hull is ash.")
    while len(stage.condensed) < 2:
        await stage.say("a part")
    assert len(stage.asked) == 2 + rewritten
