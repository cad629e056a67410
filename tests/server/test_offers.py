"""Deferred tools, references to them, and changes in mid-conversation: refused, shown, priced."""

from http import HTTPStatus

import pytest

from tests.server import ClaudeServer, Json
from tests.server.offers import INLINE_BETA, TOOLS_BETA, offered
from tests.server.raw import assistant, marked, post, request, result, text, tool, use, user
from tests.server.script import say

OPUS = "claude-opus-5"
FIND, ISSUE = tool("find_tools"), tool("issue", defer_loading=True, description="word " * 2_000)
SEARCH = (user("x"), assistant([use("t1", "find_tools")]))
FOUND: Json = {"type": "tool_reference", "tool_name": "issue"}


def change(kind: str, **what: object) -> Json:
    return {"role": "system", "content": [{"type": kind, "tool": what}]}


def named(kind: str, name: str = "issue") -> Json:
    return change(kind, type="tool_reference", name=name)


INLINE = change("tool_addition", type="tool_definition", definition=tool("late"))


def body(*messages: Json, tools: tuple[Json, ...] = (FIND, ISSUE), model: str = OPUS) -> Json:
    return request(*messages, model=model, tools=list(tools))


@pytest.mark.parametrize(
    ("sent", "betas", "words"),
    [
        (body(), (), ""),
        (body(tools=(FIND, marked(ISSUE))), (), "cannot have cache_control"),
        (body(tools=(ISSUE,)), (), "at least one tool"),
        (body(model="claude-sonnet-5"), (), "defer_loading: not supported on this model"),
        (body(*SEARCH, user([result(content=[FOUND])])), (), ""),
        (body(*SEARCH, user([result(content=[FOUND])]), tools=(FIND,)), (), "not found"),
        (body(user("x"), named("tool_addition")), (TOOLS_BETA,), ""),
        (body(user("x"), named("tool_addition")), (), "need the beta header"),
        (body(user("x"), named("tool_removal", "other")), (TOOLS_BETA,), "is not declared"),
        (body(user("x"), INLINE), (TOOLS_BETA, INLINE_BETA), ""),
        (body(user("x"), INLINE), (TOOLS_BETA,), "needs the beta header inline-tools"),
        (
            body(user("x"), INLINE, assistant("y"), user("z"), named("tool_removal", "late")),
            (TOOLS_BETA, INLINE_BETA),
            "",
        ),
        (body(user([named("tool_addition")["content"][0]])), (TOOLS_BETA,), "not permitted"),
    ],
)
async def test_what_can_be_shown_is_taken_and_the_rest_refused(
    sent: Json, betas: tuple[str, ...], words: str
) -> None:
    async with ClaudeServer() as server:
        status, answer = await post(server, sent, betas=betas)
    assert (status == HTTPStatus.OK) == (not words)
    assert words in str(answer)


def test_the_tools_at_the_end_of_a_request_are_those_shown_and_not_withdrawn() -> None:
    shown = body(*SEARCH, user([result(content=[FOUND])]), INLINE)
    assert set(offered(body())) == {"find_tools"}
    assert set(offered(shown)) == {"find_tools", "issue", "late"}
    taken = body(*shown["messages"], assistant("a"), user("b"), named("tool_removal"))
    assert set(offered(taken)) == {"find_tools", "late"}


async def test_a_deferred_tool_costs_nothing_until_it_is_shown_and_breaks_no_cache() -> None:
    first = [user([marked(text("word " * 5_000))])]
    search = [*first, assistant([use("t1", "find_tools")]), user([result(content=[FOUND])])]
    async with ClaudeServer(say("a"), say("b")) as server:
        await post(server, body(*first))
        await post(server, body(*search))
    without, shown = (charge.usage for charge in server.bill)
    assert without.prompt < 9_000
    assert shown.read == without.write_5m
    assert shown.prompt > without.prompt + 2_500
