"""Escape pressed twice in a row. It knows nothing of what that is for."""

TWICE = 1.0
"""Seconds within which Escape counts as pressed twice."""


class DoubleEscape:
    """Waits for the second Escape after a first one."""

    def __init__(self) -> None:
        self._first: float | None = None
        """When Escape was pressed, in seconds of the clock."""

    def press(self, now: float) -> bool:
        """Whether this Escape is the second one."""
        second = self._first is not None and now - self._first <= TWICE
        self._first = None if second else now
        return second

    def forget(self) -> None:
        """Another key came between."""
        self._first = None
