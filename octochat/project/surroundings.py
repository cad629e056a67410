"""Where a session is at work, as facts by name: system, versions, git. It asks and reads only."""

import platform
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from octochat.project.git import git_state
from octochat.project.programs import PATIENCE, Programs
from octochat.project.text_file import UnusableFileError, read_text_file

NAMED = 5
"""Changed files that are named; the rest is counted."""
LONGEST = 100
"""Characters of a commit."""
LARGEST = 10_000
"""Bytes of a pyvenv.cfg that is read."""
_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".python-version")
_VENVS = (".venv", "venv")
_VERSION = re.compile(r"^version(?:_info)? *= *(\d+\.\d+\.\d+)", re.MULTILINE)


def surroundings(
    folder: Path, root: Path, env: Mapping[str, str], patience: float = PATIENCE
) -> dict[str, str]:
    """The facts, those left out that can't be had; takes as long as the programs may.

    Args:
        folder: the working folder, canonical.
        root: the repository's root, or the folder itself.
        env: what the programs see as their environment.
        patience: seconds that one of them may take.
    """
    programs = Programs(folder, root, env, patience)
    with ThreadPoolExecutor() as pool:
        groups = [pool.submit(dict, ask(programs)) for ask in (_git, _system, _languages)]
        return {k: fact for group in groups for k, fact in group.result().items() if fact}


def _git(programs: Programs) -> Iterator[tuple[str, str]]:
    if not (programs.root / ".git").exists():
        return
    state = git_state(programs)
    yield "Git branch", state.branch
    yield "Last commit", state.commit[:LONGEST]
    if state.changed is not None:
        names = state.changed[:NAMED]
        more = ("…",) if len(state.changed) > NAMED else ()
        listed = f" ({', '.join((*names, *more))})" if names else ""
        yield "Changed files", f"{len(state.changed)}{listed}"


def _system(programs: Programs) -> Iterator[tuple[str, str]]:
    (bash,) = programs.answers(("bash", "--norc", "-c", "echo $BASH_VERSION"))
    shell = f", bash {bash.partition('(')[0]}" if bash else ""
    yield "System", f"{platform.system()} {platform.release()}{shell}"


def _languages(programs: Programs) -> Iterator[tuple[str, str]]:
    places = dict.fromkeys((programs.folder, programs.root))
    if any((place / name).exists() for place in places for name in _PYTHON):
        venv = next(filter(None, (_venv(place) for place in places)), "")
        yield (
            "Python",
            venv or programs.answers(("python3", "--version"))[0].removeprefix("Python "),
        )
    if any((place / "package.json").exists() for place in places):
        yield "Node", programs.answers(("node", "--version"))[0]


def _venv(place: Path) -> str:
    """The version of a virtual environment, read and not run."""
    for name in _VENVS:
        try:
            said = read_text_file(place / name / "pyvenv.cfg", LARGEST).text
        except (OSError, UnusableFileError):
            continue
        if found := _VERSION.search(said):
            return f"{found[1]} in {name}"
    return ""
