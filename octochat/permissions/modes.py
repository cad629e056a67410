"""The modes a person works in: their names, and what the model is told of each.

It decides nothing about a call; see `rules.py`.
"""

from typing import Literal, TypeAlias

from octochat.context.session.tags import MODE, tagged

Mode: TypeAlias = Literal["plan", "ask", "accept-edits", "allow-all", "read-only"]
"""`plan` reads and plans, `ask` asks, `accept-edits` lets files in the working folder be changed,
`allow-all` allows all that no rule denies, `read-only` denies what writes or runs."""

CYCLE: tuple[Mode, ...] = ("plan", "ask", "accept-edits", "allow-all")
"""In the order in which a key goes through them."""

_TOLD: dict[Mode, str] = {
    "plan": (
        "Plan mode is on. Read, search and ask, but change nothing: calls that write a file are "
        "refused, and so are commands that might change something. Once you know enough, end your "
        "answer with a section under the heading `# Plan`: what you would change, where, in which "
        "order, and how you would check it. The person then accepts the plan, edits it or refuses "
        "it. If you have to ask something first, ask, and leave that heading out."
    ),
    "ask": (
        "Ask mode is on. You may change files and run commands; the person is asked first where "
        "no rule allows it."
    ),
    "accept-edits": (
        "Accept-edits mode is on. Files in the working folder are changed without a question; "
        "the person is still asked about commands and about files elsewhere."
    ),
    "allow-all": (
        "Allow-all mode is on. Every call runs without a question unless a rule denies it. Nobody "
        "looks at a command before it runs, so be careful with what can't be undone."
    ),
    "read-only": "Read-only mode is on. Calls that write a file or run a command are refused.",
}

PLANNING = (
    "not done: plan mode is on, and this could change something. Put it into the plan; it can be "
    "done once the person has accepted that"
)
"""What the model hears of a call that plan mode refuses."""


def told(mode: Mode) -> str:
    """What the model is shown of the mode."""
    return tagged(MODE, _TOLD[mode])


def words(mode: str) -> str:
    """The mode's name for people."""
    return mode.replace("-", " ")
