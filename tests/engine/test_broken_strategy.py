"""A strategy that fails: it is told once, and the conversation and the other strategies go on."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Decision, Fold, Plan
from octochat.context.strategies.fifo import Fifo
from octochat.models.port import Notice
from tests.stage import Stage, long_talk


@dataclass(frozen=True)
class Raising:
    name: ClassVar[str] = "broken"

    def decide(self, situation: Situation) -> Decision:
        raise KeyError(situation.window)


@dataclass(frozen=True)
class Wordless:
    name: ClassVar[str] = "broken"

    def decide(self, situation: Situation) -> Decision:
        return None  # pyright: ignore[reportReturnType]


@dataclass(frozen=True)
class Astray:
    name: ClassVar[str] = "broken"

    def decide(self, situation: Situation) -> Decision:
        return Plan("no such units", Fold(900, 901, ()))


@dataclass(frozen=True)
class Silent:
    name: ClassVar[str] = "broken"

    def decide(self, situation: Situation) -> Decision:
        units = situation.state.view.units
        return Plan("no word on it", Fold(units[0].id, units[-1].id, (Text(" "),)))


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        (Raising(), "KeyError: 200000"),
        (Wordless(), "it answered with NoneType, not a Plan or a Hold"),
        (Astray(), "it would replace units that are not in the context"),
        (Silent(), "its note says nothing"),
    ],
)
def test_it_is_told_once_and_the_others_go_on(
    strategy: Raising | Wordless | Astray | Silent, why: str
) -> None:
    stage = Stage(long_talk(20), strategies=(strategy, Fifo(max_tokens=6_000)))
    shown: list[object] = []
    while not stage.condensed:
        shown += asyncio.run(stage.say("a part"))
    told = [item.text for item in shown if isinstance(item, Notice) and "broken" in item.text]
    assert told == [f"The strategy broken is left out: it failed: {why}"]
    assert stage.condensed[0].by == "fifo"
    assert f"it failed: {why}" in str(stage.session.info.outlook)
