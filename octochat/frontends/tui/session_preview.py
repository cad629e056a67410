"""The session that is to be resumed, read without opening it: it is shown while that happens."""

from collections.abc import Sequence

from octochat.context.session.events import Entry
from octochat.session.options import Options
from octochat.storage.lines import LogError, read, split
from octochat.storage.sessions import NoSessionError, find, newest


def session_preview(options: Options) -> Sequence[Entry]:
    """Its entries; none where it can't be read, for opening it will say why."""
    if not (options.resume or options.go_on):
        return ()
    try:
        path = find(options.resume) if options.resume else newest(options.folder)
        whole, _ = split(path.read_bytes())
        return read(whole, path)
    except (NoSessionError, LogError, OSError):
        return ()
