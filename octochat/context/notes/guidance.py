"""What the person wants of every note: the configuration's words, and what instructions say."""

import re

from octochat.context.session.instructions import Standing

_SECTIONS_MOST = 4_000
"""Characters of the sections on compression, all together, that a request for a note has:
docs/instructions.md, "Notes"."""
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)[\s:#]*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_TITLE = "compression"


def guidance(said: str, standing: Standing) -> str:
    """All of it: what is `said` in the configuration, then what each file has to say."""
    sections = "\n\n".join(filter(None, (section(each.text) for each in standing)))
    return "\n\n".join(filter(None, (said.strip(), sections[:_SECTIONS_MOST].strip())))


def section(text: str) -> str:
    """What stands under the heading "Compression", whatever its level."""
    lines: list[str] = []
    level, fenced = 0, False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.match(line)
        if heading and (not level or len(heading[1]) <= level):
            level = len(heading[1]) if heading[2].casefold() == _TITLE else 0
        elif level:
            lines.append(line)
    return "\n".join(lines).strip()
