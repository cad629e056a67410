"""What the model last saw of each file, so that it does not write over changes it knows nothing of.

It reads no files: whoever read or wrote one says so.
"""

import difflib
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from octochat.text.harmless import visible
from octochat.tools.base import RevealingError

_MOST_FILES = 100
_MOST_KEPT = 100_000
"""Characters: of a longer text only a digest is kept, so what changed in it can't be told."""
_MOST_LINES = 40
"""Lines of the difference that are told."""
_LONGEST = 200
"""Characters of such a line."""


class UnseenChangeError(RevealingError):
    """A file is not as the model saw it last."""


@dataclass(frozen=True, slots=True)
class _Sight:
    digest: bytes
    text: str | None


@dataclass(slots=True)
class Seen:
    """The files that were read or written, the last ones only."""

    _files: OrderedDict[Path, _Sight] = field(default_factory=OrderedDict[Path, _Sight])

    def note(self, path: Path, text: str) -> None:
        """The model has seen this text of the file, or a part of it, or wrote it."""
        self._files[path] = _sight(text)
        self._files.move_to_end(path)
        while len(self._files) > _MOST_FILES:
            self._files.popitem(last=False)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, the one that was seen last at the end."""
        return tuple(self._files)

    def renew(self, path: Path, text: str) -> bool:
        """The model is told that a file has this text now; whether that is another one."""
        before, now = self._files[path], _sight(text)
        self._files[path] = now
        return before.digest != now.digest

    def check(self, path: Path, shown: str, text: str) -> None:
        """Tell once of a change that the model has not seen; from then on it has.

        Raises:
            UnseenChangeError: the file was seen, and its text is another one now.
        """
        before, now = self._files.get(path), _sight(text)
        if before is None or before.digest == now.digest:
            return
        self._files[path] = now
        said = f"{shown} has changed on disk since you last read it, so nothing was done. "
        again = "If your change still fits, make it again."
        difference = _difference(before.text, now.text)
        raise UnseenChangeError(f"{said}{again}", f"{said}{difference}{again}")


def _sight(text: str) -> _Sight:
    plain = text.replace("\r\n", "\n")
    digest = hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return _Sight(digest, plain if len(plain) <= _MOST_KEPT else None)


def _difference(before: str | None, after: str | None) -> str:
    if before is None or after is None:
        return "Read it again where it matters. "
    lines = difflib.unified_diff(
        visible(before).split("\n"), visible(after).split("\n"), n=1, lineterm=""
    )
    changed = [line[:_LONGEST] for line in list(lines)[2:]]
    left = len(changed) - _MOST_LINES
    more = [f"... and {left:,} more lines"] if left > 0 else []
    return "\n".join(("What changed:", *changed[:_MOST_LINES], *more, ""))
