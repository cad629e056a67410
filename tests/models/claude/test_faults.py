"""Everything that can go wrong between octochat and the API: named, acted on, nothing kept."""

import os
from pathlib import Path

import pytest

from octochat.context.session.content import Text
from octochat.models.claude.model import Claude
from octochat.models.claude.request import ClaudeOptions
from octochat.models.port import (
    ModelError,
    Reply,
    Retrying,
)
from octochat.models.retry import Persistent
from octochat.models.retry_policy import RetryPolicy
from tests.claude_talk import Talk, asks, user
from tests.server import (
    Call,
    ClaudeServer,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Malformed,
    Reset,
    Say,
    Status,
    Step,
    reply,
    say,
    too_long,
)

HALF = say("a reply of which only a part arrives")


async def failure(step: Step) -> ModelError:
    """How a call fails; the server must have refused nothing."""
    async with ClaudeServer(step) as server:
        talk = Talk(server)
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
        assert server.refusals == []
        assert len(server.messages) == 1
    return caught.value


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Status(401, "invalid x-api-key"), "auth", "Check ANTHROPIC_API_KEY"),
        (Status(402, "no credit"), "billing", "Add credit"),
        (Status(403, "not for you"), "auth", "not for you"),
        (Status(404, "model: claude-sonnet-5"), "model", "claude-sonnet-5"),
        (Status(413, "too big"), "too_long", "too big"),
        (Status(500, "internal"), "server", "internal"),
        (Status(504, "slow"), "timeout", "too long"),
        (Status(529, "Overloaded"), "overloaded", "overloaded"),
        (ErrorEvent(after=3), "overloaded", "overloaded"),
        (ErrorEvent(after=3, kind="api_error", message="oops"), "server", "oops"),
        (Reset(after=0), "network", "No connection to http://127.0.0.1"),
        (Reset(after=4), "stream", "broke off"),
        (Cut(after=0), "stream", "broke off"),
        (Cut(after=4), "stream", "broke off"),
        (EndEarly(after=4), "stream", "broke off"),
        (Malformed(after=4), "stream", "broke off"),
        (Malformed(after=4, data='{"type": "content_block_delta"}'), "stream", "broke off"),
        (too_long(210_000, 200_000), "too_long", "210,000 tokens"),
    ],
    ids=str,
)
async def test_each_fault_is_named_and_leaves_no_reply(step: Step, kind: str, words: str) -> None:
    error = await failure(step)
    assert error.kind == kind
    assert words in str(error)


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    error = await failure(Status(429, "slow down", retry_after=7))
    assert (error.kind, error.retry_after) == ("rate_limit", 7.0)


@pytest.mark.parametrize("after", range(8))
async def test_a_stream_cut_anywhere_gives_no_reply(after: int) -> None:
    whole = reply(Say("x" * 24), Call("read", {"path": "y"}))
    assert (await failure(EndEarly(after, whole))).kind == "stream"


async def test_a_connection_that_breaks_after_the_message_takes_nothing_from_it() -> None:
    events = 7  # start, ping, block start, one delta, block stop, message delta, stop
    async with ClaudeServer(Cut(events, say("hi"))) as server:
        talk = Talk(server)
        assert (await talk.say("go")).blocks == (Text("hi"),)
        await talk.claude.close()


async def test_silence_is_a_timeout() -> None:
    async with ClaudeServer(Held(Gate(), HALF, after=3)) as server:
        talk = Talk(server, options=ClaudeOptions(timeout=0.05))
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
    assert caught.value.kind == "timeout"


async def test_no_server_is_a_network_error_that_names_the_address() -> None:
    async with ClaudeServer() as server:
        environment = server.env
    claude = Claude(environment=environment)
    with pytest.raises(ModelError) as caught:
        await anext(claude.reply(asks(user("go"))))
    await claude.close()
    assert caught.value.kind == "network"
    assert environment["ANTHROPIC_BASE_URL"] in str(caught.value)


