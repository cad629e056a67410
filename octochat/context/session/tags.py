"""The tags that octochat's own notes stand between, and how nothing else can use them.

("Nothing from a tool, a file or a model can pose as octochat's own notes.")
"""

import re
from collections.abc import Mapping

WORK = "work-so-far"
"""The tag of a note that replaces a range of the conversation."""
SKILL = "octochat-skill"
"""The tag of a skill's text; long, so that hardly any file has it for its own purposes."""
INSTRUCTIONS = "octochat-instructions"
"""The tag of what the person and the project want of every session."""
REMINDER = "octochat-reminder"
"""The tag of a hint of octochat's own."""
RECALLED = "recalled-passages"
"""The tag of passages that are shown again."""
MODE = "octochat-mode"
"""The tag of what the model is told of the mode that the person chose."""
TOOLS = "octochat-tools"
"""The tag of the definition of a tool, for models that can't be offered it as one."""
SHELL = "octochat-shell"
"""The tag of a command that the person ran, and of what it printed."""
HOOK = "octochat-hook"
"""The tag of what a hook adds to the conversation."""
RECALL = "recall"
"""The tool that notes point to: what it quotes is no news, and is neither harvested nor found."""
TRANSCRIPT = "transcript"
"""The tag of a conversation that a summariser is given to read."""
STAYING = "staying"
"""The tag of the newer part, which it only needs to know of."""


def escaped(text: str) -> str:
    """`text` with octochat's own tags made harmless; everything else as it was.

    It goes over all that is written into a note, and over tool results before the model sees
    them. Doing it twice changes nothing more.
    """
    return _OURS.sub("&lt;", text)


def tagged(tag: str, body: str, attributes: Mapping[str, str] | None = None) -> str:
    """`body` between the opening and the closing `tag`, that tag and our own escaped in it."""
    given = "".join(f' {key}="{_attribute(value)}"' for key, value in (attributes or {}).items())
    inner = _opening(tag).sub("&lt;", escaped(body))
    return f"<{tag}{given}>\n{inner}\n</{tag}>"


def untagged(note: str) -> str:
    """What stands in one of our own notes, for a person: without the tags around it."""
    framed = _FRAMED.fullmatch(note)
    return framed[2] if framed else note


def without_echo(line: str) -> str:
    """A line of a summary without our own tags at its ends.

    A model that has notes in its context may repeat the tags that stand around them.
    """
    return _EDGES.sub("", line)


def _opening(tags: str) -> re.Pattern[str]:
    """The `<` of the tags, opening or closing."""
    return re.compile(rf"<(?=\s*/?\s*(?:{tags})(?![\w-]))", re.IGNORECASE)


_OWN = f"{WORK}|{SKILL}|{INSTRUCTIONS}|{REMINDER}|{RECALLED}|{MODE}|{SHELL}|{TOOLS}|{HOOK}"
_OURS = _opening(_OWN)
_FRAMED = re.compile(rf"\s*<({_OWN})(?![\w-])[^\n]*>\n(.*)\n</\1>\s*", re.DOTALL)
_ECHO = rf"<\s*/?\s*(?:{_OWN})(?![\w-])[^<>\n]*>"
_EDGES = re.compile(rf"^(?:\s*{_ECHO})+\s*|\s*(?:{_ECHO}\s*)+$", re.IGNORECASE)


def _attribute(value: str) -> str:
    plain = " ".join(value.split())
    return plain.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
