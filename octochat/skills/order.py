"""What is to be done with a skill, whoever says it: the model's tool, `/skill`, or `skill(...)`."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Action: TypeAlias = Literal["list", "search", "use", "forget"]

_FORM = re.compile(
    r"""\s*skill\(\s*(?:action\s*[=:]\s*)?["'`]?(list|search|use|forget)\b["'`]?[\s,:=]*"""
    r"""(?:name\s*[=:]\s*)?["'`]?([\w -]*?)["'`]?\s*\)\s*;?\s*"""
)


@dataclass(frozen=True, slots=True)
class SkillOrder:
    """What is to be done with a skill."""

    action: Action
    name: str = ""
    """Of `search` its words. Empty for `list`, and for `forget` where the one active is meant."""


def order(action: str, name: str = "") -> SkillOrder | None:
    """An order from its words, as the tool and `/skill` have them; None for an unknown action."""
    match action.strip().lower():
        case "list":
            return SkillOrder("list")
        case "search" | "use" | "forget" as known:
            return SkillOrder(known, name.strip())
        case _:
            return None


def order_in(text: str) -> SkillOrder | None:
    """The order in `skill(use NAME)`, `skill(action="forget", name="NAME")` or the like.

    Only where that is all of the text.
    """
    match = _FORM.fullmatch(text)
    return order(match[1], match[2]) if match else None
