"""One conversation: the session, the queue before it, the turn at work, and its interruption.

It touches no widget and knows none: what happens is posted, in order.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeAlias

from octochat.commands.base import Report, Switched
from octochat.commands.execute import execute
from octochat.commands.typed import (
    ForSession,
    FrontEndCommand,
    PromptText,
    ShellLine,
    Typed,
    waits,
)
from octochat.context.session.content import Said, Text
from octochat.context.session.events import Entry, Prompted
from octochat.models.port import Delta, ModelError, Notice
from octochat.session.session import Session
from octochat.storage.log import LogError


@dataclass
class ItemsArrived:
    """Something happened in the session: all that came since somebody last looked.

    One happening for many pieces, so that keys never stand in line behind a fast answer.
    """

    items: list[Entry | Delta]
    taken: bool = False
    """Somebody has looked; what comes now goes into another one."""

    def take(self) -> list[Entry | Delta]:
        """What has come, in order."""
        self.taken = True
        return self.items


@dataclass(frozen=True, slots=True)
class CommandReported:
    """A command has an answer for the person alone."""

    text: str
    draft: str = ""
    """What to put into the input, if nothing stands there."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn is over; the next one may have begun."""

    seconds: float
    """How long it took."""
    unsaid: tuple[Said, ...] = ()
    """A prompt that the log has not taken, with what was to go along."""


ForScreen: TypeAlias = ShellLine | FrontEndCommand
"""What the session has no part in."""
Happening: TypeAlias = ItemsArrived | CommandReported | Switched | TurnEnded


class Conversation:
    """What is said goes in, what happens comes out: one turn at a time."""

    def __init__(
        self,
        post: Callable[[Happening], object],
        run: Callable[[Coroutine[Any, Any, None]], object],
        screen: Callable[[ForScreen], object],
    ) -> None:
        """Make a conversation that has no session yet.

        Args:
            post: takes what happens.
            run: runs a task.
            screen: carries out what is not for the session.
        """
        self.session: Session | None = None
        self.at_work: bool = False
        self._post = post
        self._run = run
        self._screen = screen
        self._queue: deque[Typed] = deque()
        """What was said before the session was open, or in the middle of a turn."""

    @property
    def busy(self) -> bool:
        """Whether a turn is at work, or something waits for the session."""
        return self.at_work or bool(self._queue)

    def begin(self, session: Session) -> None:
        """Go on in a session; what was said before it was open is said now."""
        self.session = session
        self._keep_warm(session)
        waiting, self._queue = self._queue, deque()
        for said in waiting:
            self.submit(said)

    def submit(self, said: Typed) -> None:
        """Do what was typed, now or when its time has come."""
        match said:
            case _ if self.session is None:
                self._queue.append(said)
            case ShellLine() | FrontEndCommand():
                self._screen(said)
            case _ if not waits(said):
                self._run(self._tell(self.session, said))
            case _ if self.at_work:
                self._queue.append(said)
            case _:
                self._begin_turn(self.session, said)

    def interrupt(self) -> None:
        """Stop the turn; what has come of it stays."""
        if self.session and self.at_work:
            self.session.engine.interrupt()

    def meanwhile(self) -> None:
        """Post what came up between turns; in the middle of one the engine says it."""
        if self.session and not self.at_work and (lines := [*self.session.engine.warnings()]):
            self._post(ItemsArrived([*lines]))

    def _begin_turn(self, session: Session, said: ForSession) -> None:
        self.at_work = True
        self._run(self._turn(session, said))

    async def _turn(self, session: Session, said: ForSession) -> None:
        """Say something, post all that comes of it, and that it is over."""
        begun, before = asyncio.get_running_loop().time(), len(session.engine.log.entries)
        try:
            if session.keeper:
                await session.keeper.stop()
            await self._tell(session, said)
        finally:
            self.at_work = False
            self._keep_warm(session)
            unsaid = _not_taken(said, session.engine.log.entries[before:])
            self._post(TurnEnded(asyncio.get_running_loop().time() - begun, unsaid))
            self.meanwhile()
        if self._queue:
            self.submit(self._queue.popleft())

    def _keep_warm(self, session: Session) -> None:
        """No turn is at work: until one is, the prompt cache is kept warm, if that is wanted."""
        if session.keeper:
            session.keeper.begin(lambda item: self._post(ItemsArrived([item])))

    async def _tell(self, session: Session, said: ForSession) -> None:
        last = ItemsArrived([], taken=True)
        try:
            async with aclosing(execute(session, said)) as stream:
                async for item in stream:
                    if isinstance(item, Report):
                        last = ItemsArrived([], taken=True)
                        told = CommandReported(item.text, item.draft)
                        self._post(item if isinstance(item, Switched) else told)
                    elif last.taken:
                        last = ItemsArrived([item])
                        self._post(last)
                    else:
                        last.items.append(item)
                    await asyncio.sleep(0)
        except ModelError as error:
            words = (str(error), error.detail)
            self._post(ItemsArrived([Notice("\n".join(filter(None, words)), "error")]))
        except LogError as error:
            self._post(ItemsArrived([Notice(str(error), "error")]))


def _not_taken(said: ForSession, since: Iterable[Entry]) -> tuple[Said, ...]:
    """What was said, if it was a prompt that is not among the entries since."""
    if not isinstance(said, PromptText) or any(isinstance(e.event, Prompted) for e in since):
        return ()
    return tuple(Text(text) for text in (*said.along, said.text))
