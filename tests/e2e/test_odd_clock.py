"""A clock that jumps back and forth by years: the log goes forward, and nothing took under 0 s."""

from itertools import cycle, pairwise
from pathlib import Path

import pytest

from octochat.context.session.events import Condensed, Held, Replied, Returned
from octochat.context.session.state import replay
from tests.e2e.home import EAGER, home
from tests.e2e.inside import ran
from tests.e2e.trace import DONE, answers
from tests.server import ClaudeServer

NOW, YEAR, DAY = 1_790_000_000.0, 31_536_000.0, 86_400.0
JUMPS = (NOW, NOW + DAY, NOW - DAY, NOW + 30 * YEAR, NOW, 0.0, NOW - YEAR, NOW + 1)


async def test_a_clock_that_jumps_back_and_forth_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = cycle(JUMPS)
    async with ClaudeServer() as server:
        server.default = answers
        at = home(tmp_path, server.env, EAGER)
        at.enter(monkeypatch)
        monkeypatch.setattr("time.time", lambda: next(times))
        prompts = ("go", "go " * 2_000, "/done", "go " * 2_000, "go " * 2_000, "/info", "go")
        told = await ran(at, "begin")
        for prompt in prompts:
            told = await ran(at, prompt, go_on=True, mode="allow-all", allow_all=True)
            assert told.code == 0, told.err
        assert told.out == f"{DONE}\n"
        assert server.refusals == []
    assert all(one.at <= two.at for one, two in pairwise(told.entries))
    events = [entry.event for entry in told.entries]
    timed = [e for e in events if isinstance(e, Replied | Returned | Condensed | Held)]
    assert len({type(event) for event in timed}) >= 3
    assert min(event.seconds for event in timed) == 0.0
    assert replay(told.entries).ledger.calls == sum(isinstance(e, Replied) for e in timed)
