"""The session that is to be resumed, read without opening it: it is shown while that happens."""

from collections.abc import Sequence

from octochat.context.session.events import Entry
from octochat.session.options import Options
from octochat.storage.lines import readable
from octochat.storage.sessions import NoSessionError, find, newest


def session_preview(options: Options) -> Sequence[Entry]:
    """Its entries as they stand there: whether they go together is seen when it is opened.

    None where there is no such session, for opening it will say so.
    """
    if not (options.resume or options.go_on):
        return ()
    try:
        path = find(options.resume) if options.resume else newest(options.folder)
        return tuple(readable(path.read_bytes()))
    except (NoSessionError, OSError):
        return ()
