"""The server as a process of its own, which a TUI or a headless run is pointed at."""

import asyncio
import os
import sys

import anthropic


async def test_a_process_prints_its_address_and_answers() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server",
        "--port",
        "0",
        stdout=asyncio.subprocess.PIPE,
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
