"""The app's conversation with a session: what is said goes in, what happens comes out.

The work runs in a task that touches no widget: all it does is post messages.
"""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from octochat.context.session.events import Entry
from octochat.models.port import Delta, ModelError, Notice
from octochat.storage.log import LogError

if TYPE_CHECKING:
    from octochat.session.session import Session


@dataclass
class Arrived(Message):
    """Something happened in the session: all that came since the app last looked.

    One message for many pieces, so that keys never stand in line behind a fast answer.
    """

    items: list[Entry | Delta]
    taken: bool = False
    """The app has looked; what comes now goes into another message."""

    def take(self) -> list[Entry | Delta]:
        """What has come, in order."""
        self.taken = True
        return self.items


@dataclass
class Reported(Message):
    """A command has an answer for the person alone."""

    text: str


@dataclass
class Rested(Message):
    """The work is over: the person's turn."""

    seconds: float
    """How long it took."""


@dataclass
class SwitchedTo(Message):
    """A command leads to another session."""

    session: str | None
    """Its id; None: a new one."""
    draft: str
    """What stands in the input there."""


async def talk(app: MessagePump, session: "Session", text: str) -> None:
    """A turn: say something, post all that comes of it, and that it is over."""
    begun = asyncio.get_running_loop().time()
    try:
        await tell(app, session, text)
    finally:
        app.post_message(Rested(asyncio.get_running_loop().time() - begun))


async def tell(app: MessagePump, session: "Session", text: str) -> None:
    """Say something and post all that comes of it."""
    from octochat.commands.base import Report, Switched  # long after the first paint
    from octochat.commands.say import COMMANDS, say
    from octochat.commands.typed import FrontEndCommand, ShellLine, typed

    said = typed(text, COMMANDS, ())
    if isinstance(said, ShellLine | FrontEndCommand):
        return  # the app does those itself
    last = Arrived([], taken=True)
    try:
        async with aclosing(say(session, said)) as stream:
            async for item in stream:
                if isinstance(item, Switched):
                    app.post_message(SwitchedTo(item.session, item.draft))
                if isinstance(item, Report):
                    last = Arrived([], taken=True)
                    app.post_message(Reported(item.text))
                elif last.taken:
                    last = Arrived([item])
                    app.post_message(last)
                else:
                    last.items.append(item)
                await asyncio.sleep(0)
    except ModelError as error:
        words = (str(error), error.detail)
        app.post_message(Arrived([Notice("\n".join(filter(None, words)), "error")]))
    except LogError as error:
        app.post_message(Arrived([Notice(str(error), "error")]))
