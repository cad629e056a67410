"""Lines for the person's own shell, run beside the conversation, each with a card of its own."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import cast

from textual.app import App

from octochat.commands.shell_output import shell_output
from octochat.frontends.shared.ran_words import attached
from octochat.frontends.shared.shell_escape import ShellResult, captured
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.transcript.cards.shell import ShellCard
from octochat.session.session import Session
from octochat.tools.base import ToolError

GROUP = "shell"
"""Textual's name for their workers."""


class ShellLines:
    """Runs them and stops them."""

    def __init__(
        self, app: App[str], view: ChatView, session: Callable[[], Session | None]
    ) -> None:
        """`session` gives the one that is open."""
        self._app = app
        self._view = view
        self._session = session

    def begin(self, command: str, *, told: bool) -> None:
        """Run a line; the model goes on meanwhile, and other lines with it.

        `told`: what comes of it goes along with the next message.
        """
        self._app.run_worker(self._shown(command, told=told), group=GROUP)

    def stop(self) -> None:
        """Stop them all; what came of them stays."""
        cancel = cast("Callable[[object, str], object]", self._app.workers.cancel_group)
        cancel(self._app, GROUP)

    async def _shown(self, command: str, *, told: bool) -> None:
        transcript = self._view.pane.transcript
        card = ShellCard(transcript.clock(), command, told=told)
        transcript.add(card)
        self._view.prompt.beside += 1
        loop = asyncio.get_running_loop()

        def tell(piece: str) -> None:
            card.write(piece)
            loop.call_soon_threadsafe(transcript.touch, card)

        try:
            ran = await captured(command, Path.cwd(), tell)
            card.end(ran)
        finally:
            self._view.prompt.beside -= 1
        if card in transcript.cards:
            transcript.model.touched.add(card)
            transcript.update()
        if told and ran.began:
            self._attach(command, ran)

    def _attach(self, command: str, ran: ShellResult) -> None:
        session = self._session()
        if session is None:
            return
        try:
            told = shell_output(session, command, ran.words, ran.printed)
            self._view.prompt.attach(attached(told))
        except ToolError as error:
            self._view.note(f"What it printed does not go along: {error}")
