"""Why there is no session to talk to."""


class StartError(Exception):
    """A session can't be opened. `str(error)` says what to do."""
