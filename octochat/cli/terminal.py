"""Opens the terminal interface, after what must be so before Textual is loaded."""

import gc
import os

from octochat.session.options import Options

ESCAPE_NEAR, ESCAPE_FAR = "20", "100"
"""Milliseconds after which an Escape is a key and not the beginning of another one: a terminal on
this machine sends both at once, a network may part them."""


def open_chat(options: Options, *, choose: bool, theme: str) -> int:
    """Ask the terminal, load the interface and run it; returns the exit code."""
    from octochat.frontends.tui.terminal.background import ground_of
    from octochat.frontends.tui.terminal.info import surroundings
    from octochat.frontends.tui.terminal.pastes import marked_pastes

    terminal = surroundings()
    os.environ.setdefault("ESCDELAY", ESCAPE_FAR if terminal.ssh else ESCAPE_NEAR)
    gc.disable()  # until the session is open: collecting finds nothing while modules are loaded
    with marked_pastes() as typed:
        from octochat.frontends.tui.start import start  # Textual reads ESCDELAY as it is loaded

        ground, heard = ground_of(terminal)
        dark, early = ground != "light", typed + heard
        return start(options, choose=choose, dark=dark, theme=theme, early=early)
