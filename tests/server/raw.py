"""Raw HTTP to the server, for requests that the SDK would not send."""

import json
from http import HTTPStatus
from typing import Any

import httpx2

from tests.server.refusal import Json
from tests.server.server import ClaudeServer


async def post(
    server: ClaudeServer,
    body: Any,
    *,
    path: str = "/v1/messages",
    betas: tuple[str, ...] = (),
    headers: dict[str, str] | None = None,
) -> tuple[int, Json]:
    """POST a body (JSON, or bytes as they are); returns status and JSON of the answer."""
    sent = {
        "x-api-key": server.api_key,
        "anthropic-version": "2023-06-01",
        **({"anthropic-beta": ",".join(betas)} if betas else {}),
        **(headers or {}),
    }
    async with httpx2.AsyncClient(base_url=server.url, timeout=60, verify=False) as client:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        response = await client.post(path, content=content, headers=sent)
    return response.status_code, response.json()


async def refusal(body: Json) -> str:
    """Why a server of its own refuses the request; empty where it takes it."""
    async with ClaudeServer() as server:
        status, answer = await post(server, body)
    if status == HTTPStatus.OK:
        assert server.refusals == []
        return ""
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    assert len(server.refusals) == 1
    return answer["error"]["message"]


def request(*messages: Json, model: str = "claude-sonnet-4-6", **more: Any) -> Json:
    """A request that is valid but for what a test puts in."""
    return {
        "model": model,
        "max_tokens": 1000,
        "messages": list(messages) or [user("hello")],
        **more,
    }


def user(content: Any) -> Json:
    return {"role": "user", "content": content}


def assistant(content: Any) -> Json:
    return {"role": "assistant", "content": content}


def text(words: str, **more: Any) -> Json:
    return {"type": "text", "text": words, **more}


def tool(name: str = "read", **more: Any) -> Json:
    return {"name": name, "input_schema": {"type": "object"}, **more}


def use(call_id: str = "t1", name: str = "read") -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": {}}


def result(call_id: str = "t1", content: Any = "ok", **more: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def marked(block: Json, ttl: str = "5m") -> Json:
    """The block with a cache marker."""
    return {**block, "cache_control": {"type": "ephemeral", "ttl": ttl}}
