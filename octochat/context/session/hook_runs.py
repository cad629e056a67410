"""The event of a hook that ran and did something: a person's own command at a point of the session.

What it tells the model is no part of it: that stands in a tool's result or in a `Reminded`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HookRan:
    """A hook ran, and it decided, said, printed or failed at something."""

    event: str
    """When: `PreToolUse`, `Stop` and so on."""
    command: str
    about: str = ""
    """The tool, or what else the hook's matcher was held against."""
    did: str = ""
    """What came of it, in a few words, as in `denied: no force pushes`."""
    output: str = ""
    """For the person: what it printed, cut to size."""
    status: int | None = 0
    """Its exit status; None where it was ended or could not be started."""
    seconds: float = 0.0
    added: int = 0
    """Tokens that it added to the result of a tool."""
    source: str = ""
    """The file that names the hook."""
    ends: bool = False
    """It ended the turn."""
