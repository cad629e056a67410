"""How a turn goes on and ends: what fits, what is remembered, and what a hook stops."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.context.session.events import Entry, KeptWarm, Recalled, Returned, Usage
from octochat.engine.loop import CUT_AGAIN, Engine
from octochat.hooks.hook import Hook
from octochat.hooks.hooks import Hooks
from octochat.models.port import ModelError, Reply
from octochat.models.scripted import Line
from octochat.tools.base import Access, Arguments, Output, Progress
from tests.stage import Reader, Stage, calls, text


def results(stage: Stage) -> list[str]:
    events = (entry.event for entry in stage.log.entries)
    return [plain_text(event.content) for event in events if isinstance(event, Returned)]


TOO_LONG = ModelError("too_long", "The prompt is too long.", tokens=11_000, limit=10_000)
KEY = f"ghp_{'Ab3' * 14}"
CUT = Reply((Text("half of"),), Usage(), "model_context_window_exceeded")


@pytest.mark.parametrize(
    ("refused", "told"),
    [(TOO_LONG, "The prompt is too long."), (CUT, CUT_AGAIN)],
    ids=["too long", "cut off"],
)
@pytest.mark.parametrize(("more", "answered"), [(0, True), (1, False)])
async def test_room_is_made_three_times_for_one_answer_and_then_the_error_stands(
    refused: Line, told: str, more: int, *, answered: bool
) -> None:
    reads = list(calls(*[400] * 30))[:-1]
    stage = Stage(chain(reads, repeat(refused, 3 + more), [text("done")]), strategies=())
    if answered:
        await stage.say("read them all")
    else:
        with pytest.raises(ModelError) as caught:
            await stage.say("read them all")
        assert (caught.value.kind, str(caught.value)) == ("too_long", told)
    assert len(stage.heard) == len(reads) + 3 + 1
    assert stage.engine.unfinished is not answered


class Telling(Reader):
    """A tool that tells a key."""

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        return Output((Text(f"TOKEN={KEY}"),))


@pytest.mark.parametrize("mask", [True, False])
async def test_keys_are_masked_in_what_a_tool_gives_if_it_is_wanted(mask: bool) -> None:
    stage = Stage(calls(1))
    ports = replace(stage.engine.ports, tools={"read": Telling()}, mask_secrets=mask)
    engine = Engine(stage.log, ports, max_tokens=1_000, ttl=300)
    async for _ in engine.turn((Text("what is it?"),)):
        pass
    assert (KEY in results(stage)[0]) is not mask


async def test_another_error_of_the_model_is_told_at_once() -> None:
    stage = Stage([ModelError("auth", "The key is wrong."), text("done")])
    with pytest.raises(ModelError, match="The key is wrong"):
        await stage.say("work")
    assert len(stage.heard) == 1


@pytest.mark.parametrize(("wanted", "asked"), [(400, 400), (4_000, 1_000)])
async def test_an_answer_may_be_as_long_as_was_set_and_as_the_model_can(
    wanted: int, asked: int
) -> None:
    stage = Stage([text("done")])
    engine = Engine(stage.log, stage.engine.ports, max_tokens=wanted, ttl=300)
    assert [item async for item in engine.turn((Text("work"),))]
    assert [request.max_tokens for request in stage.heard] == [asked]


async def test_a_session_without_a_limit_may_cost_anything() -> None:
    stage = Stage([text("done")])
    stage.engine.append(KeptWarm("m", Usage(fresh=1), 5.0))
    assert not stage.engine.spent
    await stage.say("go on")
    assert len(stage.heard) == 1


async def test_what_was_folded_is_remembered_once_a_prompt_and_anew_after_each_fold() -> None:
    stage = Stage(calls(*[120] * 150))
    asked: list[int] = []

    async def remember(_: Situation, log: Sequence[Entry]) -> Recalled | None:
        asked.append(len(log))

    stage.engine.ports = replace(stage.engine.ports, remember=remember)
    await stage.say("the one and only request")
    assert len(stage.condensed) >= 1
    assert len(asked) == 1 + len(stage.condensed)


async def test_a_hook_that_ends_a_turn_ends_this_one_and_not_the_next(tmp_path: Path) -> None:
    both = Reply(
        (ToolCall("a", "read", {"words": 1}), ToolCall("b", "read", {"words": 2})),
        Usage(),
        "tool_use",
    )
    once = """test -e once || { touch once; echo '{"continue": false, "stopReason": "enough"}'; }"""
    again = replace(both, blocks=(ToolCall("c", "read", {"words": 3}),))
    stage = Stage([both, again, text("done")])
    hooks = Hooks([Hook("PostToolUse", once)], folder=tmp_path, env=os.environ)
    stage.engine.ports = replace(stage.engine.ports, hooks=hooks)
    await stage.say("look")
    assert results(stage) == ["w0", "[not run: a hook ended the turn]"]
    assert len(stage.heard) == 1
    await stage.say("look again")
    assert results(stage)[2:] == ["w0 w1 w2"]
    assert len(stage.heard) == 3
