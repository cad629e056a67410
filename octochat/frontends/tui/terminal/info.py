"""What octochat stands on: which terminal, inside tmux or not, near or over ssh, light or dark.

Pure, from the environment; nothing is asked and nothing is written here.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Ground: TypeAlias = Literal["dark", "light"]
_LIGHT_COLOURS = frozenset({7, *range(9, 16)})
"""Background colours of the 16 that are light, as COLORFGBG counts them."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often the screen changes."""

    stream_hz: float
    """Updates a second of an answer that streams."""
    spinner_hz: float
    """Steps a second of whatever shows that something works."""
    animations: bool


NEAR = Pace(stream_hz=12.0, spinner_hz=4.0, animations=True)
FAR = Pace(stream_hz=4.0, spinner_hz=0.5, animations=False)
"""Over ssh: a third of the bytes, and nothing that moves for its own sake."""


@dataclass(frozen=True, slots=True)
class TerminalInfo:
    """The surroundings."""

    terminal: str = ""
    """The terminal's name: `TERM_PROGRAM`, else `TERM`."""
    tmux: bool = False
    ssh: bool = False
    wayland: bool = False
    x11: bool = False
    macos: bool = False
    wsl: bool = False
    ground: Ground | None = None
    """What COLORFGBG says; None where it says nothing."""

    @property
    def pace(self) -> Pace:
        """How often the screen should change here."""
        return FAR if self.ssh else NEAR


def surroundings(
    environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> TerminalInfo:
    """What the environment tells."""

    def has(name: str) -> bool:
        return bool(environ.get(name))

    inside = has("TMUX")
    outer = environ.get("LC_TERMINAL") or ("" if inside else environ.get("TERM_PROGRAM", ""))
    kitty = "kitty" if has("KITTY_WINDOW_ID") else ""
    vte = "vte" if has("VTE_VERSION") else ""
    return TerminalInfo(
        terminal=(outer or kitty or vte or environ.get("TERM", "")).lower(),
        tmux=inside,
        ssh=has("SSH_CONNECTION") or has("SSH_TTY"),
        wayland=has("WAYLAND_DISPLAY"),
        x11=has("DISPLAY"),
        macos=platform == "darwin",
        wsl=has("WSL_DISTRO_NAME"),
        ground=_ground(environ.get("COLORFGBG", "")),
    )


def _ground(colours: str) -> Ground | None:
    """`15;0` is light on dark; some terminals write a third field between the two."""
    last = colours.rpartition(";")[2]
    if not last.isdecimal():
        return None
    return "light" if int(last) in _LIGHT_COLOURS else "dark"
