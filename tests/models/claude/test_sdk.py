"""What stands between octochat and the API, and what the network says: told, and no key with it."""

import json
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from octochat.models.claude.model import Claude
from octochat.models.claude.sdk import Api
from octochat.models.port import ModelError
from tests.claude_talk import asks, user
from tests.server import ClaudeServer, Instead

KEY = "sk-ant-api03-kestrel"
SPENT = {
    "type": "error",
    "error": {
        "type": "rate_limit_error",
        "message": "no more",
        "details": {"error_code": "enforced_spend_limit_reached"},
    },
}
PAGE = "text/html"
DUE = "answered with text/html where a stream was due"


async def answered(step: Instead) -> ModelError:
    """How a call fails that got this instead of an answer."""
    async with ClaudeServer(step, api_key=KEY) as server:
        claude = Claude(environment=server.env)
        with pytest.raises(ModelError) as caught:
            await anext(claude.reply(asks(user("go"))))
        await claude.close()
    return caught.value


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Instead("Log in.", "Text/HTML ; charset=utf-8"), "invalid", f"{DUE} (Log in)."),
        (Instead("", PAGE), "invalid", f"{DUE}. Is"),
        (Instead(f"Who is {KEY}?", PAGE), "invalid", f"{DUE} (Who is [key]?)."),
        (Instead("Bad gateway", PAGE, 502), "server", "The API failed (Bad gateway)."),
        (Instead("", PAGE, 502), "server", "The API failed (HTTP 502)."),
        (Instead(f"Who is {KEY}?", PAGE, 401), "auth", "(Who is [key]?)"),
        (Instead(json.dumps(SPENT), status=429), "billing", "can't pay for this call (no more)"),
    ],
)
async def test_what_comes_instead_of_an_answer_is_quoted_without_the_key(
    step: Instead, kind: str, words: str
) -> None:
    error = await answered(step)
    assert error.kind == kind
    assert words in str(error)
    assert KEY not in f"{error} {error.detail}"


async def test_of_a_long_page_only_the_beginning_is_kept() -> None:
    assert (await answered(Instead("x" * 5_000, PAGE))).detail == "x" * 2_000


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    api = Api({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://me:pass@localhost:9"}, 1.0)
    yield api
    await api.close()


def failed(api: Api, error: Exception, cause: Exception | None = None) -> ModelError:
    """What a person is told when the network raises an error that comes of another."""
    with pytest.raises(ModelError) as caught, api._failures("claude"):  # pyright: ignore[reportPrivateUsage]
        raise error from cause
    return caught.value


def wrapped(inner: Exception) -> Exception:
    """As the layers of a connection hand on what went wrong."""
    middle = httpx2.ConnectError("in the middle")
    middle.__cause__ = inner
    return middle


@pytest.mark.parametrize(
    ("inner", "kind", "words"),
    [
        (ssl.SSLCertVerificationError(1, "self-signed."), "invalid", "self-signed"),
        (UnicodeError("label too long"), "invalid", "label too long"),
        (OSError("Network is unreachable."), "network", "Network is unreachable"),
        (ConnectionRefusedError(), "network", "ConnectionRefusedError"),
    ],
)
async def test_a_connection_that_can_never_be_is_told_from_one_that_may(
    api: Api, inner: Exception, kind: str, words: str
) -> None:
    error = failed(api, httpx2.ConnectError("outside"), wrapped(inner))
    assert error.kind == kind
    assert f"No connection to https://localhost:9 ({words}). Check the network" in str(error)


async def test_the_detail_is_what_the_error_came_of_or_the_error_itself(api: Api) -> None:
    alone, cause = httpx2.ConnectError("alone"), OSError("no route")
    assert failed(api, alone).detail == repr(alone)
    assert failed(api, httpx2.ConnectError("outside"), cause).detail == repr(cause)


async def test_a_fault_of_our_own_is_not_taken_for_one_of_the_api(api: Api) -> None:
    with pytest.raises(TypeError), api._failures("claude"):  # pyright: ignore[reportPrivateUsage]
        raise TypeError("a fault of our own")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
async def test_by_whatever_name_a_server_on_this_machine_is_asked_without_a_key(
    host: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))  # no other login is found
    claude = Claude(environment={"ANTHROPIC_BASE_URL": f"http://{host}:9"})
    with pytest.raises(ModelError) as caught:
        await anext(claude.reply(asks(user("go"))))
    await claude.close()
    assert caught.value.kind == "network"
