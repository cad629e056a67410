"""The tags that octochat's own notes stand between, and how nothing else can use them.

("Nothing from a tool, a file or a model can pose as octochat's own notes.")
"""

import re
from collections.abc import Mapping

WORK = "work-so-far"
"""The tag of a note that replaces a range of the conversation."""
SKILL = "skill"
"""The tag of a skill's text."""
TRANSCRIPT = "transcript"
"""The tag of a conversation that a summariser is given to read."""

_OURS = re.compile(rf"<(?=\s*/?\s*(?:{WORK}|{SKILL}|{TRANSCRIPT})(?![\w-]))", re.IGNORECASE)


def escaped(text: str) -> str:
    """`text` with octochat's own tags made harmless; everything else as it was.

    It goes over all that is written into a note, and over tool results before they are shown to
    the model. Doing it twice changes nothing more.
    """
    return _OURS.sub("&lt;", text)


def tagged(tag: str, body: str, attributes: Mapping[str, str] | None = None) -> str:
    """`body`, escaped, between the opening and the closing `tag`."""
    given = "".join(f' {key}="{_attribute(value)}"' for key, value in (attributes or {}).items())
    return f"<{tag}{given}>\n{escaped(body)}\n</{tag}>"


def _attribute(value: str) -> str:
    plain = " ".join(value.split())
    return plain.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
