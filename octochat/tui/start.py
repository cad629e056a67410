"""Starts the terminal application from what the command line says."""

import gc
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from octochat.sessions import data_folder
from octochat.tui.app import Octochat

if TYPE_CHECKING:
    from octochat.opening import Options
    from octochat.permissions import Approver
    from octochat.session import Session


def start(options: "Options", *, choose: bool, plain: bool) -> int:
    """Open the chat; returns the exit code.

    Args:
        options: what the command line says of the session.
        choose: begin with the list of sessions.
        plain: lines of text only, for screen readers.
    """
    from octochat.config import ConfigError  # noqa: PLC0415  # see `begin`
    from octochat.log import LogError  # noqa: PLC0415
    from octochat.sessions import NoSessionError  # noqa: PLC0415

    def begin(wanted: "str | None", approver: "Approver") -> "Session":
        from octochat.building import open_session  # noqa: PLC0415  # slow: in a thread

        asked = options if wanted == "" else replace(options, resume=wanted, go_on=False)
        session = open_session(asked, approver)
        session.ruler.load()
        gc.collect()
        gc.freeze()
        return session

    app = Octochat(
        begin,
        data=data_folder(),
        folder=options.folder,
        mishaps=(ConfigError, LogError, NoSessionError),
    )
    session = app.run()
    if app.mishap:
        sys.stderr.write(f"octochat: {app.mishap}\n")
    elif session:
        sys.stdout.write(f"To go on with this session: octochat -r {session}\n")
    return app.return_code or 0
