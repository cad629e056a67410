"""What the configuration says of the terminal interface, carried out on the app."""

from typing import TYPE_CHECKING

from octochat.config.schema import TuiSettings
from octochat.context.codec.bounds import seconds
from octochat.frontends.tui.input.keymaps import KEYMAPS, KeymapName
from octochat.frontends.tui.terminal.info import FAR, NEAR, Pace, TerminalInfo
from octochat.frontends.tui.terminal.output import Calling

if TYPE_CHECKING:
    from octochat.frontends.tui.frame import Frame

EMACS = {"palette": "alt+x", "find": "ctrl+f,ctrl+s"}
"""Keys of the app where the input needs its own; Ctrl+F finds from everywhere but the input."""


def settle(app: "Frame", said: TuiSettings) -> None:
    """Make the app as the `[tui]` table says; a theme that is none leaves the present one."""
    if said.theme in app.available_themes:
        app.theme = said.theme
    app.prompt.use_keys(said.keys)
    app.set_keymap(EMACS if said.keys == "emacs" else {})
    app.bound = bound_by(said.keys)
    app.terminal.calling = Calling(said.bell, said.notify, seconds(said.notify_after))
    pace = pace_of(said, app.terminal.desk)
    if not pace.animations:
        app.animation_level = "none"
    if app.room:
        app.room.transcript.keep(pace)


def bound_by(keys: KeymapName) -> frozenset[str]:
    """The names of the keys that mean something; in vim an Escape is never Alt."""
    match keys:
        case "vim":
            return frozenset()
        case "emacs":
            return frozenset({*KEYMAPS[keys], *",".join(EMACS.values()).split(",")})
        case "default":
            return frozenset(KEYMAPS[keys])


def pace_of(said: TuiSettings, desk: TerminalInfo) -> Pace:
    """How often the screen changes: `low_bandwidth`, by itself over ssh."""
    match said.low_bandwidth:
        case "on":
            return FAR
        case "off":
            return NEAR
        case "auto":
            return desk.pace
