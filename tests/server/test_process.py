"""The ways to run the server: as a process, in a thread, in the test's own loop."""

import asyncio
import os
import sys

import anthropic
import pytest

from tests.root import ROOT
from tests.server import ClaudeServer, Json, Reply, say
from tests.server.raw import post, request
from tests.server.threaded import served


async def test_a_process_prints_its_address_and_answers() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server",
        "--port",
        "0",
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "."},
    )
    try:
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        async with anthropic.AsyncAnthropic(api_key="test-key", base_url=url) as sdk:
            message = await sdk.messages.create(
                model="claude-opus-5", max_tokens=10, messages=[{"role": "user", "content": "hi"}]
            )
            model = await sdk.models.retrieve("claude-haiku-4-5")
    finally:
        process.terminate()
        await process.communicate()
    assert message.stop_reason == "end_turn"
    assert model.max_input_tokens == 200_000


def test_a_thread_serves_those_without_a_loop() -> None:
    with (
        served(say("from a thread")) as server,
        anthropic.Anthropic(api_key=server.api_key, base_url=server.url) as sdk,
    ):
        message = sdk.messages.create(
            model="claude-opus-5", max_tokens=10, messages=[{"role": "user", "content": "hi"}]
        )
    block = message.content[0]
    assert isinstance(block, anthropic.types.TextBlock)
    assert block.text == "from a thread"
    assert server.messages[0].finished


async def test_an_assertion_in_a_script_fails_the_test() -> None:
    def check(body: Json) -> Reply:
        assert "tools" in body
        return say("never")

    async def run() -> None:
        async with ClaudeServer(check) as server:
            status, _ = await post(server, request())
            assert status == 500

    with pytest.raises(AssertionError, match="tools"):
        await run()
