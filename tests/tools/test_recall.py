"""The `recall` tool: what was said, word for word, page by page."""

import re

import pytest

from octochat.context.session.content import Image, Text, Thinking, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    TaskEnded,
)
from octochat.memory.all_sessions import Where
from octochat.memory.session_memory import SessionMemory
from octochat.permissions.ask import ignore_trouble
from octochat.tools.base import ToolError
from octochat.tools.recall import FOUND, PAGE, Recall

EVENTS: tuple[Event, ...] = (
    Opened("m", "the system prompt"),
    Prompted((Text("where is the Needle?"), Image("image/png", "x"))),
    Replied((Thinking("secret", "s"), Text("I look."), ToolCall("t1", "read", {"file_path": "a"}))),
    Prompted((Text("faster"),)),
    Returned("t1", (Text("one\n  a needle here\nthree"),)),
    TaskEnded(),
)


def recall(*events: Event) -> Recall:
    entries = [Entry(n, 0.0, 1, event) for n, event in enumerate(events or EVENTS, 1)]
    memory = SessionMemory(None, tokens=0, strategies=(), earlier=Where(), warn=pytest.fail)
    return Recall(lambda: entries, lambda wanted: memory.found(wanted, entries))


async def fetched(tool: Recall, **arguments: object) -> str:
    output = await tool.run(arguments, tool.access(arguments), ignore_trouble)
    block = output.content[0]
    assert isinstance(block, Text)
    return block.text


async def test_an_entry_comes_back_word_for_word() -> None:
    assert await fetched(recall(), entries="2") == (
        "#2 the person:\nwhere is the Needle?\n[an image, image/png]"
    )


@pytest.mark.parametrize("wanted", ["2-3", "#2 - #3", "2..3", "2 to 3"])
async def test_a_range_holds_the_results_of_the_calls_in_it_and_no_thinking(wanted: str) -> None:
    text = await fetched(recall(), entries=wanted)
    assert "#3 you:\nI look.\n[called read (t1): {'file_path': 'a'}]" in text
    assert "#5 result of t1:\none\n  a needle here\nthree" in text
    assert "faster" not in text
    assert "secret" not in text


async def test_a_single_result_comes_back_by_its_own_number() -> None:
    assert await fetched(recall(), entries="5") == ("#5 result of t1:\none\n  a needle here\nthree")


async def test_a_note_comes_back_by_its_number() -> None:
    fold = Fold(2, 3, (Text("what the note says"),))
    made = recall(*EVENTS, Condensed("pressure", "heavy", 9, 5, fold))
    assert await fetched(made, entries="7") == "#7 a note:\nwhat the note says"


async def test_a_search_gives_passages_by_the_reply_that_they_belong_to() -> None:
    text = await fetched(recall(), search="NEEDLES")
    assert "#2 the person, 1970-01-01 00:00 UTC:\nwhere is the Needle?" in text
    assert "#3 a tool (a), 1970-01-01 00:00 UTC:\none\n  a needle here\nthree" in text


async def test_a_search_can_be_narrowed() -> None:
    assert "the person" not in await fetched(recall(), search="needle", of="tool")
    with pytest.raises(ToolError, match="Nothing in this conversation"):
        await fetched(recall(), search="needle", path="b.txt")
    with pytest.raises(ToolError, match="of must be person, you or tool, not 'me'"):
        await fetched(recall(), search="needle", of="me")


async def test_what_a_search_finds_comes_in_pages_of_whole_passages() -> None:
    many = recall(*(Prompted((Text(f"word number{n} {'x' * 700}"),)) for n in range(40)))
    seen: list[str] = []
    page = 1
    while True:
        text = await fetched(many, search="word", page=page)
        seen += re.findall(r"number\d+", text)
        assert len(text) <= FOUND + 100
        page += 1
        if f"[more on page {page}]" not in text:
            break
    assert sorted(seen) == sorted(f"number{n}" for n in range(40))
    with pytest.raises(ToolError, match=f"on page {page}"):
        await fetched(many, search="word", page=page)


async def test_long_answers_come_in_pages_that_lose_nothing() -> None:
    long = recall(Prompted((Text("x" * PAGE * 2),)))
    first = await fetched(long, entries="1")
    assert first.endswith("[page 1 of 3]")
    pages = [await fetched(long, entries="1", page=n) for n in (1, 2, 3)]
    assert sum(page.count("x") for page in pages) == PAGE * 2
    with pytest.raises(ToolError, match="only 3 pages"):
        await fetched(long, entries="1", page=4)
    short = recall(Prompted((Text("x"),)))
    assert await fetched(short, entries="1", page=None) == await fetched(short, entries="1")
    with pytest.raises(ToolError, match="There is only 1 page"):
        await fetched(short, entries="1", page=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "Give `entries`"),
        ({"entries": "x"}, "'x' is no entry"),
        ({"entries": "99"}, "entries go from 1 to 6"),
        ({"entries": "1"}, "There is no message 1"),
        ({"search": "haystack"}, "Nothing in this conversation answers 'haystack'"),
        ({"entries": "2", "page": 0}, "page must be"),
        ({"entries": "2", "page": "one"}, "page must be"),
    ],
)
async def test_what_makes_no_sense_is_said(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ToolError, match=words):
        await fetched(recall(), **arguments)


def test_it_needs_no_permission() -> None:
    assert recall().access({"entries": "2"}).kind == "none"
