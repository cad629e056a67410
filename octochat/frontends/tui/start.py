"""Starts the terminal application from what the command line says."""

import os
import sys
from shutil import get_terminal_size

from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.terminal.sixteen import with_few_colours
from octochat.session.options import Options
from octochat.storage.data_folder import data_folder


def start(
    options: Options, *, choose: bool, dark: bool, theme: str = "", early: bytes = b""
) -> int:
    """Open the chat; returns the exit code.

    Args:
        options: what the command line says of the session.
        choose: begin with the list of sessions.
        dark: whether the terminal is dark.
        theme: what the configuration names, if anything.
        early: what the terminal has sent already.
    """
    app = Octochat(options, data=data_folder(), choose=choose, dark=dark, theme=theme)
    with_few_colours(app)
    app.terminal.early = early
    session = app.run()
    code = app.return_code or 0
    if "TEXTUAL_DRIVER" in os.environ:
        return code  # in a browser there is no terminal to leave a word in
    if app.mishap:
        sys.stderr.write(f"octochat: {app.mishap}\n")
    elif session and app.chat:
        sys.stdout.write(app.chat.scrollback_text(get_terminal_size().columns))
        sys.stdout.write(f"To go on with this session: octochat -r {session}\n")
    return code