async def test_a_wrong_key_is_refused_and_said() -> None:
    async with ClaudeServer() as server:
        claude = Claude(environment={**server.env, "ANTHROPIC_API_KEY": "wrong"})
        with pytest.raises(ModelError) as caught:
            await anext(claude.reply(asks(user("go"))))
        await claude.close()
    assert caught.value.kind == "auth"
    assert "wrong" not in str(caught.value)


async def test_an_auth_token_serves_as_well_as_a_key() -> None:
    async with ClaudeServer(api_key="secret") as server:
        claude = Claude(
            environment={"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_AUTH_TOKEN": "secret"}
        )
        items = [item async for item in claude.reply(asks(user("go")))]
        await claude.close()
    assert isinstance(items[-1], Reply)


async def test_a_server_on_this_machine_needs_no_key() -> None:
    async with ClaudeServer(api_key="none") as server:
        claude = Claude(environment={"ANTHROPIC_BASE_URL": server.url})
        items = [item async for item in claude.reply(asks(user("go")))]
        await claude.close()
    assert isinstance(items[-1], Reply)


@pytest.mark.parametrize("elsewhere", [True, False])
async def test_without_a_key_it_says_how_to_set_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, elsewhere: bool
) -> None:
    """The SDK says it with another error where no folder for its configuration is named."""
    for name in tuple(os.environ):
        if name.startswith(("ANTHROPIC_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    if elsewhere:
        monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))
    claude = Claude(environment={})
    with pytest.raises(ModelError) as caught:
        await anext(claude.reply(asks(user("go"))))
    await claude.close()
    assert caught.value.kind == "auth"
    assert "set ANTHROPIC_API_KEY" in str(caught.value)


async def test_a_model_that_is_not_there_is_met_with_a_suggestion() -> None:
    async with ClaudeServer() as server:
        talk = Talk(server, "claude-sonet-5")
        with pytest.raises(ModelError) as caught:
            await talk.say("go")
        await talk.claude.close()
    assert caught.value.kind == "model"
    assert "Did you mean 'claude-sonnet-5'?" in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_gets_the_key_nor_is_it_tried_again(status: int) -> None:
    async with ClaudeServer(say("for the taking")) as other:
        away = (("location", f"http://me:pass@{other.url.removeprefix('http://')}/v1/messages"),)
        async with ClaudeServer(Status(status, "moved", headers=away)) as server:
            claude = Claude(environment=server.env)
            model = Persistent(claude, RetryPolicy(first_wait="0s"))
            with pytest.raises(ModelError) as caught:
                assert [item async for item in model.reply(asks(user("go")))]
            await claude.close()
            assert len(server.messages) == 1
        assert other.messages == []
    assert caught.value.kind == "invalid"
    assert f"sends octochat on to {other.url}, which it does not follow" in str(caught.value)
    assert "pass" not in str(caught.value)


async def test_a_server_without_a_messages_api_is_told_from_a_missing_model() -> None:
    async with ClaudeServer() as server:
        url = f"{server.url}/somewhere/else"
        claude = Claude(environment={**server.env, "ANTHROPIC_BASE_URL": url})
        with pytest.raises(ModelError) as caught:
            await anext(claude.reply(asks(user("go"))))
        await claude.close()
    assert caught.value.kind == "invalid"
    assert "ANTHROPIC_BASE_URL" in str(caught.value)


async def test_after_a_fault_the_same_call_is_made_again_and_works() -> None:
    async with ClaudeServer(Status(529, "Overloaded"), EndEarly(after=4), say("hi")) as server:
        claude = Claude(environment=server.env)
        model = Persistent(claude, RetryPolicy(first_wait="0s"))
        items = [item async for item in model.reply(asks(user("go")))]
        await claude.close()
        assert server.requests[0] == server.requests[1] == server.requests[2]
    assert [item.kind for item in items if isinstance(item, Retrying)] == ["overloaded", "stream"]
    assert isinstance(items[-1], Reply)
    assert items[-1].blocks == (Text("hi"),)
