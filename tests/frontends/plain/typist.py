"""The plain chat in this process, with somebody who types what the test says and then leaves."""

import asyncio
from collections import deque

from octochat.frontends.plain.keyboard import Keyboard
from octochat.frontends.plain.start import PlainChat
from octochat.frontends.shared.history import History
from octochat.session.options import Options
from tests.e2e.home import Home


class Typist(Keyboard):
    """Types one line after the other; then comes Ctrl-D."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self._lines = deque(lines)

    def prompt(self, draft: str = "") -> str:
        if not self._lines:
            raise EOFError
        return self._lines.popleft()


def chat_of(at: Home, *lines: str, **said: str) -> None:
    """Open the plain chat, type the lines, and leave. What is told goes to stdout."""
    options = Options(at.project, **said)  # pyright: ignore[reportArgumentType]
    with asyncio.Runner() as runner:
        history = History(at.data / "history.jsonl", folder=str(at.project))
        chat = PlainChat(options, runner, Typist(*lines), history)
        chat.open(options)
        chat.talk()
        chat.close()
