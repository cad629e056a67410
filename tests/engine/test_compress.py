"""Compression through the real engine: what happens when it works, and when it does not."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from math import isclose
from typing import ClassVar

import pytest

from octochat.context.economics.prices import UNPRICED
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Decision, Hold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Entry, Held, Hinted
from octochat.context.session.state import replay
from octochat.context.session.view import Prompt
from octochat.context.session.watermarks import Watermark
from octochat.context.strategies.pressure import Pressure
from octochat.models.port import Compressing, ModelError, Notice
from octochat.models.scripted import Line
from tests.stage import (
    LEVELS,
    LONG,
    Stage,
    answer,
    calls,
    long_talk,
    note_text,
    notes,
    talked,
    text,
)


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
    stage = Stage(long_talk(40), head=LONG * 15)
    talked(stage, 40)
    made = stage.condensed
    assert 1 <= len(made) <= 8
    assert all(each.after <= 0.85 * each.before for each in made)
    assert len(stage.asked) == len(made)


def test_one_message_and_150_tool_rounds_are_compressed_and_keep_the_prompt() -> None:
    stage = Stage(calls(*[120] * 150))
    asyncio.run(stage.say("the one and only request"))
    assert len(stage.condensed) >= 1
    assert stage.compressor.bill.characters > 200
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
    assert stage.state.watermarks.of("pressure") == Watermark(stage.held[0].watermark or 0, "hold")
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


@dataclass(frozen=True)
class Eager:
    """A strategy that would have a note written at every look."""

    name: ClassVar[str] = "eager"

    def decide(self, situation: Situation) -> Decision:
        units = situation.state.view.units[:-1]
        return (
            Plan("always", NoteRequest(units[0].id, units[-1].id, 400))
            if units
            else Hold("nothing")
        )


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


def test_a_person_is_told_when_the_next_level_is_near_and_not_at_every_call() -> None:
    stage = Stage(long_talk(14))
    told = [
        [
            item.event.text
            for item in asyncio.run(stage.say(f"part {n}"))
            if isinstance(item, Entry) and isinstance(item.event, Hinted)
        ]
        for n in range(14)
    ]
    assert [n for n, texts in enumerate(told) if texts] == [10]
    assert "from 10,000 on it is compressed (2x)" in told[10][0]
    assert replay(stage.log.entries).ledger.hinted == 10  # so that it holds after `-c`
    assert not any("compressed (2x)" in str(asked.messages) for asked in stage.heard)


@pytest.mark.parametrize(("less", "steps"), [(0, False), (1, True)])
async def test_the_ladder_is_climbed_only_where_there_are_more_tokens_than_asked_for(
    less: int, *, steps: bool
) -> None:
    stage = Stage(long_talk(9), strategies=())
    for n in range(9):
        await stage.say(f"request {n}")
    target = stage.compressor.situation(stage.engine).size - less
    done = [item async for item in stage.compressor.climb(stage.engine, target)]
    assert bool(done) is steps
