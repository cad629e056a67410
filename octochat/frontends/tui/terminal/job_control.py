"""Tells whether octochat can leave the terminal to a shell and be brought back by it."""

import os
from pathlib import Path


def has_shell_behind() -> bool:
    """Whether a process of this terminal, as a shell, has octochat in a group of its own.

    A group that nobody has is orphaned, and a system does not stop it for Ctrl+Z, as nobody could
    go on with it: octochat that a terminal or tmux has started itself (POSIX.1-2017, System
    Interfaces, 2.4.3).
    """
    group, parent = os.getpgrp(), os.getppid()
    try:
        while parent > 1 and os.getpgid(parent) == group:
            parent = _parent(parent)
        return parent > 1 and os.getsid(parent) == os.getsid(0)
    except FileNotFoundError:
        return True  # no /proc, so that a starter such as `uv run` can't be looked past
    except OSError:
        return False


def _parent(pid: int) -> int:
    about = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return int(about.rpartition(")")[2].split()[1])
