"""The offline model: it says what it is, and turns plain words into calls."""

from collections.abc import Mapping

import pytest

from octochat.context.session.content import Block, Message, Text, ToolCall, ToolResult, plain_text
from octochat.models.offline import SHOWN_LINES, Offline
from octochat.models.port import CallDelta, Reply, Request, TextDelta


def asks(*blocks: Block, before: tuple[Message, ...] = ()) -> Request:
    return Request("offline", "", (), (*before, Message("user", blocks)), max_tokens=100)


async def answer(request: Request) -> tuple[str, Reply]:
    """What was streamed, and the whole."""
    items = [item async for item in Offline(pace=0).reply(request)]
    last = items[-1]
    assert isinstance(last, Reply)
    streamed = "".join(item.text for item in items if isinstance(item, TextDelta))
    calls = [item.call_id for item in items if isinstance(item, CallDelta)]
    assert calls == [block.id for block in last.blocks if isinstance(block, ToolCall)]
    return streamed, last


async def called(text: str) -> list[tuple[str, Mapping[str, object]]]:
    _, reply = await answer(asks(Text(text)))
    assert reply.stop == ("tool_use" if len(reply.blocks) > 1 else "end_turn")
    return [(b.name, b.arguments) for b in reply.blocks if isinstance(b, ToolCall)]


async def test_its_first_words_say_that_it_is_no_language_model() -> None:
    for text in ("hello", "read README.md", "count to 3"):
        streamed, reply = await answer(asks(Text(text)))
        assert streamed.startswith("I am octochat's **offline model**: no language model")
        assert plain_text(reply.blocks) == streamed
        assert reply.usage.context == 0


async def test_it_introduces_itself_once() -> None:
    earlier = (Message("user", (Text("hi"),)), Message("assistant", (Text("hello"),)))
    streamed, _ = await answer(asks(Text("count to 3"), before=earlier))
    assert streamed == "1 2 3"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("list files", [("glob", {"pattern": "*"})]),
        ("Show all the files!", [("glob", {"pattern": "*"})]),
        ("find *.py", [("glob", {"pattern": "*.py"})]),
        ("read README.md", [("read", {"file_path": "README.md"})]),
        ("please read `README.md`.", [("read", {"file_path": "README.md"})]),
        ("read @README.md", [("read", {"file_path": "README.md"})]),
        ("read README.md and say what this is", [("read", {"file_path": "README.md"})]),
        ("read a and read b", [("read", {"file_path": "a"}), ("read", {"file_path": "b"})]),
        ("search TODO", [("grep", {"pattern": "TODO"})]),
        ("search for 'a.b' in src", [("grep", {"pattern": r"a\.b", "path": "src"})]),
        ("run ls -l", [("bash", {"command": "ls -l"})]),
        ("run the tests and fix what fails", []),
        ("write n.txt: one and read two", [
            ("write", {"file_path": "n.txt", "content": "one and read two\n"})
        ]),
        ("replace old with new in n.txt", [
            ("edit", {"file_path": "n.txt", "old_string": "old", "new_string": "new"})
        ]),
        ("use skill debugging", [("skill", {"action": "use", "name": "debugging"})]),
        ("use the debugging skill", [("skill", {"action": "use", "name": "debugging"})]),
        ("recall 3-7", [("recall", {"entries": "3-7"})]),
        ("what is the meaning of life?", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
async def test_plain_requests_are_calls(
    text: str, calls: list[tuple[str, Mapping[str, object]]]
) -> None:
    assert await called(text) == calls


async def test_what_it_does_not_understand_gets_the_forms_that_it_does() -> None:
    streamed, _ = await answer(asks(Text("why?")))
    assert "`read README.md`" in streamed
    assert "ANTHROPIC_API_KEY" in streamed


async def test_results_are_shown_cut_and_fenced_so_that_nothing_gets_out() -> None:
    long = "\n".join(["```", *(f"line {n}" for n in range(100))])
    streamed, reply = await answer(
        asks(ToolResult("t1", (Text(long),)), ToolResult("t2", (Text("no"),), failed=True))
    )
    assert "````\n```\nline 0\n" in streamed
    assert f"... and {101 - SHOWN_LINES} more lines." in streamed
    assert "That did not work:\n\n```\nno\n```" in streamed
    assert reply.stop == "end_turn"


async def test_words_said_after_results_are_what_is_answered() -> None:
    streamed, _ = await answer(asks(ToolResult("t1", (Text("x"),)), Text("count to 2")))
    assert streamed.endswith("1 2")


async def test_ids_of_calls_differ() -> None:
    model = Offline(pace=0)
    answers = [[item async for item in model.reply(asks(Text("run a and run b")))] for _ in "abc"]
    ids = [item.call_id for items in answers for item in items if isinstance(item, CallDelta)]
    assert len(set(ids)) == 6
