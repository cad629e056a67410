"""A session with real servers and the strict API, in which a test makes the model call tools."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from octochat.commands.base import Report, Shown
from octochat.commands.execute import execute, understood
from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry, Returned
from octochat.mcp.host import McpHost
from octochat.models.port import Notice
from octochat.permissions.ask import AllowOnce, Approval, Verdict
from octochat.session.session import Session
from tests.e2e.home import Home, home
from tests.e2e.wire import answers
from tests.server import ClaudeServer, call
from tests.waiting import soon

OLDER = "claude-sonnet-5"
"""A model that can't load tools: it calls those of servers with `call_tool`."""


@dataclass(frozen=True, slots=True)
class Yes:
    """A person who allows everything."""

    asked: list[str] = field(default_factory=list[str])

    async def ask(self, approval: Approval) -> Verdict:
        self.asked.append(approval.call.name)
        return AllowOnce()


@dataclass
class Talk:
    """What a test does with the session, and what came of it."""

    at: Home
    api: ClaudeServer
    session: Session
    yes: Yes = field(default_factory=Yes)
    heard: list[Shown] = field(default_factory=list[Shown])

    @property
    def servers(self) -> McpHost:
        assert self.session.servers
        return self.session.servers

    async def says(self, text: str, seen: Callable[[Shown], object] | None = None) -> list[Shown]:
        """Say something; `seen` is told of each thing as it comes."""
        items: list[Shown] = []
        async with aclosing(execute(self.session, understood(text, self.session))) as stream:
            async for item in stream:
                items.append(item)
                if seen:
                    seen(item)
        self.heard += items
        return items

    async def reads(self, text: str) -> str:
        """What a command reports."""
        (item,) = await self.says(text)
        assert isinstance(item, Report)
        return item.text

    async def calls(
        self,
        server: str,
        tool: str,
        seen: Callable[[Shown], object] | None = None,
        **arguments: object,
    ) -> str:
        """What the model reads of a call that it makes."""
        self.api.then(call("call_tool", server=server, tool=tool, arguments=arguments))
        items = await soon(self.says(f"call {tool}", seen))
        events = [item.event for item in items if isinstance(item, Entry)]
        (result,) = [event for event in events if isinstance(event, Returned)]
        return plain_text(result.content)

    @property
    def lines(self) -> list[str]:
        """What the person was told beside the conversation."""
        return [item.text for item in self.heard if isinstance(item, Notice)]


@asynccontextmanager
async def talking(
    folder: Path, patch: pytest.MonkeyPatch, config: str, model: str = OLDER
) -> AsyncGenerator[Talk]:
    """A session whose servers are there."""
    async with ClaudeServer() as api:
        api.default = answers
        at = home(folder / "someone", api.env, config)
        at.enter(patch)
        talk = Talk(at, api, at.open(Yes(), model=model))
        try:
            await soon(talk.servers.settled(60))
            yield talk
        finally:
            await talk.session.close()
        assert api.refusals == []
