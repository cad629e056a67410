"""Which block of its own the API refuses to take back. It knows the API's words and no log."""

import re
from collections.abc import Sequence

from octochat.context.session.content import Message
from octochat.context.session.units import kind_of_block
from octochat.models.port import ModelError

_PLACE = re.compile(r"\bmessages\.(\d+)\.content\.(\d+)\b")


def refused_kind(error: ModelError, messages: Sequence[Message]) -> str:
    """The kind of the block in a reply that a refusal names, by its place or by its kind.

    Empty where it is about anything else: a block that octochat knows, or what a person sent.

    Args:
        error: how the call failed.
        messages: those of the request.
    """
    if error.kind != "invalid":
        return ""
    if found := _PLACE.search(error.detail):
        return _kinds(messages).get((int(found[1]), int(found[2])), "")
    named = (
        kind
        for kind in _kinds(messages).values()
        if re.search(rf"(?<!\w){re.escape(kind)}(?!\w)", error.detail)
    )
    return next(named, "")


def _kinds(messages: Sequence[Message]) -> dict[tuple[int, int], str]:
    """The kinds of the blocks in replies that octochat does not model, by their places."""
    return {
        (at, index): kind
        for at, message in enumerate(messages)
        for index, block in enumerate(message.blocks)
        if message.role == "assistant" and (kind := kind_of_block(block))
    }
