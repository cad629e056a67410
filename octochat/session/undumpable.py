"""Keeps what octochat was told from the commands that it runs: Linux shows it under `/proc`.

A command runs as the same person and could read octochat's environment, and so its key, there.
"""

import ctypes
import sys

_PR_SET_DUMPABLE = 4


def hide_from_children() -> bool:
    """Close `/proc/PID/environ`, its memory and tracing to others; whether that could be done.

    A child that runs another program is as open as ever. On other systems there is nothing to do.
    """
    if sys.platform != "linux":
        return False
    try:
        return ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
    except (OSError, AttributeError):
        return False
