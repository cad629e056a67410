"""A session that goes on and on: what an exchange takes does not grow with it.

The whole chat, in short; `python -m tests.benchmarks.soak` is the long form.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

import octochat.context
import octochat.engine
from tests.benchmarks.soak import SAYS, compressions, exchange, long_session, look

PARTS = tuple(str(Path(part.__file__ or "").parent) for part in (octochat.context, octochat.engine))
ROUND = 3 * len(SAYS)
"""Exchanges between two looks."""


@contextmanager
def counting(calls: Counter[str]) -> Generator[None]:
    """Count the calls of functions in the heart and the engine, by the function."""

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PARTS):
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(None)


def test_an_exchange_takes_no_more_late_in_a_session_than_early(tmp_path: Path) -> None:
    async def talk() -> None:
        counts, looks, notes = list[Counter[str]](), list[tuple[int, ...]](), list[int]()
        async with long_session(tmp_path) as stage:
            for _ in range(4):
                calls = Counter[str]()
                with counting(calls):
                    for says in SAYS * (ROUND // len(SAYS)):
                        await exchange(stage, says)
                seen = look(stage, 0)
                counts.append(calls)
                looks.append((seen.widgets, seen.tasks, seen.threads, seen.files))
                notes.append(compressions(stage))
        assert all(later - earlier >= 3 for earlier, later in pairwise(notes))
        assert counts[3].total() < 1.25 * counts[1].total(), (counts[3] - counts[1]).most_common(5)
        for early, late in zip(looks[1], looks[3], strict=True):
            assert late <= early + 1, looks

    asyncio.run(talk())
