"""A server that says "ok", and what stands in the requests that it was sent."""

import json
from contextlib import aclosing
from itertools import pairwise

from octochat.commands.execute import execute, understood
from octochat.session.session import Session
from tests.e2e.answers import is_summary, summary
from tests.server import ClaudeServer, Json, Reply, Say, Think, reply, say


def answers(body: Json) -> Reply:
    if is_summary(body):
        return say(json.dumps(summary(should=True)))
    return reply(Think("hm"), Say("ok"))


async def said(session: Session, *prompts: str) -> None:
    for prompt in prompts:
        async with aclosing(execute(session, understood(prompt))) as stream:
            async for _ in stream:
                pass


def parts(body: Json) -> list[str]:
    """All that a request holds, in the order of the cache, without the marks for the cache."""

    def plain(block: Json) -> str:
        return json.dumps({key: value for key, value in block.items() if key != "cache_control"})

    head = [plain(block) for block in (*body["tools"], *body["system"])]
    talk = [f"{m['role']} {plain(block)}" for m in body["messages"] for block in m["content"]]
    return head + talk


def grows(server: ClaudeServer) -> bool:
    """Whether every request begins with the one before it, to the byte."""
    sent = [parts(body) for body in server.requests if not is_summary(body)]
    return all(after[: len(before)] == before for before, after in pairwise(sent))


def told(server: ClaudeServer) -> str:
    """The messages of the last request."""
    return json.dumps(server.requests[-1]["messages"])
