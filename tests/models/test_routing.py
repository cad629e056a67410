"""Which model answers, and the model that says what it is told to."""

import pytest

from octochat.context.session.content import Message, Text, Thinking
from octochat.context.session.events import Usage
from octochat.models.port import ModelError, Reply, Request, Started, TextDelta, ThinkingDelta
from octochat.models.routing import Routed
from octochat.models.scripted import Scripted

HELLO = Reply((Thinking("hm", "s"), Text("hello there")), Usage(fresh=3, output=2), "end_turn")


def asks(model: str) -> Request:
    return Request(model, "", (), (Message("user", (Text("hi"),)),), max_tokens=10)


@pytest.mark.parametrize(
    ("name", "answers"),
    [("offline", "offline"), ("claude-sonnet-5-5", "api"), ("offline-but-not-quite", "api")],
)
async def test_the_request_names_who_answers(name: str, answers: str) -> None:
    offline, api = Scripted([HELLO]), Scripted([HELLO])
    async for _ in Routed(offline, api).reply(asks(name)):
        pass
    assert len({"offline": offline, "api": api}[answers].requests) == 1
    assert len(offline.requests) + len(api.requests) == 1


async def test_a_script_streams_its_words_and_ends_with_the_whole() -> None:
    items = [item async for item in Scripted([HELLO]).reply(asks("m"))]
    assert items == [
        Started(HELLO.usage),
        ThinkingDelta("hm"),
        TextDelta("hello "),
        TextDelta("there "),
        HELLO,
    ]


async def test_a_script_may_fail_look_at_what_it_is_asked_and_come_to_an_end() -> None:
    def by_name(request: Request) -> Reply:
        return Reply((Text(request.model),), Usage(), "end_turn")

    model = Scripted([ModelError("server", "down"), by_name])
    with pytest.raises(ModelError, match="down"):
        await anext(model.reply(asks("m")))
    assert [item async for item in model.reply(asks("m"))][-1] == by_name(asks("m"))
    with pytest.raises(ModelError, match="at its end"):
        await anext(model.reply(asks("m")))
