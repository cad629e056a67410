"""What git says of the working folder: branch, last commit, changed files. It changes nothing.

No program that the repository names is run: no hook, no pager, no filter, no file monitor.
"""

from dataclasses import dataclass

from octochat.project.branch import branch_of
from octochat.project.programs import Programs

_GIT = (
    "git",
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
)
_THEIRS = ("local", "worktree")
"""Scopes of the configuration that come with a repository."""


@dataclass(frozen=True, slots=True)
class GitState:
    """Where a repository stands."""

    branch: str = ""
    """The beginning of a commit's id where none is checked out."""
    commit: str = ""
    """The last one: its short id, its date and its subject."""
    changed: tuple[str, ...] | None = None
    """Files that differ from it or are new to git; None where git did not answer."""


def git_state(programs: Programs) -> GitState:
    """Ask git. What it does not say in time stays empty."""
    branch = branch_of(programs.folder)
    commit, filters = programs.answers(
        (*_GIT, "log", "-1", "--format=%h of %cs, %s"),
        # `status` runs filters on files that look changed.
        (*_GIT, "config", "--show-scope", "--name-only", "--get-regexp", r"^filter\."),
    )
    if any(line.split("\t")[0] in _THEIRS for line in filters.splitlines()):
        return GitState(branch, commit)
    status = (*_GIT, "status", "--porcelain=v2", "--branch", "--ignore-submodules=all")
    (lines,) = programs.answers(status)
    if not lines:  # it begins with the branch, if it says anything
        return GitState(branch, commit)
    found = (_path(line) for line in lines.splitlines() if not line.startswith("#"))
    return GitState(branch, commit, tuple(found))


def _path(line: str) -> str:
    """The path in a line of `git status --porcelain=v2`."""
    before = {"1": 8, "2": 9, "u": 10}.get(line[0], 1)
    return line.split(" ", before)[-1].partition("\t")[0]
