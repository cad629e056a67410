"""Agent Skills: where they are found, which are sound, and what the model is told of them.

Knows the disk, not sessions: which skills are active is a matter of the log.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from octochat.context.session.tags import SKILL, tagged
from octochat.skills.skill_file import Skill, read_skill

_LISTED_FILES = 30
"""How many files beside a SKILL.md are named."""


@dataclass(frozen=True, slots=True)
class Skills:
    """What was found."""

    skills: tuple[Skill, ...] = ()
    """By name."""
    warnings: tuple[str, ...] = ()
    """One line for each skill that is broken and was left out."""

    def get(self, name: str) -> Skill | None:
        """The skill of this name."""
        return next((skill for skill in self.skills if skill.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, sorted."""
        return tuple(skill.name for skill in self.skills)


_CATALOGUE = """\
# Skills

A skill holds instructions for one kind of task. When a task matches a description below, first \
call the `skill` tool with action "use" and its name, then follow what it says.
"""


def places(project: Path, config: Path) -> tuple[Path, ...]:
    """The folders that may hold skills; the first of a name wins.

    Arguments:
        project: the working folder.
        config: octochat's folder in the user's configuration.
    """
    return (
        project / "skills",
        project / ".agents" / "skills",
        project / ".claude" / "skills",
        config / "skills",
        shipped(),
    )


def shipped() -> Path:
    """The skills that come with octochat: in the installed package, or in its source tree."""
    package = Path(__file__).parents[1]
    installed = package / "_skills"
    return installed if installed.is_dir() else package.parent / "skills"


def discover(folders: Iterable[Path]) -> Skills:
    """Every sound skill in `folders`, and a warning for each broken one.

    A folder without a SKILL.md is no skill and no warning: `skills/` may hold anything.
    """
    found: dict[str, Skill] = {}
    warnings: list[str] = []
    for file in dict.fromkeys(file for folder in folders for file in _files(folder)):
        read = read_skill(file)
        if isinstance(read, Skill):
            found.setdefault(read.name, read)
        else:
            warnings.append(f"The skill in {file.parent} was skipped: {read}")
    return Skills(tuple(found[name] for name in sorted(found)), tuple(warnings))


def catalogue(skills: Skills) -> str:
    """The part of the system prompt that names the skills; empty where there are none."""
    if not skills.skills:
        return ""
    lines = (f"- {skill.name}: {skill.description}" for skill in skills.skills)
    return "\n".join((_CATALOGUE, *lines))


def skill_text(skill: Skill) -> str:
    """What an active skill adds to the conversation: its text, its name and its folder."""
    beside = _beside(skill.folder)
    more = f"\n\nFiles beside it, to read when they are needed: {', '.join(beside)}"
    attributes = {"name": skill.name, "folder": str(skill.folder)}
    return tagged(SKILL, skill.body + (more if beside else ""), attributes)


def from_environment(
    environment: Mapping[str, str], skills: Skills
) -> tuple[tuple[Skill, ...], tuple[str, ...]]:
    """The skills that `OCTOCHAT_SKILLS` (or `OCTOMIND_SKILLS`) names, and warnings for the rest.

    `OCTOCHAT_SKILLS` wins where both are set, even if it is empty.
    """
    variable = "OCTOCHAT_SKILLS" if "OCTOCHAT_SKILLS" in environment else "OCTOMIND_SKILLS"
    named = [name.strip() for name in environment.get(variable, "").split(",")]
    wanted = dict.fromkeys(name for name in named if name)
    known = tuple(skill for name in wanted if (skill := skills.get(name)))
    warnings = (
        f"{variable} names an unknown skill: {name}. Available: {', '.join(skills.names) or 'none'}"
        for name in wanted
        if not skills.get(name)
    )
    return known, tuple(warnings)


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
