"""A home with the strict server, for sessions in which hooks run."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.home import Home, home
from tests.e2e.wire import answers
from tests.server import ClaudeServer


@pytest.fixture
async def server() -> AsyncIterator[ClaudeServer]:
    async with ClaudeServer() as made:
        made.default = answers
        yield made


@pytest.fixture
def at(tmp_path: Path, server: ClaudeServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = home(tmp_path / "someone", server.env)
    made.enter(monkeypatch)
    return made
