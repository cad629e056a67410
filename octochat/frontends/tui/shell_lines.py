"""Lines for the person's own shell, run beside the conversation, each with a card of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from textual.app import App

from octochat.frontends.shared.shell_escape import captured
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.transcript.cards.shell import ShellCard

GROUP = "shell"
"""Textual's name for their workers."""


class ShellLines:
    """Runs them and stops them."""

    def __init__(self, app: App[str], view: ChatView) -> None:
        self._app = app
        self._view = view

    def begin(self, command: str) -> None:
        """Run a line; the model goes on meanwhile, and other lines with it."""
        self._app.run_worker(self._shown(command), group=GROUP)

    def stop(self) -> None:
        """Stop them all; what came of them stays."""
        cancel = cast("Callable[[object, str], object]", self._app.workers.cancel_group)
        cancel(self._app, GROUP)

    async def _shown(self, command: str) -> None:
        transcript = self._view.pane.transcript
        card = ShellCard(transcript.clock(), command)
        transcript.add(card)
        self._view.prompt.beside += 1
        try:
            card.end(await captured(command, Path.cwd()))
        finally:
            self._view.prompt.beside -= 1
        if card in transcript.cards:
            transcript.model.touched.add(card)
            transcript.update()
