"""Starts the terminal application from what the command line says."""

import asyncio
import os
import signal
import sys
from shutil import get_terminal_size

from octochat.frontends.shared.endings import heard
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.terminal.sixteen import with_few_colours
from octochat.session.options import Options
from octochat.storage.data_folder import data_folder
from octochat.text.exit_codes import BY_SIGNAL


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
    told: list[signal.Signals] = []
    session = asyncio.run(_until_told(app, told))
    code = BY_SIGNAL + told[-1] if told else app.return_code or 0
    if "TEXTUAL_DRIVER" in os.environ:
        return code  # in a browser there is no terminal to leave a word in
    if app.mishap:
        sys.stderr.write(f"octochat: {app.mishap}\n")
    elif session and app.chat:
        sys.stdout.write(app.chat.scrollback_text(get_terminal_size().columns))
        sys.stdout.write(f"To go on with this session: octochat -r {session}\n")
    return code


async def _until_told(app: Octochat, told: list[signal.Signals]) -> str | None:
    """Run the app until the person leaves, or a signal tells it to end."""

    def end(by: signal.Signals) -> None:
        told.append(by)
        app.chat.leave("other") if app.chat else app.exit("")

    with heard(end):
        return await app.run_async()
