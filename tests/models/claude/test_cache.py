"""Cache breakpoints: where they stand, and that a long loop reads everything but what is new."""

import pytest

from octochat.context.session.content import Message, Text, Thinking, ToolCall, ToolResult
from octochat.models.claude.cache import breakpoints
from octochat.models.claude.request import ClaudeOptions
from octochat.models.port import Reply as Answer
from tests.claude_talk import Talk, assistant, user
from tests.server import Call, ClaudeServer, Reply, Think, reply, say

CALLS = [ToolCall(f"t{n}", "read") for n in range(30)]
RESULTS = [ToolResult(f"t{n}", (Text("x"),)) for n in range(30)]


def test_the_ends_of_this_request_and_of_the_one_before_are_marked() -> None:
    messages = [user("a", "b"), assistant("c"), user("d", "e")]
    assert breakpoints(messages, 0, 3) == {(0, 1), (2, 1)}


def test_the_end_of_the_request_before_is_marked_however_much_came_after_it() -> None:
    messages = [user("a"), assistant(*CALLS), user(*RESULTS)]
    assert {(0, 0), (2, 29)} <= breakpoints(messages, 0, 3)


def test_a_long_turn_is_marked_within_15_blocks_of_where_it_began() -> None:
    messages = [user("a"), assistant(*CALLS), user(*RESULTS)]
    assert breakpoints(messages, 0, 3) == {(0, 0), (1, 14), (2, 29)}


def test_the_blocks_of_a_turn_are_counted_from_the_end_of_a_long_prompt() -> None:
    messages = [user(*"abcdef"), assistant(*CALLS), user(*RESULTS)]
    assert breakpoints(messages, 0, 3) == {(0, 5), (1, 14), (2, 29)}


def test_before_the_first_reply_only_the_end_is_marked() -> None:
    assert breakpoints([user("a"), user("b")], 0, 3) == {(1, 0)}


def test_a_turn_of_15_blocks_needs_no_marker_within() -> None:
    messages = [user("a"), assistant(*CALLS[:7]), user(*RESULTS[:7], "more")]
    assert breakpoints(messages, 0, 3) == {(0, 0), (2, 7)}


def test_the_fold_comes_before_the_middle_of_a_long_turn() -> None:
    messages = [user("note"), assistant("c"), user("a"), assistant(*CALLS), user(*RESULTS)]
    assert breakpoints(messages, 1, 3) == {(0, 0), (2, 0), (4, 29)}


def test_thinking_is_never_marked() -> None:
    thoughts = [Thinking("hm", "sig"), Thinking("", "secret", redacted=True)] * 10
    messages = [user("a"), assistant("b", *thoughts, *CALLS), user(*RESULTS)]
    marked = [messages[number].blocks[index] for number, index in breakpoints(messages, 0, 3)]
    assert Text("b") in marked
    assert not any(isinstance(block, Thinking) for block in marked)


def test_no_more_are_chosen_than_there_are() -> None:
    messages = [user("note"), assistant("c"), user("a"), assistant(*CALLS), user(*RESULTS)]
    assert len(breakpoints(messages, 1, 2)) == 2


def calls(count: int) -> Reply:
    return reply(Think("let me see"), *(Call("read", {"path": f"{n}"}) for n in range(count)))


def all_read(before: Answer, now: Answer) -> bool:
    """Everything that the request before held was read, and the rest was written."""
    return (
        now.usage.cache_read == before.usage.prompt
        and now.usage.fresh == 0
        and now.usage.prompt > before.usage.prompt
    )


@pytest.mark.parametrize("ttl", ["5m", "1h"])
@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-4-6", "claude-haiku-4-5"])
async def test_a_long_loop_reads_all_but_what_is_new(model: str, ttl: str) -> None:
    sizes = [1, 3, 30, 1, 18, 20, 40, 2] * 3
    async with ClaudeServer(*map(calls, sizes), say("done")) as server:
        talk = Talk(server, model, ClaudeOptions(ttl="1h" if ttl == "1h" else "5m"))
        before = await talk.say("go")
        for _ in sizes:
            now = await talk.results(before)
            assert all_read(before, now)
            written = now.usage.cache_write_1h if ttl == "1h" else now.usage.cache_write
            assert written == now.usage.prompt - now.usage.cache_read
            before = now
        await talk.claude.close()
        assert server.refusals == []


async def test_a_prompt_of_forty_blocks_is_written_once_and_then_read() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        first = await talk.say("hi")
        second = await talk.say(*(f"paragraph {n}" for n in range(40)))
        third = await talk.say("thanks")
        await talk.claude.close()
    assert all_read(first, second)
    assert all_read(second, third)


async def test_taking_a_prompt_back_reads_up_to_where_the_talk_forks() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        first = await talk.say("hi")
        await talk.say("a wrong turn")
        del talk.messages[2:]
        again = await talk.say("a better turn")
        await talk.claude.close()
    assert again.usage.cache_read == first.usage.prompt


async def test_what_a_fold_made_is_read_even_when_the_tail_changes() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        talk.messages = [user("[a long summary] " * 200), assistant("I see.")]
        first = await talk.say("hi", folded=1)
        talk.messages[2:] = [user("something else"), assistant("Well."), user("go on")]
        again = await talk.ask(folded=1)
        await talk.claude.close()
    assert first.usage.cache_read == 0
    assert again.usage.cache_read > 800


async def test_an_instruction_at_the_end_reads_the_conversation_from_the_warm_cache() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server)
        first = await talk.say("hi")
        talk.messages.append(user("Now summarise all of this."))
        summary = await talk.ask()
        await talk.claude.close()
    assert all_read(first, summary)


async def test_a_prefix_too_short_for_the_cache_is_billed_in_full_and_refused_by_nobody() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server, "claude-opus-4-6")
        talk.messages = [user("hi")]
        short = await talk.ask(system="Be brief.")
        await talk.claude.close()
        assert server.refusals == []
    assert (short.usage.cache_write, short.usage.cache_read) == (0, 0)
    assert short.usage.fresh > 0


def test_a_request_of_one_message_has_one_end() -> None:
    assert breakpoints([Message("user", (Text("a"),))], 0, 3) == {(0, 0)}
