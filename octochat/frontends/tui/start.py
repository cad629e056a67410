"""Starts the terminal application from what the command line says."""

import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from octochat.frontends.tui.start_error import StartError
from octochat.storage.sessions import data_folder

if TYPE_CHECKING:
    from octochat.context.session.events import Entry
    from octochat.permissions.ask import Approver
    from octochat.session.options import Options
    from octochat.session.session import Session
    from octochat.storage.sessions import SessionSummary


ESCAPE_NEAR, ESCAPE_FAR = "40", "100"
"""Milliseconds after which an Escape is a key and not the beginning of another one."""


def start(options: "Options", *, choose: bool, theme: str = "") -> int:
    """Open the chat; returns the exit code.

    Args:
        options: what the command line says of the session.
        choose: begin with the list of sessions.
        theme: what the configuration names, if anything.
    """
    from octochat.frontends.tui.terminal.background import ground_of
    from octochat.frontends.tui.terminal.info import surroundings

    desk = surroundings()

    def begin(wanted: str | None, model: str | None, approver: "Approver") -> "Session":
        return opened(asked_for(options, wanted, model), approver)

    os.environ.setdefault("ESCDELAY", ESCAPE_FAR if desk.ssh else ESCAPE_NEAR)
    gc.disable()  # until the session is open: collecting finds nothing while modules are loaded
    from octochat.frontends.tui.app import Octochat  # after the line above
    from octochat.frontends.tui.opening import Sessions

    app = Octochat(
        Sessions(
            begin,
            lambda: glance(options),
            lambda now: interrupted(options, now),
            choose=choose,
            resumes=bool(options.resume or options.go_on),
        ),
        data=data_folder(),
        folder=options.folder,
        dark=ground_of(desk) != "light",
        theme=theme,
    )
    session = app.run()
    if "TEXTUAL_DRIVER" in os.environ:
        return app.return_code or 0  # in a browser there is no terminal to leave a word in
    if session:
        sys.stdout.write(app.remains(get_terminal_size().columns))
    return _left(app.mishap, session or "", app.return_code or 0)


def asked_for(options: "Options", wanted: str | None, model: str | None) -> "Options":
    """The options for a session in place of another one.

    Args:
        options: what the command line says.
        wanted: an id; empty for the session that the command line asks for, None for a new one.
        model: what a new one begins with. One that is resumed keeps its own.
    """
    if wanted == "":
        return options
    return replace(options, resume=wanted, go_on=False, model=None if wanted else model)


def _left(mishap: str, session: str, code: int) -> int:
    """Say how to go on, and give the exit code."""
    if mishap:
        sys.stderr.write(f"octochat: {mishap}\n")
    elif session:
        sys.stdout.write(f"To go on with this session: octochat -r {session}\n")
    return code


def glance(options: "Options") -> "Sequence[Entry]":
    """The session that is to be resumed, read without opening it: it is shown while that happens.

    Nothing where it can't be read; opening it will say why.
    """
    from octochat.storage.lines import LogError, read, split  # after the first paint
    from octochat.storage.sessions import NoSessionError, find, newest

    if not (options.resume or options.go_on):
        return ()
    try:
        path = find(options.resume) if options.resume else newest(options.folder)
        whole, _ = split(path.read_bytes())
        return read(whole, path)
    except (NoSessionError, LogError, OSError):
        return ()


def interrupted(options: "Options", current: str) -> "SessionSummary | None":
    """The session that ended here in the middle of work, for those who go on with none."""
    from octochat.storage.unfinished import left_off  # after the first paint

    return None if options.resume or options.go_on else left_off(options.folder, current)


def opened(options: "Options", approver: "Approver") -> "Session":
    """Open a session, with all the imports that it takes; for a thread.

    Raises:
        StartError: it can't be opened.
    """
    from octochat.config.load import ConfigError
    from octochat.session.build import open_session  # after the first paint
    from octochat.storage.log import LogError
    from octochat.storage.sessions import NoSessionError

    try:
        return open_session(options, approver)
    except (ConfigError, LogError, NoSessionError) as error:
        raise StartError(str(error)) from error
