"""The walls as a profile of `sandbox-exec`, on macOS.

Written after the profiles that others publish; its form is tested, but it has not been run.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from octochat.sandbox.walls import Walls

PROGRAM = "/usr/bin/sandbox-exec"
_BASE = """\
(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow user-preference-read)
(allow ipc-posix-sem)
(allow pseudo-tty)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center"))
(allow file-read* file-test-existence)
(allow file-write-data file-ioctl
  (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx"))"""
_NETWORK = """\
(allow network*)
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.trustd.agent")
  (global-name "com.apple.networkd"))"""


def arguments(walls: Walls, *, network: bool) -> list[str]:
    """What follows the program: the last rule that fits wins."""
    return ["-p", profile(walls, network=network)]


def profile(walls: Walls, *, network: bool) -> str:
    """The profile's text."""
    pinned = " ".join(f"(literal {_quoted(path)})" for path in (*walls.pinned, *walls.writable))
    rules = [
        _BASE,
        *([_NETWORK] if network else []),
        f"(allow file-write* {_subpaths(walls.writable)})",
        f"(deny file-write-unlink {pinned})",
        *([f"(deny file-write* {_subpaths(walls.fixed)})"] if walls.fixed else []),
        *([f"(deny file-read* file-write* {_subpaths(walls.hidden)})"] if walls.hidden else []),
        # Folders that hold the working folder can lie in hidden ones.
        *_back(walls),
    ]
    return "\n".join(rules)


def _back(walls: Walls) -> Sequence[str]:
    """What is writable though a hidden folder holds it."""
    inside = [path for path in walls.writable if any(h in path.parents for h in walls.hidden)]
    return [f"(allow file-read* file-write* {_subpaths(inside)})"] if inside else []


def _subpaths(paths: Iterable[Path]) -> str:
    return " ".join(f"(subpath {_quoted(path)})" for path in paths)


def _quoted(path: Path) -> str:
    return '"{}"'.format(str(path).replace("\\", "\\\\").replace('"', '\\"'))
