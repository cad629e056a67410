"""Signatures: who wrote a thinking block or a compaction, and after what.

A signature carries its own evidence (a running digest of everything before the block and the
thinking block that preceded it), so blocks outlive the server process. What the client may change
without harm: cache markers, and leaving out thinking from the start of the conversation.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.server.models import ServedModel
from tests.server.refusal import ApiRefusal, Json, part
from tests.server.tokens import Ruler, compact
from tests.server.turns import (
    THOUGHTS,
    Placed,
    blocks_of,
    placed,
    seal_of,
    turns,
    without_marker,
)
from tests.server.validate import thinks

KEY = b"only this test server signs with this"


def digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def seal(payload: Json) -> str:
    """Sign a payload; the result is opaque to clients."""
    text = base64.b64encode(json.dumps(payload).encode()).decode()
    return f"{text}.{hmac.new(KEY, text.encode(), 'sha256').hexdigest()}"


def unseal(signature: str) -> Json | None:
    """The payload, or None if this server did not sign it."""
    text, _, mac = signature.partition(".")
    expected = hmac.new(KEY, text.encode(), "sha256").hexdigest()
    if not hmac.compare_digest(mac.encode(), expected.encode()):
        return None
    return json.loads(base64.b64decode(text))


def extend(chain: str, role: str, block: Json) -> str:
    """The running digest after one more block; null keys count as absent."""
    content = {key: value for key, value in without_marker(block).items() if value is not None}
    return digest(chain, role, compact(dict(sorted(content.items()))))


def head(body: Json) -> str:
    """The digest of tools and system."""
    chain = ""
    for tool in body.get("tools", []):
        chain = extend(chain, "tools", tool)
    for block in blocks_of(body.get("system") or []):
        chain = extend(chain, "system", block)
    return chain


def tokens_of(block: Json, model: ServedModel, ruler: Ruler) -> int:
    """Tokens of a block; thinking counts in full, shown or not."""
    if block.get("type") in THOUGHTS and (payload := unseal(seal_of(block))):
        return payload["tokens"]
    return ruler.block(block, model)


@dataclass(slots=True)
class Reading:
    """What the model gets to see of a request, and the place its answer will stand at."""

    head: str
    chain: str
    kept: list[Placed] = field(default_factory=list[Placed])
    """The blocks that reach the model."""
    dropped: list[Json] = field(default_factory=list[Json])
    """One `thinking_dropped` entry for each block that doesn't."""
    thought: str = ""
    """The digest of the last thinking block that was kept; empty if there is none."""

    def sign(self, model: ServedModel, text: str, tokens: int, kind: str = "thinking") -> str:
        """The signature of a thinking block written now: its text as shown, its tokens in full."""
        signature = seal(
            {
                "kind": kind,
                "model": model.id,
                "text": digest(text),
                "tokens": tokens,
                "chain": self.chain,
                "before": self.thought,
                "nonce": len(self.kept),
            }
        )
        self.thought = digest(signature)
        return signature

    def say(self, block: Json) -> None:
        """The model wrote a block that is not thinking."""
        self.chain = extend(self.chain, "assistant", block)

    def sign_compaction(self, text: str) -> str:
        """The signature of a compaction of everything in this request."""
        return seal(
            {"kind": "compaction", "text": digest(text), "head": self.head, "chain": self.chain}
        )


def read(body: Json, model: ServedModel) -> Reading:
    """Check every signature and leave out what the model may not read.

    Raises:
        ApiRefusal: a forged or altered block, or one bound to a different conversation.
    """
    start = head(body)
    reading = Reading(start, start)
    gone: Placed | None = None
    for block in placed(body["messages"]):
        if block.kind == "compaction":
            _read_compaction(reading, block)
        elif block.kind not in THOUGHTS:
            reading.chain = extend(reading.chain, block.role, block.block)
            reading.kept.append(block)
        elif reason := _mismatch(reading, block, model, gone):
            if reason == "prefix_binding_mismatch":
                _refuse_unless_dropping(body, block)
                gone = block
            reading.dropped.append(
                {"type": "thinking_dropped", "path": block.path, "reason": reason}
            )
        else:
            reading.kept.append(block)
            reading.thought = digest(seal_of(block.block))
    return reading


def _mismatch(
    reading: Reading, block: Placed, model: ServedModel, gone: Placed | None
) -> str | None:
    """Why the model may not read a thinking block; None if it may."""
    payload = unseal(seal_of(block.block))
    if (
        payload is None
        or payload["kind"] != block.kind
        or payload["text"] != digest(block.block.get("thinking", ""))
    ):
        where = "data" if block.kind == "redacted_thinking" else "signature"
        raise ApiRefusal(f"{block.path}: Invalid `{where}` in `{block.kind}` block")
    if payload["model"] != model.id:
        return "model_binding_mismatch"
    follows = reading.thought in {"", payload["before"]}
    in_run = gone is not None and gone.message == block.message and gone.index == block.index - 1
    if model.binds and (payload["chain"] != reading.chain or not follows or in_run):
        return "prefix_binding_mismatch"
    return None


def _refuse_unless_dropping(body: Json, block: Placed) -> None:
    binding = part(part(body, "thinking"), "block_binding")
    if binding.get("prefix_mismatch_behavior") != "drop_block":
        raise ApiRefusal(
            f"{block.path}: Invalid `signature` in `thinking` block. The block is bound to a"
            " different conversation. Remove the block, or set"
            ' `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
        )


def _read_compaction(reading: Reading, block: Placed) -> None:
    """A compaction stands for what it summarised, if system and tools are the same."""
    text = block.block.get("content")
    if text is None:
        return
    payload = unseal(block.block.get("signature") or "")
    if payload is None or payload["kind"] != "compaction":
        raise ApiRefusal(
            f"{block.path}: the signature does not verify", code="compaction_signature_invalid"
        )
    if payload["text"] != digest(text):
        raise ApiRefusal(
            f"{block.path}: content differs from what was signed",
            code="compaction_content_mismatch",
        )
    if block.block.get("tool_changes"):
        raise ApiRefusal(
            f"{block.path}: tool_changes differs from what was returned",
            code="compaction_tool_changes_mismatch",
        )
    is_same = payload["head"] == reading.head
    reading.chain = payload["chain"] if is_same else extend(reading.chain, block.role, block.block)
    reading.kept.append(block)


def check_latest(body: Json, model: ServedModel, owed: Mapping[str, str]) -> None:
    """In an open tool loop the thinking that led to the latest calls must still be there.

    `owed`: tool_use id -> the signature of the thinking in the same reply. Models that bind
    accept that it is left out.
    """
    if model.binds or not thinks(body, model):
        return
    spoken = turns(placed(body["messages"]))
    if len(spoken) < 2 or spoken[-1].blocks[0].kind != "tool_result":
        return
    shown = {seal_of(block.block) for block in spoken[-2].blocks}
    for block in spoken[-2].blocks:
        signature = owed.get(block.block["id"]) if block.kind == "tool_use" else None
        payload = unseal(signature) if signature else None
        if payload and payload["model"] == model.id and signature not in shown:
            raise ApiRefusal(
                f"{block.path}: Expected `thinking` or `redacted_thinking` before `tool_use`."
                " When thinking is on, the latest assistant message of a tool loop must keep its"
                " thinking."
            )
