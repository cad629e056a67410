"""The rules of order: who speaks when, which call is answered where, what may not be empty."""

from collections import Counter
from collections.abc import Sequence

from tests.server.refusal import ApiRefusal, Json
from tests.server.shapes import refuse
from tests.server.turns import SETTING, THOUGHTS, Placed, Turn, effort_of, placed, turns

MOST_MESSAGES = 100_000

SPEAKS = {
    "user": {"text", "image", "document", "search_result", "tool_result", "compaction"},
    "assistant": {"text", "thinking", "redacted_thinking", "tool_use", "compaction"},
    "system": {"text", SETTING, "tool_addition", "tool_removal"},
}
"""Role -> the kinds of block that it may hold."""


def check_conversation(messages: Sequence[Json]) -> list[Turn]:
    """Refuse what no model takes.

    Raises:
        ApiRefusal: 400, naming the place.
    """
    if not messages:
        raise refuse("messages", "at least one message is required")
    if len(messages) > MOST_MESSAGES:
        raise refuse("messages", f"at most {MOST_MESSAGES} messages are permitted")
    for index, message in enumerate(messages):
        _check_message(index, message)
    blocks = placed(messages)
    for block in blocks:
        _check_block(block)
    _check_system_messages(messages)
    _check_compaction(blocks)
    spoken = turns(blocks)
    if not spoken or (spoken[0].role != "user" and spoken[0].blocks[0].kind != "compaction"):
        raise refuse("messages", 'first message must use the "user" role')
    for turn in spoken:
        _check_end(turn)
    _check_tools(spoken)
    return spoken


def _check_message(index: int, message: Json) -> None:
    """Only a system message may set the effort, and then it may say nothing."""
    if "output_config" in message and message["role"] != "system":
        raise refuse(f"messages.{index}.output_config", "Extra inputs are not permitted")
    if not message.get("content") and not effort_of(message):
        raise ApiRefusal(f"messages.{index}: all messages must have non-empty content")


def _check_block(block: Placed) -> None:
    if block.kind not in SPEAKS[block.role]:
        raise refuse(
            block.path, f"`{block.kind}` blocks are not permitted in {block.role} messages"
        )
    match block.kind:
        case "text":
            check_text(block.block["text"], block.path)
        case "tool_result":
            _check_result(block)
        case "compaction" if block.block.get("content") == "":
            raise refuse(block.path, "compaction content must be non-empty or null")
        case _:
            pass


def check_text(text: str, path: str) -> None:
    """A text block holds something to read."""
    if not text:
        raise refuse(path, "text content blocks must be non-empty")
    if not text.strip():
        raise refuse(path, "text content blocks must contain non-whitespace text")


def _check_result(block: Placed) -> None:
    """A result may be empty; a text in it may not (a string is short for one text)."""
    content: str | list[Json] = block.block.get("content") or []
    if isinstance(content, str):
        return check_text(content, f"{block.path}.content")
    for index, part in enumerate(content):
        if part["type"] == "text":
            check_text(part["text"], f"{block.path}.content.{index}")
        if part.get("cache_control") is not None:
            raise refuse(f"{block.path}.content.{index}", "mark the tool_result itself")
    return None


def _check_system_messages(messages: Sequence[Json]) -> None:
    """After a user message, and last or before an assistant's."""
    roles: list[str] = [message["role"] for message in messages]
    for index, role in enumerate(roles):
        if role != "system":
            continue
        if index == 0 or roles[index - 1] != "user":
            raise refuse(f"messages.{index}", "role 'system' must follow a user message")
        if index + 1 < len(roles) and roles[index + 1] != "assistant":
            raise refuse(
                f"messages.{index}", "role 'system' must be last or precede an assistant message"
            )


def _check_compaction(blocks: Sequence[Placed]) -> None:
    """At most one block with content, and that first of all."""
    filled = [
        block for block in blocks if block.kind == "compaction" and block.block.get("content")
    ]
    if len(filled) > 1:
        raise ApiRefusal(
            "messages: more than one compaction block", code="compaction_block_ambiguous"
        )
    if filled and filled[0] is not blocks[0]:
        raise ApiRefusal(
            f"{filled[0].path}: the compaction block must be the first block of the conversation",
            code="compaction_block_misplaced",
        )


def _check_end(turn: Turn) -> None:
    """A reply says something after it has thought."""
    if turn.role == "assistant" and turn.blocks[-1].kind in THOUGHTS:
        raise refuse(
            turn.blocks[-1].path,
            "the final block in an assistant message cannot be `thinking`",
        )


def _check_tools(spoken: Sequence[Turn]) -> None:
    seen: set[str] = set()
    open_calls: list[str] = []
    for turn in spoken:
        if turn.role == "assistant":
            open_calls = _calls(turn, seen)
        else:
            _check_answers(turn, open_calls)
            open_calls = []
    if open_calls:
        raise _unanswered(spoken[-1].blocks[-1].message, open_calls)


def _calls(turn: Turn, seen: set[str]) -> list[str]:
    calls: list[str] = []
    for block in turn.blocks:
        if block.kind != "tool_use":
            continue
        if block.block["id"] in seen:
            raise refuse(block.path, "`tool_use` ids must be unique")
        seen.add(block.block["id"])
        calls.append(block.block["id"])
    return calls


def _check_answers(turn: Turn, calls: list[str]) -> None:
    """Exactly one result each, before anything else."""
    results = [block for block in turn.blocks if block.kind == "tool_result"]
    for result in results:
        if result.block["tool_use_id"] not in calls:
            raise refuse(
                result.path,
                "unexpected `tool_use_id` found in `tool_result` blocks:"
                f" {result.block['tool_use_id']}. Each `tool_result` block must have a"
                " corresponding `tool_use` block in the previous message.",
            )
    count = Counter(result.block["tool_use_id"] for result in results)
    missing = [call for call in calls if call not in count]
    if missing:
        raise _unanswered(turn.blocks[0].message, missing)
    twice = [call for call, times in count.items() if times > 1]
    if twice:
        raise refuse(
            results[-1].path,
            "each tool_use must have a single result. Found multiple `tool_result` blocks with"
            f" id: {twice[0]}",
        )
    if any(block.kind != "tool_result" for block in turn.blocks[: len(results)]):
        raise refuse(turn.blocks[0].path, "`tool_result` blocks must come before other content")


def _unanswered(message: int, calls: list[str]) -> ApiRefusal:
    return refuse(
        f"messages.{message}",
        "`tool_use` ids were found without `tool_result` blocks immediately after:"
        f" {', '.join(calls)}. Each `tool_use` block must have a corresponding `tool_result`"
        " block in the next message.",
    )
