"""Clear old tool results, native ones and those that stand as XML in a prompt's text.

After auto-coder's `AgenticConversationPruner`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Positive, PositiveShare
from octochat.context.plans.situation import Situation
from octochat.context.session.content import plain_text
from octochat.context.session.edits import (
    Decision,
    Hold,
    Plan,
    PromptTrim,
    ResultTrim,
    Trim,
    UnitId,
)
from octochat.context.session.view import Note, Prompt, Step

CLEARED = (
    "This message has been cleared. If you still want to get this information, you can call the "
    "tool again to retrieve it."
)
"""What takes the place of a result, word for word the original's."""
CLEARED_XML = (
    "\n<message>Content cleared to save tokens</message>\n"
    f"<content>{CLEARED}</content>\n</tool_result>"
)
"""What follows the opening tag of a result in XML."""

# What tools printed stands unescaped between the tags, so no XML parser can read it: the opening
# tag is matched as XML has it and kept as it is, and the result ends at the next closing tag.
_ATTRIBUTE = r"""\s+[\w:.-]+\s*=\s*(?:'[^']*'|"[^"]*")"""
_RESULT = re.compile(
    rf"(<tool_result(?=\s)(?=(?:{_ATTRIBUTE})*?\s+tool_name\s*=)(?:{_ATTRIBUTE})*\s*>)"
    r".*?</tool_result\s*>",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class ToolCleanup:
    """auto-coder's agentic pruning: the oldest tool results are cleared while over the safe zone.

    Best for work with many tools, whose recent output matters more than the old: it removes output,
    not the course of the conversation, and needs no model.
    """

    name: ClassVar[str] = "tool_cleanup"

    safe_zone_tokens: Positive = 50_000
    """The budget for the whole context, in tokens."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the safe zone at one go, and never less than that
    takes: what can't be freed yet is waited for."""

    def decide(self, situation: Situation) -> Decision:
        """Clear the oldest results until the context is inside.

        Down to low water at least `zone - low` is freed. Where the results are too few for that,
        the same yield is waited for, or a zone out of reach would break the cache at every call
        (with `low_water = 1.0`, as in the original, it does).
        """
        size, zone = situation.size, self.safe_zone_tokens
        if size <= zone:
            return Hold(f"{size:,} tokens are inside the safe zone of {zone:,}")
        low = int(zone * self.low_water)
        trims, freed = _oldest(situation, size - low)
        if not trims:
            return Hold(f"the safe zone of {zone:,} can't be reached: no tool result is left")
        if freed < zone - low:
            return Hold(
                f"over the safe zone of {zone:,} tokens, but only {freed:,} can be cleared; "
                f"it waits for {zone - low:,}, so that the prompt cache breaks less often"
            )
        return Plan(f"over the safe zone of {zone:,} tokens", trims=trims)


def _oldest(situation: Situation, excess: int) -> tuple[tuple[Trim, ...], int]:
    """The oldest results that make up for `excess` tokens, and what clearing them frees."""
    trims: dict[str | UnitId, Trim] = {}
    freed = 0
    for trim, saved in _clearings(situation):
        if freed >= excess:
            break
        freed += saved
        cut = trim.unit if isinstance(trim, PromptTrim) else trim.call_id
        trims[cut] = trim  # of the same prompt the later one holds what the earlier one does
    return tuple(trims.values()), freed


def _clearings(situation: Situation) -> Iterator[tuple[Trim, int]]:
    """A trim for each result worth clearing, the oldest first, and the tokens that it saves.

    Those of the same prompt build on each other: the last one holds them all.
    """
    cost = situation.measure(CLEARED)
    for unit in situation.state.view.units:
        if unit.id not in situation.free:
            continue
        match unit:
            case Step(answers=answers):
                for answer in answers:
                    if answer.size > cost:
                        yield ResultTrim(answer.result.call_id, CLEARED), answer.size - cost
            case Prompt(blocks=blocks):
                before = situation.measure(plain_text(blocks))
                for count, text in enumerate(cleared_one_by_one(plain_text(blocks)), 1):
                    after = situation.measure(text)
                    yield PromptTrim(unit.id, text, results=count), before - after
                    before = after
            case Note():
                pass


def cleared_one_by_one(text: str) -> Iterator[str]:
    """The text with its first XML result cleared, with its first two, and so on.

    The opening tag stays as it is, so the tool's name and `success` do. What would not become
    shorter, or is cleared already, is left alone.
    """
    place = 0
    while found := _RESULT.search(text, place):
        short = found[1] + CLEARED_XML
        if len(short) < len(found[0]):
            text = text[: found.start()] + short + text[found.end() :]
            yield text
        else:
            place = found.end()
