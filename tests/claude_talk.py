"""A conversation through the real client with the loopback server, for the tests of `claude.py`."""

from contextlib import aclosing
from dataclasses import replace
from typing import Any

from octochat.context.session.content import Block, Message, Said, Text, ToolCall, ToolResult
from octochat.context.session.events import ToolDefinition
from octochat.models.claude.model import Claude
from octochat.models.claude.request import DEFAULTS, ClaudeOptions
from octochat.models.port import Delta, Reply, Request
from tests.server import ClaudeServer

SYSTEM = "You are a careful colleague. " * 700
"""Long enough for every model's cache."""

READ = ToolDefinition(
    "read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}}
)


def user(*blocks: Block | str) -> Message:
    return Message("user", tuple(Text(b) if isinstance(b, str) else b for b in blocks))


def assistant(*blocks: Block | str) -> Message:
    return Message("assistant", tuple(Text(b) if isinstance(b, str) else b for b in blocks))


def asks(*messages: Message, model: str = "claude-sonnet-5", **more: Any) -> Request:
    """A request with the usual system prompt and one tool."""
    return replace(Request(model, SYSTEM, (READ,), messages, max_tokens=4_000), **more)


class Talk:
    """What was said so far, and the client that says it."""

    def __init__(
        self,
        server: ClaudeServer,
        model: str = "claude-sonnet-5",
        options: ClaudeOptions = DEFAULTS,
    ) -> None:
        self.claude = Claude(options, environment=server.env)
        self.model = model
        self.messages: list[Message] = []
        self.deltas: list[Delta] = []

    async def say(self, *blocks: Said | ToolResult | str, **more: Any) -> Reply:
        """Say something; the reply is taken into the conversation."""
        self.messages.append(user(*blocks))
        reply = await self.ask(**more)
        self.messages.append(Message("assistant", reply.blocks))
        return reply

    async def results(self, reply: Reply, text: str = "a line of the file\n" * 20) -> Reply:
        """Answer every call of a reply."""
        calls = [block for block in reply.blocks if isinstance(block, ToolCall)]
        return await self.say(*(ToolResult(call.id, (Text(text),)) for call in calls))

    async def ask(self, **more: Any) -> Reply:
        """Send the conversation as it is."""
        return await self.send(asks(*self.messages, model=self.model, **more))

    async def send(self, request: Request) -> Reply:
        last: Delta | Reply | None = None
        async with aclosing(self.claude.reply(request)) as stream:
            async for last in stream:
                if not isinstance(last, Reply):
                    self.deltas.append(last)
        assert isinstance(last, Reply)
        return last
