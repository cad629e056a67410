"""The walls as arguments of bubblewrap (`bwrap`), on Linux. It looks for no program."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from octochat.sandbox.walls import Walls

ISOLATION = (
    *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
"""Processes, messages and devices of its own, no rights, and all files read-only."""
FLAVOURS: Sequence[tuple[str, ...]] = (
    ("--unshare-user", "--disable-userns"),
    ("--unshare-user",),
    (),
)
"""The strictest first; older versions and some systems do not have them all."""
NO_NETWORK = ("--unshare-net",)
_PRIVATE = ("/tmp", "/var/tmp", "/run")  # noqa: S108  they are what is replaced
"""Empty in there: what lies in them is other programs' own, above all their sockets."""
_NEEDED = (
    *("/run/current-system", "/run/systemd/resolve/stub-resolv.conf"),
    *("/run/systemd/resolve/resolv.conf", "/run/NetworkManager/resolv.conf"),
    "/run/resolvconf/resolv.conf",
)
"""What the system keeps in /run that programs read: itself, and who is asked for names."""

_EMPTY = str(Path(__file__).with_name("empty"))
"""A file in the place of hidden ones. What is in /dev/null's place can't be opened."""


def arguments(walls: Walls, folder: Path) -> list[str]:
    """What follows the isolation: what is mounted where, folders before what lies in them."""
    mounts = [
        *(("--tmpfs", path) for path in _PRIVATE if _real(path)),
        *(("--ro-bind-try", path, path) for path in _NEEDED),
        *(("--bind", str(path), str(path)) for path in (*walls.writable, *walls.pinned)),
        *(("--ro-bind-try", str(path), str(path)) for path in walls.fixed),
        *map(_hiding, walls.hidden),
    ]
    mounts.sort(key=lambda words: len(Path(words[-1]).parts))
    closed = (("--remount-ro", str(path)) for path in walls.hidden if path.is_dir())
    return [*chain.from_iterable((*mounts, *closed)), "--chdir", str(folder)]


def _real(path: str) -> bool:
    return Path(path).is_dir() and not Path(path).is_symlink()


def _hiding(path: Path) -> tuple[str, ...]:
    """Something empty in its place."""
    return ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", _EMPTY, str(path))
