"""From a valid request and a scripted reply to the message that goes back."""

from dataclasses import dataclass, replace

from tests.server.bill import Usage
from tests.server.binding import Reading, tokens_of
from tests.server.models import ServedModel
from tests.server.refusal import Json, part
from tests.server.script import Call, Odd, Redacted, Reply, Say, Think
from tests.server.tokens import Ruler
from tests.server.turns import THOUGHTS
from tests.server.validate import thinks


@dataclass(slots=True)
class Ids:
    """Counts up, so that a test can read its own traces."""

    issued: int = 0

    def new(self, prefix: str) -> str:
        self.issued += 1
        return f"{prefix}_{self.issued:06d}"


def content(
    written: Reply, body: Json, model: ServedModel, reading: Reading, ids: Ids, ruler: Ruler
) -> list[Json]:
    """The blocks of a reply, signed where they are thinking."""
    config = part(body, "thinking")
    display = config.get("display") or ("omitted" if model.binds else "summarized")
    blocks: list[Json] = []
    block: Json
    for each in written.blocks:
        match each:
            case Think(text):
                if not thinks(body, model):
                    continue
                shown = text if display == "summarized" else ""
                tokens = ruler.block({"type": "thinking", "thinking": text}, model)
                signature = reading.sign(model, shown, tokens)
                blocks.append({"type": "thinking", "thinking": shown, "signature": signature})
                continue
            case Redacted(text):
                if thinks(body, model):
                    tokens = ruler.block({"type": "thinking", "thinking": text}, model)
                    sealed = reading.sign(model, "", tokens, "redacted_thinking")
                    blocks.append({"type": "redacted_thinking", "data": sealed})
                continue
            case Odd(given):
                block = dict(given)
            case Say(text):
                block = {"type": "text", "text": text}
            case Call(name, arguments, given):
                block = {
                    "type": "tool_use",
                    "id": given or ids.new("toolu"),
                    "name": name,
                    "input": arguments,
                }
        reading.say(block)
        blocks.append(block)
    return blocks


def compaction(written: Reply, reading: Reading) -> list[Json]:
    """The one block that answers a compaction request: the reply's words, signed."""
    text = "\n".join(each.text for each in written.blocks if isinstance(each, Say))
    return [
        {
            "type": "compaction",
            "content": text,
            "encrypted_content": None,
            "signature": reading.sign_compaction(text),
            "tool_changes": [],
        }
    ]


def blocks_for(
    written: Reply, body: Json, model: ServedModel, reading: Reading, ids: Ids, ruler: Ruler
) -> list[Json]:
    """What the answer to this request holds; nothing if it only warms the cache."""
    if body["max_tokens"] == 0:
        return []
    if body.get("compaction") is not None:
        return compaction(written, reading)
    return content(written, body, model, reading, ids, ruler)


def billed(
    prompt: Usage, written: Reply, blocks: list[Json], model: ServedModel, ruler: Ruler
) -> Usage:
    """The prompt's usage with that of the answer (thinking is billed whether shown or not).

    A block costs as much output now as it will cost input when it is sent back.
    """
    sizes = [(block["type"], tokens_of(block, model, ruler)) for block in blocks]
    total = sum(size for _, size in sizes)
    if written.output_tokens is not None and blocks:
        total = written.output_tokens
    thinking = sum(size for kind, size in sizes if kind in THOUGHTS)
    return replace(prompt, output=total, thinking=min(thinking, total))


def message(
    message_id: str,
    model: ServedModel,
    written: Reply,
    blocks: list[Json],
    usage: Usage,
    diagnostics: Json | None,
) -> Json:
    """The whole answer as JSON."""
    kinds = {block["type"] for block in blocks}
    usual = {"compaction": "compaction", "tool_use": "tool_use"}
    stop = written.stop or next((usual[kind] for kind in usual if kind in kinds), "end_turn")
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model.id,
        "content": blocks,
        "stop_reason": stop if blocks or written.stop else "max_tokens",
        "stop_sequence": written.stop_sequence,
        "usage": usage.json(),
        "diagnostics": diagnostics,
    }
