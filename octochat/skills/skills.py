"""Agent Skills: where they are found, which of a name wins, and what an active one says.

Knows the disk, not sessions: which skills are active is a matter of the log.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from octochat.context.session.tags import SKILL, tagged
from octochat.project.root import down_to
from octochat.skills.skill_file import Skill, read_skill

MOST = 1_000
"""Skills of one folder that are read; each costs the start some time."""
_LISTED_FILES = 30
"""How many files beside a SKILL.md are named."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A SKILL.md that is no skill."""

    file: Path
    why: str


@dataclass(frozen=True, slots=True)
class Skills:
    """What was found."""

    skills: tuple[Skill, ...] = ()
    """By name."""
    left_out: tuple[LeftOut, ...] = ()
    hidden: tuple[Skill, ...] = ()
    """Those whose name another one has that was found before."""

    def get(self, name: str) -> Skill | None:
        """The skill of this name; capitals and what stands between words do not matter."""
        exact = (skill for skill in self.skills if skill.name == name)
        loose = (skill for skill in self.skills if _loose(skill.name) == _loose(name))
        return next(exact, None) or next(loose, None)

    @property
    def for_model(self) -> "Skills":
        """Those that the model may use unasked."""
        return replace(self, skills=tuple(skill for skill in self.skills if skill.for_model))

    @property
    def names(self) -> tuple[str, ...]:
        """The names, sorted."""
        return tuple(skill.name for skill in self.skills)

    @property
    def summary(self) -> str:
        """One line on all that is odd; empty where nothing is."""
        odd = sum(bool(skill.oddities) for skill in self.skills)
        left = len(self.left_out)
        said = (f"{left} left out" if left else "", f"{odd} odd" if odd else "")
        parts = ", ".join(filter(None, said))
        return f"Skills: {parts}; `octochat skills check` says more." if parts else ""


def places(folder: Path, config: Path, root: Path | None = None) -> tuple[Path, ...]:
    """The folders that may hold skills; the first of a name wins.

    Arguments:
        folder: the working folder.
        config: octochat's folder in the user's configuration.
        root: of the repository, whose folders down to the working folder count as well.
    """
    inwards = reversed(down_to(folder, root or folder))
    return (
        *(
            place / name
            for place in inwards
            for name in ("skills", ".octochat/skills", ".agents/skills", ".claude/skills")
        ),
        config / "skills",
        shipped(),
    )


def shipped() -> Path:
    """The skills that come with octochat: in the installed package, or in its source tree."""
    package = Path(__file__).parents[1]
    installed = package / "_skills"
    return installed if installed.is_dir() else package.parent / "skills"


def discover(folders: Iterable[Path], root: Path | None = None) -> Skills:
    """Every skill in `folders`, and why a SKILL.md is none.

    A folder without a SKILL.md is no skill and not worth a word: `skills/` may hold anything. One
    in the project that lies outside its `root` in truth is left out.
    """
    found: dict[str, Skill] = {}
    left_out: list[LeftOut] = []
    hidden: list[Skill] = []
    files: dict[Path, None] = {}
    for folder in folders:
        inside = _files(folder)
        files |= dict.fromkeys(inside[:MOST])
        left_out += (LeftOut(file, f"there are {MOST:,} before it") for file in inside[MOST:])
    for file in files:
        read = "it is a link to outside the project" if _escapes(file, root) else read_skill(file)
        if not isinstance(read, Skill):
            left_out.append(LeftOut(file, read))
        elif found.setdefault(_loose(read.name), read) is not read:
            hidden.append(read)
    skills = tuple(sorted(found.values(), key=lambda skill: skill.name))
    return Skills(skills, tuple(left_out), tuple(hidden))


def skill_text(skill: Skill) -> str:
    """What an active skill adds to the conversation: its text, its name and its folder."""
    beside = _beside(skill.folder)
    more = f"\n\nFiles beside it, to read when they are needed: {', '.join(beside)}"
    attributes = {"name": skill.name, "folder": str(skill.folder)}
    body = skill.body or skill.description
    return tagged(SKILL, body + (more if beside else ""), attributes)


def from_environment(
    environment: Mapping[str, str], skills: Skills
) -> tuple[tuple[Skill, ...], tuple[str, ...]]:
    """The skills that `OCTOCHAT_SKILLS` (or `OCTOMIND_SKILLS`) names, and warnings for the rest.

    `OCTOCHAT_SKILLS` wins where both are set, even if it is empty.
    """
    variable = "OCTOCHAT_SKILLS" if "OCTOCHAT_SKILLS" in environment else "OCTOMIND_SKILLS"
    named = [name.strip() for name in environment.get(variable, "").split(",")]
    wanted = dict.fromkeys(name for name in named if name)
    known = dict.fromkeys(skill for name in wanted if (skill := skills.get(name)))
    warnings = (
        f"{variable} names an unknown skill: {name}. Available: {', '.join(skills.names) or 'none'}"
        for name in wanted
        if not skills.get(name)
    )
    return tuple(known), tuple(warnings)


def _loose(name: str) -> str:
    """A name as it is compared."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _escapes(file: Path, root: Path | None) -> bool:
    """Whether a file of the project lies outside of it, links followed."""
    if root is None or not file.is_relative_to(root):
        return False
    return not Path(os.path.realpath(file)).is_relative_to(root)


def _files(folder: Path) -> list[Path]:
    """The SKILL.md files one level below `folder`, in order; nothing where it can't be read."""
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return []
    candidates = (place / name for place in inside for name in ("SKILL.md", "skill.md"))
    first = {file.parent: file for file in reversed([f for f in candidates if f.is_file()])}
    return [first[parent] for parent in sorted(first)]


def _beside(folder: Path) -> list[str]:
    """Files of the skill other than its SKILL.md, relative to its folder."""
    try:
        inside = sorted(path for path in folder.rglob("*") if path.is_file())
    except OSError:
        return []
    names = [path.relative_to(folder).as_posix() for path in inside]
    return [name for name in names if name.lower() != "skill.md"][:_LISTED_FILES]
