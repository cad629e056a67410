"""From a valid request and a scripted reply to the message that goes back."""

from dataclasses import dataclass

from tests.server.bill import Usage
from tests.server.binding import Reading
from tests.server.models import ServedModel
from tests.server.refusal import Json, part
from tests.server.script import Call, Reply, Say, Think
from tests.server.tokens import Ruler
from tests.server.validate import BINDING_BETA, thinks


@dataclass(slots=True)
class Ids:
    """Counts up, so that a test can read its own traces."""

    issued: int = 0

    def new(self, prefix: str) -> str:
        self.issued += 1
        return f"{prefix}_{self.issued:06d}"


def content(
    written: Reply, body: Json, model: ServedModel, reading: Reading, ids: Ids
) -> list[Json]:
    """The blocks of a reply, signed where they are thinking."""
    config = part(body, "thinking")
    display = config.get("display") or ("omitted" if model.binds else "summarized")
    blocks: list[Json] = []
    for each in written.blocks:
        match each:
            case Think(text):
                if not thinks(body, model):
                    continue
                shown = text if display == "summarized" else ""
                signature = reading.sign(model, shown)
                blocks.append({"type": "thinking", "thinking": shown, "signature": signature})
                continue
            case Say(text):
                block: Json = {"type": "text", "text": text}
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


def output(written: Reply, body: Json, model: ServedModel, ruler: Ruler) -> tuple[int, int]:
    """Output tokens, and how many of them are thinking (billed whether shown or not)."""
    thinking = said = 0
    for each in written.blocks:
        match each:
            case Think(text):
                if thinks(body, model):
                    thinking += ruler.block({"type": "thinking", "thinking": text}, model)
            case Say(text):
                said += ruler.block({"type": "text", "text": text}, model)
            case Call(name, arguments):
                said += ruler.block({"type": "tool_use", "name": name, "input": arguments}, model)
    total = thinking + said if written.output_tokens is None else written.output_tokens
    return total, min(thinking, total)


def message(
    written: Reply,
    body: Json,
    model: ServedModel,
    reading: Reading,
    ids: Ids,
    usage: Usage,
    diagnostics: Json | None,
    betas: frozenset[str],
) -> Json:
    """The whole answer as JSON."""
    compacts = body.get("compaction") is not None
    blocks = (
        compaction(written, reading) if compacts else content(written, body, model, reading, ids)
    )
    calls = any(block["type"] == "tool_use" for block in blocks)
    stop = written.stop or ("compaction" if compacts else "tool_use" if calls else "end_turn")
    answer: Json = {
        "id": ids.new("msg"),
        "type": "message",
        "role": "assistant",
        "model": model.id,
        "content": [] if body["max_tokens"] == 0 else blocks,
        "stop_reason": "max_tokens" if body["max_tokens"] == 0 else stop,
        "stop_sequence": written.stop_sequence,
        "usage": usage.json(),
        "diagnostics": diagnostics,
    }
    if BINDING_BETA in betas:
        answer["input_transformations"] = reading.dropped
    return answer
