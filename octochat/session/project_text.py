"""The project's own instructions: which file they stand in, and what they say of compression."""

import re
from dataclasses import dataclass
from pathlib import Path

NAMES = ("AGENTS.md", "CLAUDE.md")
"""Instructions of the project; the first that exists is part of the system prompt."""
MOST = 60_000
"""Characters of them that are taken."""
SECTION_MOST = 4_000
"""Characters of the section on compression that every request for a note has."""

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)[\s:#]*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_TITLE = "compression"


@dataclass(frozen=True, slots=True)
class ProjectText:
    """The instructions of a project."""

    name: str = ""
    """The file's; empty where there is none."""
    text: str = ""

    @property
    def on_compression(self) -> str:
        """What stands under the heading "Compression", whatever its level."""
        lines: list[str] = []
        level, fenced = 0, False
        for line in self.text.splitlines():
            fenced ^= bool(_FENCE.match(line))
            heading = None if fenced else _HEADING.match(line)
            if heading and (not level or len(heading[1]) <= level):
                level = len(heading[1]) if heading[2].casefold() == _TITLE else 0
            elif level:
                lines.append(line)
        return "\n".join(lines).strip()[:SECTION_MOST]


def project_text(folder: Path) -> ProjectText:
    """The instructions of the project in `folder`."""
    for name in NAMES:
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        return ProjectText(name, text[:MOST].strip())
    return ProjectText()
