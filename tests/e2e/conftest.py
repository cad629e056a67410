"""What several of these tests need."""

from collections.abc import AsyncIterator

import pytest

from tests.e2e.wire import answers
from tests.server import ClaudeServer


@pytest.fixture
async def server() -> AsyncIterator[ClaudeServer]:
    async with ClaudeServer() as made:
        made.default = answers
        yield made
