"""Which model answers, and the model that says what it is told to."""

import pytest

from octochat.config.load import Config
from octochat.context.session.content import Message, Text, Thinking
from octochat.context.session.events import Usage
from octochat.models.catalogue import info
from octochat.models.claude.credentials import NO_KEY
from octochat.models.port import ModelError, Reply, Request, Started, TextDelta, ThinkingDelta
from octochat.models.provider import Lack, ModelLimits
from octochat.models.providers import connected
from octochat.models.routing import Routed
from octochat.models.scripted import Scripted

HELLO = Reply((Thinking("hm", "s"), Text("hello there")), Usage(fresh=3, output=2), "end_turn")


class Spoken(Scripted):
    """A provider that says what it is told to."""

    def __init__(self, serving: str = "", lack: Lack | None = None) -> None:
        super().__init__([HELLO])
        self.serving = serving
        self.lack = lack
        self.prepared = self.closed = 0

    def serves(self, name: str) -> bool:
        return self.serving in ("", name)

    async def prepare(self) -> None:
        self.prepared += 1

    async def describe(self, name: str) -> ModelLimits | None:
        return ModelLimits(7, 5)

    async def close(self) -> None:
        self.closed += 1


def asks(model: str) -> Request:
    return Request(model, "", (), (Message("user", (Text("hi"),)),), max_tokens=10)


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("own", "own"),
        ("anthropic:own", "own"),
        ("claude-sonnet-5-5", "rest"),
        ("own-but-not-quite", "rest"),
    ],
)
async def test_the_request_names_who_answers(name: str, answers: str) -> None:
    own, rest = Spoken(serving="own"), Spoken()
    async for _ in Routed((own, rest)).reply(asks(name)):
        pass
    assert len({"own": own, "rest": rest}[answers].requests) == 1
    assert len(own.requests) + len(rest.requests) == 1


async def test_a_provider_is_asked_for_its_own_models_only() -> None:
    own, rest = Spoken(serving="own"), Spoken(lack=Lack("It is closed", "Come tomorrow."))
    routed = Routed((own, rest))
    assert routed.lack("own") is None
    assert routed.lack("claude-opus-5") == rest.lack
    await routed.prepare("own")
    assert (own.prepared, rest.prepared) == (1, 0)
    assert await routed.describe("claude-opus-5") == ModelLimits(7, 5)
    await routed.close()
    assert (own.closed, rest.closed) == (1, 1)


def test_without_a_key_only_the_offline_model_can_answer() -> None:
    routed = connected(Config(), info, {"ANTHROPIC_API_KEY": ""})
    assert routed.lack("claude-opus-5") == NO_KEY
    assert routed.lack("offline") is None
    keyed = connected(Config(), info, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"})
    assert keyed.lack("claude-opus-5") is None


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
