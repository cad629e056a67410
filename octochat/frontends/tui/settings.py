"""What the configuration says of the terminal interface, carried out on the app."""

from textual.app import App

from octochat.config.tui_settings import TuiSettings
from octochat.context.codec.bounds import seconds
from octochat.frontends.tui.chat_view import ChatView
from octochat.frontends.tui.input.keymaps import KEYMAPS, KeymapName
from octochat.frontends.tui.input.vim.modes import Vim
from octochat.frontends.tui.terminal.info import FAR, NEAR, Pace, TerminalInfo
from octochat.frontends.tui.terminal.output import CallBack

EMACS = {"palette": "alt+x", "find": "ctrl+f,ctrl+s"}
"""Keys of the app where the input needs its own; Ctrl+F finds from everywhere but the input."""


def apply_settings(app: App[str], view: ChatView, said: TuiSettings) -> None:
    """Make the app as the `[tui]` table says; a theme that is none leaves the present one."""
    if said.theme in app.available_themes:
        app.theme = said.theme
    elif said.theme != "auto":
        view.note(f"There is no theme {said.theme}, which [tui] names; /theme shows all.")
    view.prompt.use_keys(said.keys, Vim() if said.keys == "vim" else None)
    app.set_keymap(EMACS if said.keys == "emacs" else {})
    view.status.parts = said.status
    view.terminal.bound = bound_keys(said.keys)
    view.terminal.calling = CallBack(said.bell, said.notify, seconds(said.notify_after))
    pace = pace_of(said, view.terminal.info)
    if not pace.animations:
        app.animation_level = "none"
    view.pane.transcript.keep(pace)
    view.pane.activity.keep(pace)


def bound_keys(keys: KeymapName) -> frozenset[str]:
    """The names of the keys that mean something; in vim an Escape is never Alt."""
    match keys:
        case "vim":
            return frozenset()
        case "emacs":
            return frozenset({*KEYMAPS[keys], *",".join(EMACS.values()).split(",")})
        case "default":
            return frozenset(KEYMAPS[keys])


def pace_of(said: TuiSettings, terminal: TerminalInfo) -> Pace:
    """How often the screen changes: `low_bandwidth`, by itself over ssh."""
    match said.low_bandwidth:
        case "on":
            return FAR
        case "off":
            return NEAR
        case "auto":
            return terminal.pace
