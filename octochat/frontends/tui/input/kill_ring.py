"""What was cut with keys: the last few texts, to be put back. It knows nothing of widgets."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

KEPT = 60
"""Texts that are kept, as many as in emacs."""


@dataclass(slots=True)
class KillRing:
    """emacs' kill ring; vim's commands use its newest text."""

    _texts: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT))

    @property
    def newest(self) -> str:
        """What would be put back; empty where nothing was cut."""
        return self._texts[-1] if self._texts else ""

    def add(self, text: str) -> None:
        """Keep what was cut."""
        if text:
            self._texts.append(text)

    def before(self, text: str) -> None:
        """Keep it with what was cut last, in front of it."""
        self._join((text, self.newest))

    def after(self, text: str) -> None:
        """Keep it with what was cut last, behind it."""
        self._join((self.newest, text))

    def older(self) -> str:
        """The one before; the newest becomes the oldest."""
        self._texts.rotate(1)
        return self.newest

    def _join(self, texts: Iterable[str]) -> None:
        whole = "".join(texts)
        if self._texts:
            self._texts.pop()
        self.add(whole)
