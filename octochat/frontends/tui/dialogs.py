"""The screens that open over the chat, and what becomes of that which is chosen there."""

from collections.abc import Callable, Mapping
from pathlib import Path

from textual.app import App

from octochat.commands.choices import Pick, Picks
from octochat.context.plans.standing import StandingPart, standing_parts
from octochat.frontends.shared.drafts import Draft
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.screen_commands import EMACS, KEYS
from octochat.frontends.tui.screens.context import ContextScreen
from octochat.frontends.tui.screens.help import (
    APPROVAL_KEYS,
    EDITING_KEYS,
    INPUT_KEYS,
    HelpScreen,
)
from octochat.frontends.tui.screens.picker import PickerScreen
from octochat.frontends.tui.screens.sessions import SessionsScreen
from octochat.frontends.tui.status.gauge_reading import gauge_of
from octochat.models.tokens.request_sizes import fixed_parts
from octochat.session.session import Session
from octochat.storage.sessions import listed


class Dialogs:
    """Opens the screens of an app."""

    def __init__(
        self,
        app: App[str],
        view: ChatView,
        submit: Callable[[str], None],
        resume: Callable[[str], None],
    ) -> None:
        """`submit` does what a command says, `resume` goes on with another session."""
        self._app = app
        self._view = view
        self._submit = submit
        self._resume = resume

    def choose_session(self, folder: Path) -> None:
        """Let the person choose a session to go on with."""

        def chosen(session: str | None) -> None:
            if session:
                self._resume(session)

        self._app.push_screen(SessionsScreen(listed, folder=folder), chosen)

    def help(self) -> None:
        """Show keys and commands."""

        def chosen(command: str | None) -> None:
            if command:
                self._submit(command)

        prompt = self._view.prompt
        other: Mapping[str, str] = EMACS if prompt.keys == "emacs" else {}
        keys = (
            ("Input", (*INPUT_KEYS, *EDITING_KEYS[prompt.keys])),
            ("Transcript", tuple((other.get(key, key), said) for key, said in KEYS)),
            ("Questions", APPROVAL_KEYS),
        )
        self._app.push_screen(HelpScreen(prompt.offered(), *keys), chosen)

    def context(self, session: Session, explained: str) -> None:
        """Show what is in the context, and how it came about; `explained` says what that is."""

        def chosen(unit: int | None) -> None:
            if unit is not None:
                self._view.pane.show_entry(unit)

        def pin(unit: int, keep: bool) -> None:
            self._submit(f"/{'pin' if keep else 'unpin'} {unit}")

        engine = session.engine
        entries = tuple(engine.log.entries)
        view = engine.state.view
        fixed = (
            StandingPart(part.name, part.tokens)
            for part in fixed_parts(view.system, view.tools, session.ruler)
            if part.within != "tools"
        )
        standing = (*fixed, *standing_parts(engine.state, session.ruler.text))
        gauge = gauge_of(session)
        screen = ContextScreen(
            gauge, engine.state, entries, told=explained, standing=standing, pin=pin
        )
        self._app.push_screen(screen, chosen)

    def pick(self, command: str, picks: Picks) -> None:
        """Let the person choose what follows a command; it is carried out, or waits its turn."""

        def chosen(value: str | None) -> None:
            if value is None:
                return
            prompt, text = self._view.prompt, f"/{command} {value}"
            if prompt.busy and prompt.waits(text):
                prompt.drafts.queue(Draft(text))
            else:
                self._submit(text)

        self._app.push_screen(PickerScreen(picks), chosen)

    def theme(self) -> None:
        """Let the person choose a theme, seen as they go through them."""
        before = self._app.theme

        def chosen(value: str | None) -> None:
            self._app.theme = value or before

        names = sorted(self._app.available_themes, key=lambda name: ("octochat" not in name, name))
        rows = tuple(Pick(name, name, current=name == before) for name in names)
        picks = Picks("Which colours? To keep them: theme under [tui]", rows)
        self._app.push_screen(PickerScreen(picks, self._show_theme), chosen)

    def _show_theme(self, name: str) -> None:
        self._app.theme = name
