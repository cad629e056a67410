"""Where a note must be had, one is written without a model when the model's does not serve."""

import asyncio
from itertools import chain, repeat

import pytest

from octochat.context.session.content import Text
from octochat.models.port import Compressing, ModelError
from tests.stage import Stage, answer, calls, long_talk, talked, text


@pytest.mark.parametrize("command", ["/done", "/compact"])
def test_a_note_that_is_not_smaller_is_written_again_without_a_model(command: str) -> None:
    wordy = [" ".join([f"thing{n}"] * 15) for n in range(16)]
    stage = Stage([text("word " * 300), *[text("ok")] * 4], notes=[answer(progress=wordy)])
    talked(stage, 3)
    asyncio.run(stage.say(command))
    assert stage.held == []
    made = stage.condensed[-1]
    assert made.writer == "extractive"
    assert "written without a model" in made.why
    assert made.after < made.before


async def stopped_while_it_writes(stage: Stage) -> None:
    async for item in stage.engine.turn((Text("the last request"),)):
        if isinstance(item, Compressing):
            stage.engine.interrupt()


def test_esc_while_the_request_is_made_to_fit_drops_nothing_unsaid() -> None:
    error = ModelError("too_long", "The prompt is too long.", tokens=11_000, limit=10_000)
    stage = Stage(chain(long_talk(8), [error], long_talk(9)), strategies=())
    talked(stage, 8)
    asyncio.run(stopped_while_it_writes(stage))
    assert [event.writer for event in stage.condensed] == ["extractive"]
    assert "you stopped it" in stage.condensed[0].why
    assert stage.held == []


def test_without_any_model_a_note_that_does_not_shrink_is_tried_once() -> None:
    stage = Stage(calls(), writers=False)
    talked(stage, 1)
    asyncio.run(stage.say("/done"))
    assert stage.condensed == []
    assert len(stage.held) == 1
    assert "written without a model" not in stage.held[0].why


REFUSAL = "I'm sorry, but I can't help with that."


def test_a_refusal_in_words_is_told_and_the_note_written_without_a_model() -> None:
    stage = Stage(long_talk(30), notes=repeat(text(REFUSAL, fresh=1_000), 20))
    talked(stage, 30)
    made = stage.condensed[0]
    assert (made.trigger, made.writer, made.usage.fresh) == ("auto", "extractive", 2_000)
    assert "I'm sorry, but I can't help" in made.why
    assert made.why.endswith("written without a model)")
    assert stage.held == []
    assert all(REFUSAL not in str(unit) for unit in stage.state.view.units)
