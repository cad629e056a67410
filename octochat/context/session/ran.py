"""A command that the person ran and tells the model of: one text among the blocks of a prompt.

It knows neither shells nor limits: what was printed is given, cut to size.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from octochat.context.session.content import Block, Text
from octochat.context.session.tags import SHELL, tagged, untagged

_SAID = re.compile(r"I ran `(.+?)`: ([^\n`]*?)(?:; no output|\n(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ran:
    """A command and what came of it."""

    command: str
    ended: str
    """How it ended, as in `exit 1 in 2.3 s`: one line without a backtick."""
    output: str = ""

    def text(self) -> str:
        """What the model reads."""
        printed = self.output.rstrip("\n")
        how = self.ended if printed.strip() else f"{self.ended}; no output"
        body = "\n".join(filter(None, (f"I ran `{self.command}`: {how}", printed)))
        return tagged(SHELL, body)


def ran_in(text: str) -> Ran | None:
    """The command that a text of a prompt tells of; None where the person wrote it."""
    if not text.startswith(f"<{SHELL}>\n"):
        return None
    said = _SAID.fullmatch(untagged(text))
    return Ran(said[1], said[2], said[3] or "") if said else None


def commands_in(blocks: Iterable[Block]) -> tuple[Ran, ...]:
    """The commands that a prompt tells of, in order."""
    texts = (block.text for block in blocks if isinstance(block, Text))
    return tuple(ran for text in texts if (ran := ran_in(text)))


def own_words(blocks: Iterable[Block]) -> str:
    """What the person wrote, without what commands printed."""
    texts = (block.text for block in blocks if isinstance(block, Text))
    return "\n".join(text for text in texts if ran_in(text) is None)
