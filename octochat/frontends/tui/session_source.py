"""Where the sessions of the chat come from: the one that the command line asks for, and others."""

from dataclasses import dataclass, replace

from octochat.config.load import ConfigError
from octochat.permissions.ask import Approver
from octochat.session.build import open_session
from octochat.session.options import Options
from octochat.session.session import Session
from octochat.storage.log import LogError
from octochat.storage.sessions import NoSessionError, SessionSummary
from octochat.storage.unfinished import left_session, unfinished_session

NOT_OPENED = (ConfigError, LogError, NoSessionError)
"""Why a session can't be opened: `str(error)` says what to do."""


@dataclass(frozen=True, slots=True)
class SessionSource:
    """Opens sessions and finds them. All of it takes a while: for a thread."""

    options: Options
    """What the command line says."""

    def open(self, wanted: str | None, model: str | None, approver: Approver) -> Session:
        """Open a session; for the arguments see `options_for`.

        Raises:
            ConfigError: the configuration is wrong.
            NoSessionError: there is no such session.
            LogError: its file can't be used.
        """
        return open_session(options_for(self.options, wanted, model), approver)

    def unfinished(self, current: str) -> SessionSummary | None:
        """What ended in the middle of work in this folder, for those who go on with nothing.

        `current` is the id of the session that does not count.
        """
        if self.options.resume or self.options.go_on:
            return None
        return unfinished_session(self.options.folder, current)

    def left(self, current: str) -> str | None:
        """The session that was left last in this folder, for those who go on with nothing."""
        if self.options.resume or self.options.go_on:
            return None
        return left_session(self.options.folder, current)


def options_for(options: Options, wanted: str | None, model: str | None) -> Options:
    """The options for a session in place of another one.

    Args:
        options: what the command line says.
        wanted: an id; empty for the session that the command line asks for, None for a new one.
        model: what a new one begins with. One that is resumed keeps its own.
    """
    if wanted == "":
        return options
    return replace(options, resume=wanted, go_on=False, model=None if wanted else model)
