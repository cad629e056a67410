"""Files that decide what runs or is allowed: only a rule that names them allows to change them.

Source: docs/permissions.md#protected-files.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

_NAMES = re.compile(
    r"\.git|\.octochat|\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.vscode|\.idea|\.claude|\.cursor|"
    r"\.agents|\.gemini|\.codex|\.husky|\.githooks|\.devcontainer|\.circleci|\.direnv|\.envrc|"
    r"\.mcp\.json|\.gitattributes|\.gitmodules|\.gitconfig|\.gitlab-ci\.yml|"
    r"\.pre-commit-config\.yaml|\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pypirc|\.netrc|\.bashrc|"
    r"\.bash_profile|\.bash_login|\.bash_logout|\.bash_aliases|\.profile|\.zshrc|\.zshenv|"
    r"\.zprofile|\.zlogin|\.zlogout|\.kshrc|\.cshrc|\.tcshrc|\.login|\.inputrc|\.xprofile|"
    r"\.xinitrc|\.tmux\.conf|\.screenrc|\.vimrc|\.exrc|\.gdbinit|\.pythonrc|skill\.md"
)
"""As one part of a path, in small letters."""
_PLACES = (
    (".github", "workflows"), (".github", "actions"), (".config", "fish"), (".config", "git"),
    (".config", "systemd"), (".config", "autostart"), (".config", "environment.d"),
    ("library", "launchagents"),
)  # fmt: skip
"""As parts of a path that follow one another."""
_INVISIBLE = "Cf"


def protecting(path: Path, below: Iterable[Path]) -> frozenset[str]:
    """The names for which a path is protected; empty where it is not.

    `below` are folders of the person's: what lies in one is judged by its path from there on.
    """
    inside = next((folder for folder in below if path.is_relative_to(folder)), Path("/"))
    parts = [_folded(part) for part in path.relative_to(inside).parts]
    pairs = list(pairwise(parts))
    found = {part for part in parts if _NAMES.fullmatch(part)}
    found |= {"/".join(pair) for pair in _PLACES if pair in pairs}
    found |= {part for part in parts[:1] if part == "skills" and len(parts) > len(("skills", "x"))}
    return frozenset(found)


def spells_out(pattern: str, names: Iterable[str]) -> bool:
    """Whether a rule's pattern has all these names as whole parts of a path."""
    home = pattern.replace("~/", f"{Path.home()}/")
    parts = [_folded(part) for part in re.split(r"[/\s=:,'\"]+", f"{pattern} {home}")]
    joined = f"/{'/'.join(parts)}/"
    return all(f"/{_folded(name).strip('/')}/" in joined for name in names)


def _folded(name: str) -> str:
    """A name as a file system may compare it: no case, no letters that take no room."""
    text = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in text if unicodedata.category(letter) != _INVISIBLE)
