"""Telling that something can't be written, once, until it can be. It knows not what that is."""

from collections.abc import Callable


class DiskTrouble:
    """One thing on the disk, and whether the last try to write it failed."""

    def __init__(self, words: str, tell: Callable[[str], object]) -> None:
        """`words` say what can't be done; `tell` takes them, with the reason behind."""
        self._words = words
        self._tell = tell
        self._told = False

    def tries(self, write: Callable[[], object]) -> bool:
        """Whether it could be written."""
        try:
            write()
        except OSError as error:
            if not self._told:
                self._tell(f"{self._words}: {error}")
            self._told = True
            return False
        self._told = False
        return True
