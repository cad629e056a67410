"""The seat as a model: what it writes, what it waits for, and what it bills."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from octochat.config.load import Config
from octochat.context.session.content import Message, Text, ToolCall, ToolResult
from octochat.models.catalogue import ModelSettings, catalogue, info
from octochat.models.claude.request import body
from octochat.models.names import bare
from octochat.models.port import Delta, ModelError, Notice, Reply, Request, Started, TextDelta
from octochat.models.providers import connected
from octochat.models.seat.model import NO_FOLDER, Seat
from octochat.summaries.writers import who_may_write
from tests.claude_talk import READ, SYSTEM, user
from tests.seat.sitter import appears, write
from tests.waiting import soon

MODEL = "seat:claude-sonnet-5-5"
CALL = '```tool read\n{"path": "a.txt"}\n```'


def asks(*messages: Message, **more: Any) -> Request:
    return replace(Request(MODEL, SYSTEM, (READ,), messages, max_tokens=4_000), **more)


async def posted(stream: AsyncGenerator[Delta | Reply, None]) -> Delta | Reply:
    """The first sign that the request is in the folder."""
    first = await anext(stream)
    return await anext(stream) if isinstance(first, Notice) else first


async def answered(seat: Seat, request: Request, answer: Path, text: str) -> list[Delta | Reply]:
    stream = seat.reply(request)
    items = [await posted(stream)]
    write(answer, text)
    return items + [item async for item in stream]


async def test_the_body_is_that_of_the_model_that_is_played(tmp_path: Path) -> None:
    request = asks(user("hi"))
    await answered(Seat(tmp_path, look=0), request, tmp_path / "0001.answer.md", "hello")
    sent = json.loads((tmp_path / "0001.request.json").read_text())
    assert sent == body(request, info("claude-sonnet-5-5"))
    assert "thinking-binding" in (tmp_path / "0001.headers.json").read_text()


async def test_the_answer_is_streamed_and_then_whole(tmp_path: Path) -> None:
    said = f"I look at it.\n{CALL}"
    seat, answer = Seat(tmp_path, look=0), tmp_path / "0001.answer.md"
    items = await answered(seat, asks(user("hi")), answer, said)
    texts = [item.text for item in items if isinstance(item, TextDelta)]
    assert texts == ["I ", "look ", "at ", "it."]
    reply = items[-1]
    assert isinstance(reply, Reply)
    call = ToolCall("seat_0001_1", "read", {"path": "a.txt"})
    assert (reply.blocks, reply.stop) == ((Text("I look at it."), call), "tool_use")


async def test_the_next_request_names_what_is_new_and_reads_the_cache(tmp_path: Path) -> None:
    seat, first = Seat(tmp_path, look=0), user("What is in a.txt?")
    items = await answered(seat, asks(first), tmp_path / "0001.answer.md", CALL)
    assert isinstance(items[0], Started)
    assert items[0].usage.cache_write > 2_000
    reply = items[-1]
    assert isinstance(reply, Reply)
    result = user(ToolResult("seat_0001_1", (Text("BERYL"),)))
    second = asks(first, Message("assistant", reply.blocks), result)
    items = await answered(seat, second, tmp_path / "0002.answer.md", "done")
    assert isinstance(items[-1], Reply)
    assert items[-1].usage.cache_read == reply.usage.prompt
    news = (tmp_path / "0002.new.md").read_text()
    assert "all but the first 1 of 3 messages" in news
    assert "Message 2 is your answer to 0001." in news
    assert "### result of read (seat_0001_1)" in news
    assert "BERYL" in news
    assert CALL not in news
    assert f" {reply.usage.prompt:,} of them from the cache" in news
    assert "What is in a.txt?" not in news
    assert "What is in a.txt?" in (tmp_path / "0002.request.md").read_text()
    assert not (tmp_path / "0002.system.md").exists()
    assert "0001.system.md" in news


async def test_what_is_gone_from_an_earlier_request_is_said(tmp_path: Path) -> None:
    seat = Seat(tmp_path, look=0)
    long = (user("one"), Message("assistant", (Text("two"),)), user("three"))
    await answered(seat, asks(*long), tmp_path / "0001.answer.md", "ok")
    await answered(seat, asks(long[0]), tmp_path / "0002.answer.md", "ok")
    assert (
        "Of those that 0001 had, 2 are gone or changed." in (tmp_path / "0002.new.md").read_text()
    )


async def test_a_bad_answer_is_told_and_waited_for_again(tmp_path: Path) -> None:
    stream = Seat(tmp_path, look=0).reply(asks(user("hi")))
    await posted(stream)
    write(tmp_path / "0001.answer.md", "```tool\nnothing")
    waiting = asyncio.ensure_future(anext(stream))
    told = await appears(tmp_path / "0001.error.md")
    assert "no closing fence" in told
    assert "nothing" in told
    assert not (tmp_path / "0001.answer.md").exists()
    write(tmp_path / "0001.answer.md", "hello")
    assert await soon(waiting) == TextDelta("hello")
    assert not (tmp_path / "0001.error.md").exists()
    await stream.aclose()


async def test_an_answer_that_is_json_goes_as_it_is_where_json_is_wanted(tmp_path: Path) -> None:
    request = asks(user("sum up"), schema={"type": "object", "properties": {}})
    given = '{"summary": "all"}'
    answer = tmp_path / "0001.answer.json"
    items = await answered(Seat(tmp_path, look=0), request, answer, given)
    assert isinstance(items[-1], Reply)
    assert items[-1].blocks == (Text(given),)
    assert "The answer must be JSON" in (tmp_path / "0001.new.md").read_text()


async def test_who_stops_waiting_withdraws_the_request(tmp_path: Path) -> None:
    stream = Seat(tmp_path, look=0).reply(asks(user("hi")))
    await posted(stream)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (tmp_path / "0001.withdrawn.md").exists()


async def test_numbers_go_on_in_a_folder_that_was_used_before(tmp_path: Path) -> None:
    for number in (1, 2):
        answer = tmp_path / f"000{number}.answer.md"
        items = await answered(Seat(tmp_path, look=0), asks(user("hi")), answer, "ok")
        assert isinstance(items[-1], Reply)
        assert items[-1].id == f"seat_000{number}"


async def test_a_folder_that_cant_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="folder can't be used"):
        await anext(Seat(tmp_path / "file").reply(asks(user("hi"))))


def test_without_a_folder_there_is_no_seat() -> None:
    routed = connected(Config(), info, {"ANTHROPIC_API_KEY": "k"})
    assert routed.lack("seat") == NO_FOLDER
    assert connected(Config(), info, {"OCTOCHAT_SEAT": "x"}).lack("seat:claude-opus-5") is None


def test_a_seat_is_as_the_model_that_it_plays() -> None:
    haiku = info("seat:claude-haiku-5-5")
    assert haiku == replace(
        info("claude-haiku-5-5"),
        name="seat:claude-haiku-5-5",
        compaction=False,
        efforts=(),
        turns_effort=False,
        loads_tools=False,
    )
    assert bare("seat") == MODEL
    settings = {"claude-haiku-5-5": ModelSettings(window=9_000)}
    assert catalogue(settings)("seat:claude-haiku-5-5").window == 9_000
    settings["seat:claude-haiku-5-5"] = ModelSettings(window=8_000)
    assert catalogue(settings)("seat:claude-haiku-5-5").window == 8_000


def test_notes_are_written_in_the_seat_too() -> None:
    assert {writer.model for writer in who_may_write("auto", MODEL, info)} == {
        MODEL,
        "seat:claude-haiku-5-5",
    }
    assert who_may_write("offline", MODEL, info) == ()


async def test_two_requests_can_wait_at_a_time(tmp_path: Path) -> None:
    seat = Seat(tmp_path, look=0)
    first, second = seat.reply(asks(user("one"))), seat.reply(asks(user("two")))
    await posted(first)
    await posted(second)
    write(tmp_path / "0002.answer.md", "to two")
    write(tmp_path / "0001.answer.md", "to one")
    assert await anext(second) == TextDelta("to ")
    assert await anext(second) == TextDelta("two")
    assert await anext(first) == TextDelta("to ")
    assert await anext(first) == TextDelta("one")
    await first.aclose()
    await second.aclose()
