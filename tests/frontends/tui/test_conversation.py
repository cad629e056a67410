"""A conversation by itself, without a screen: what waits, what overtakes, and what is stopped."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from octochat.commands.base import Switched
from octochat.commands.execute import COMMANDS
from octochat.commands.typed import FrontEndCommand, ShellLine, typed
from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry, Prompted, Replied
from octochat.frontends.tui.conversation import (
    CommandReported,
    Conversation,
    ForScreen,
    Happening,
    ItemsArrived,
    TurnEnded,
)
from octochat.frontends.tui.screen_commands import SCREEN_COMMANDS
from octochat.models.port import Delta, Notice, TextDelta
from octochat.session.session import Session
from tests.offline_session import at_home, opened

LONG = "count to 20000"
MOST = 60.0
"""Seconds until something that was waited for counts as missing."""


class Heard:
    """A conversation, and all that was heard of it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.happened: list[Happening] = []
        self.looking = True
        """Whether somebody looks at once at what has come."""
        self.seen: list[Entry | Delta] = []
        """What was looked at."""
        self.for_screen: list[ForScreen] = []
        self.running: set[asyncio.Task[None]] = set()
        self.conversation = Conversation(self._post, self._run, self.for_screen.append)
        self._changed = asyncio.Event()

    def say(self, text: str) -> None:
        self.conversation.submit(typed(text, COMMANDS, SCREEN_COMMANDS))

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(MOST):
            while not done():
                self._changed.clear()
                await self._changed.wait()

    async def rested(self, turns: int = 1) -> None:
        await self.until(lambda: len(self.of(TurnEnded)) >= turns and not self.conversation.at_work)

    async def answering(self) -> None:
        await self.until(lambda: any(isinstance(item, TextDelta) for item in self.seen))

    def of(self, kind: type[Happening]) -> list[Happening]:
        return [each for each in self.happened if isinstance(each, kind)]

    @property
    def said(self) -> list[str]:
        """What has come into the log of prompts and answers: P and R, in their order."""
        events = [entry.event for entry in self.session.engine.log.entries]
        both = [event for event in events if isinstance(event, Prompted | Replied)]
        return ["P" if isinstance(event, Prompted) else "R" for event in both]

    def _post(self, happening: Happening) -> None:
        self.happened.append(happening)
        if isinstance(happening, ItemsArrived) and self.looking:
            self.seen += happening.take()
        self._changed.set()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        self.running.add(asyncio.create_task(work))


@asynccontextmanager
async def heard(tmp_path: Path) -> AsyncGenerator[Heard]:
    """A conversation whose session is not open yet; what fails in a task fails the test."""
    with at_home(tmp_path) as work:
        one = Heard(opened(work))
        yield one
        await asyncio.gather(*one.running)
        await one.session.close()


async def test_what_is_said_before_the_session_is_open_is_said_then_in_its_order(
    tmp_path: Path,
) -> None:
    async with heard(tmp_path) as one:
        for text in ("hello", "!ls", "/theme nord", "hello again"):
            one.say(text)
        assert not one.for_screen
        assert not one.conversation.at_work
        assert one.conversation.busy, "what waits for the session is not done"
        one.conversation.begin(one.session)
        await one.rested(2)
        assert one.said == ["P", "R", "P", "R"]
        shell, theme = one.for_screen
        assert shell == ShellLine("ls")
        assert isinstance(theme, FrontEndCommand)
        assert theme.rest == "nord"


async def test_one_turn_at_a_time_and_a_look_at_the_context_overtakes(tmp_path: Path) -> None:
    async with heard(tmp_path) as one:
        one.conversation.begin(one.session)
        one.say(LONG)
        await one.answering()
        one.say("hello")
        one.say("/info")
        await one.until(lambda: one.of(CommandReported))
        assert one.said == ["P"], "the second prompt waits"
        one.conversation.interrupt()
        await one.rested(2)
        assert one.said == ["P", "R", "P", "R"]


async def test_an_interruption_ends_the_turn_and_keeps_what_came(tmp_path: Path) -> None:
    async with heard(tmp_path) as one:
        one.conversation.begin(one.session)
        one.say(LONG)
        await one.answering()
        one.conversation.interrupt()
        await one.rested()
        last = one.session.engine.log.entries[-1].event
        assert isinstance(last, Replied)
        assert last.stop == "interrupted"
        assert plain_text(last.blocks)


async def test_pieces_that_nobody_has_looked_at_come_together(tmp_path: Path) -> None:
    async with heard(tmp_path) as one:
        one.looking = False
        one.conversation.begin(one.session)
        one.say("count to 30")
        await one.rested()
        [arrived] = [each for each in one.happened if isinstance(each, ItemsArrived)]
        entries = [item.event for item in arrived.take() if isinstance(item, Entry)]
        assert [type(event) for event in entries] == [Prompted, Replied]


async def test_another_session_is_asked_for_and_a_failure_is_told(tmp_path: Path) -> None:
    async with heard(tmp_path) as one:
        one.conversation.begin(one.session)
        one.say("/clear")
        await one.rested()
        assert one.of(Switched)
        one.session.engine.max_cost = -1.0
        one.say("hello")
        await one.rested(2)
        notices = [item for item in one.seen if isinstance(item, Notice)]
        assert [notice.severity for notice in notices] == ["error"]
        assert "max_cost" in notices[0].text
