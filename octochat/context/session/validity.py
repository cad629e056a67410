"""The one check of what may be sent, made before every request and by the replay lab.

The rules are those of the Messages API ("A valid request"); `View` keeps them by construction,
this says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from octochat.context.session.content import (
    Block,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)


def problems(
    messages: Sequence[Message], fine: int = 0, calls: AbstractSet[str] = frozenset()
) -> tuple[str, ...]:
    """What the API would refuse in these messages; empty where they are fine.

    Args:
        messages: A request's.
        fine: How many of them, from the first on, were found fine before and need no other look.
        calls: The ids of the tool calls in those.
    """
    return tuple(_problems(messages, fine, calls))


def _problems(messages: Sequence[Message], fine: int, calls: AbstractSet[str]) -> Iterator[str]:
    if not messages:
        yield "there are no messages"
        return
    if messages[0].role != "user":
        yield "the first message is not the user's"
    if next((each.role for each in reversed(messages) if each.role != "system"), "") != "user":
        yield "the last message is not the user's"
    seen = set(calls)
    pending = _called(messages[fine - 1]) if fine else ()
    for i, message in enumerate(messages[fine:], fine):
        if i and messages[i - 1].role == message.role:
            yield f"message {i}: the roles do not alternate"
        if message.role == "system":
            yield from _system(i, messages)
            continue
        yield from _content(i, message)
        if message.role == "user":
            yield from _results(i, message, pending)
            pending = ()
            continue
        pending = _called(message)
        yield from (f"message {i}: tool call {c} appears twice" for c in _repeated(pending, seen))
    if pending:
        yield f"no result for the calls {', '.join(pending)}"


def _system(i: int, messages: Sequence[Message]) -> Iterator[str]:
    """A message of the system sets effort or tools, behind the user's words and before a reply."""
    blocks = messages[i].blocks
    if not (blocks or messages[i].effort) or not all(isinstance(b, Opaque) for b in blocks):
        yield f"message {i}: the system's sets nothing, or says something"
    if i == 0 or messages[i - 1].role != "user":
        yield f"message {i}: the system's follows no message of the user"
    if i + 1 < len(messages) and messages[i + 1].role != "assistant":
        yield f"message {i}: no reply follows the system's"


def _called(message: Message) -> tuple[str, ...]:
    """Ids of the tool calls in a message."""
    return tuple(block.id for block in message.blocks if isinstance(block, ToolCall))


def _repeated(calls: Sequence[str], seen: set[str]) -> Iterator[str]:
    """The calls whose id was there before; all of them are added to `seen`."""
    for call in calls:
        if call in seen:
            yield call
        seen.add(call)


def _content(i: int, message: Message) -> Iterator[str]:
    if not message.blocks:
        yield f"message {i}: no content"
        return
    misplaced = _MISPLACED[message.role]
    for block in message.blocks:
        if isinstance(block, Text):
            if not block.text or block.text.isspace():
                yield f"message {i}: a text of white space only"
        elif isinstance(block, misplaced):
            yield f"message {i}: a {type(block).__name__} in a message of the {message.role}"
    if message.role == "assistant" and isinstance(message.blocks[-1], Thinking):
        yield f"message {i}: the reply ends with thinking"


_MISPLACED: Mapping[str, tuple[type[Block], ...]] = {
    "assistant": (ToolResult,),
    "user": (ToolCall, Thinking),
}


def _results(i: int, message: Message, pending: tuple[str, ...]) -> Iterator[str]:
    given = [block.call_id for block in message.blocks if isinstance(block, ToolResult)]
    if not given and not pending:
        return
    if len(given) != len(set(given)):
        yield f"message {i}: a tool call is answered twice"
    yield from (f"message {i}: no result for the call {c}" for c in pending if c not in given)
    yield from (f"message {i}: a result without its call {c}" for c in given if c not in pending)
    if not all(isinstance(block, ToolResult) for block in message.blocks[: len(given)]):
        yield f"message {i}: results must come before anything else"
