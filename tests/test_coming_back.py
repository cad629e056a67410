"""What is folded may come back: after `/restore`, the request is one that the API takes."""

import asyncio
from collections.abc import Iterator

from octochat.context.content import Text, ToolCall
from octochat.context.events import Reverted, Usage
from octochat.context.validity import problems
from octochat.model import Reply
from octochat.scripted import Line
from tests.stage import LONG, Stage, text


def counting_from_one(turns: int) -> Iterator[Line]:
    """A server that gives the first call of every reply the same id."""
    for _ in range(turns):
        call = ToolCall("call_1", "read", {"words": 100, "file_path": "/src/boat.py"})
        yield Reply((Text("look"), call), Usage(), "tool_use")
        yield text(LONG)


def test_calls_with_the_same_id_stay_apart_when_a_fold_is_taken_back() -> None:
    stage = Stage(counting_from_one(12), strategies=())
    for n in range(6):
        asyncio.run(stage.say(f"part {n}"))
    asyncio.run(stage.say("/compact"))
    for n in range(3):
        asyncio.run(stage.say(f"another part {n}"))
    asyncio.run(stage.say("/restore"))
    assert any(isinstance(entry.event, Reverted) for entry in stage.log.entries)
    asyncio.run(stage.say("the last part"))
    assert problems(stage.heard[-1].messages) == ()
