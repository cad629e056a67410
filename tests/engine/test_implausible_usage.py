"""A server that reports next to nothing for a request: told once, and not believed."""

import asyncio

import pytest

from octochat.models.port import Notice
from tests.stage import LONG, Stage, text


def told(stage: Stage, words: str) -> list[str]:
    shown = asyncio.run(stage.say(words))
    return [i.text for i in shown if isinstance(i, Notice) and "own count" in i.text]


@pytest.mark.parametrize("reported", [0, 20])
def test_it_is_told_once_and_the_own_count_goes_on(reported: int) -> None:
    stage = Stage([text("fine", fresh=reported, output=1)] * 3)
    asyncio.run(stage.say(LONG))
    for n in range(2):
        before = stage.state.context
        lines = told(stage, "word " * 4_000)
        assert stage.state.context > before + 4_000
        assert len(lines) == (n == 0), lines


def test_a_usage_of_a_third_is_believed() -> None:
    stage = Stage([text("fine", fresh=1_500, output=10)])
    assert told(stage, "word " * 4_000) == []
    assert stage.state.context == 1_510
