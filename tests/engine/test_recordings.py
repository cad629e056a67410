"""Real recorded conversations through the real engine, with the default configuration.

The model says what was recorded and its tools answer what was recorded; notes are written by the
extractive summariser. Needs the recordings, which are not part of the repository.
"""

import asyncio
import os
import sys
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.config.load import config_of
from octochat.context.notes.artifacts import harvest
from octochat.context.notes.identifiers import identifiers
from octochat.context.notes.note import originals
from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Prompted,
    Replied,
    Returned,
    ToolDefinition,
    Usage,
)
from octochat.context.session.state import replay, surviving
from octochat.context.session.validity import problems
from octochat.context.session.view import Note
from octochat.engine.compress import Compressor
from octochat.engine.loop import Engine
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import Ports
from octochat.models.catalogue import info
from octochat.models.port import Delta, Reply, Request
from octochat.replay.readers import read
from octochat.replay.recording import ParsedRecording
from octochat.storage.log import Log
from octochat.summaries.summariser import Summariser
from octochat.tools.base import Access, Arguments, Output, Progress, Tool

FOLDER = Path(os.environ.get("OCTOCHAT_TRAJECTORIES", "../shared/trajectories")) / "dev"
FILES = sorted(FOLDER.glob("*.jsonl")) if FOLDER.is_dir() else []
CONFIG = config_of({})
PACE = 180.0
"""Seconds between a person's turns."""


def measure(text: str) -> int:
    return len(text) * 10 // 32


def weigh(event: Event) -> int:
    match event:
        case Condensed(fold=fold):
            return measure(plain_text(fold.note)) if fold else 0
        case Replied(blocks=blocks):
            calls = [str(dict(b.arguments)) for b in blocks if isinstance(b, ToolCall)]
            return measure(plain_text(blocks) + "".join(calls)) + 40
        case Prompted(blocks=blocks):
            return measure(plain_text(blocks)) + 40
        case Returned(content=content):
            return measure(plain_text(content)) + 40
        case _:
            return measure(getattr(event, "system", ""))


class Recorded:
    """The model and the tools of a recording, and what was asked of them."""

    def __init__(self, transcript: ParsedRecording) -> None:
        self.turns: deque[Prompted] = deque()
        self.replies: deque[Replied] = deque()
        self.results: deque[Returned] = deque()
        self.asked: list[str] = []
        self.faults: list[str] = []
        for event in (moment.event for moment in transcript.moments):
            match event:
                case Prompted():
                    self.turns.append(event)
                case Replied():
                    self.replies.append(event)
                case Returned():
                    self.results.append(event)
                case _:
                    pass
        self.now = 1_000.0

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        self.faults += problems(request.messages)
        said = plain_text(tuple(b for m in request.messages for b in m.blocks))
        if self.asked[-1] not in said:
            self.faults.append("the prompt being answered is not in the request")
        self.now += 10
        reply = self.replies.popleft() if self.replies else Replied((Text("the end"),))
        calls = any(isinstance(block, ToolCall) for block in reply.blocks)
        yield Reply(reply.blocks, Usage(), "tool_use" if calls else "end_turn")

    spec = ToolDefinition("recorded", "", {})

    def access(self, arguments: Arguments) -> Access:
        return Access("none", "")

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        result = self.results.popleft()
        return Output(result.content, result.failed)

    async def close(self) -> None:
        return

    async def check(self, tool: str, call: ToolCall, access: Access, hook: object = None) -> None:
        return

    def may_show(self, tool: str, access: Access) -> bool:
        return True


class Anything(dict[str, Tool]):
    """Every tool that a recording names."""

    def __init__(self, tool: Tool) -> None:
        super().__init__()
        self.tool = tool

    def get(self, key: str, default: object = None) -> Tool:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.tool


async def played(transcript: ParsedRecording) -> tuple[Engine, Recorded]:
    recorded = Recorded(transcript)
    log = Log(None, weigh=weigh, clock=lambda: recorded.now)
    log.append(transcript.opened)
    compressor = Compressor(
        ContextPolicy(CONFIG.pipeline, 1_000, 0, 20_000, 4_000, lambda _: (), False, 1.0),
        Summariser(
            recorded,
            info,
            CONFIG.compression.decision,
            measure,
            retention=10,
        ),
        weigh,
        measure,
    )
    ports = Ports(
        recorded,
        Anything(recorded),
        recorded,
        compressor,
        lambda: recorded.now,
        lambda _: info("claude-sonnet-5-5"),
        lambda before, event: None,
        mask_secrets=True,
    )
    engine = Engine(log, ports, max_tokens=1_000, ttl=300)
    while recorded.turns and recorded.replies:
        said = recorded.turns.popleft()
        recorded.asked.append(plain_text(said.blocks))
        recorded.now += PACE
        async with aclosing(engine.turn(said.blocks)) as stream:
            async for _ in stream:
                pass
    return engine, recorded


@pytest.mark.skipif(not FILES, reason="the recorded conversations are not at hand")
@pytest.mark.timeout(900)
def test_recorded_conversations_go_through_the_engine_as_the_design_promises(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folds = read_held = read_all = 0
    for path in FILES:
        engine, recorded = asyncio.run(played(read(path)))
        assert recorded.faults == [], path.name
        entries = list(engine.log.entries)
        _no_loops(entries)
        for n, made in enumerate(entries):
            if isinstance(made.event, Condensed) and made.event.fold:
                folds += 1
                held, named = _held(entries[: n + 1], made.id)
                read_held, read_all = read_held + held, read_all + named
    assert folds > 0
    with capsys.disabled():
        sys.stdout.write(f"\n{folds} folds: {read_held} of {read_all} files read are named.\n")


def _no_loops(entries: Sequence[Entry]) -> None:
    """No growth, and at most one compression per 10 % growth since the person last spoke."""
    after: int | None = None
    for entry in entries:
        match entry.event:
            case Prompted():
                after = None
            case Condensed(by="pressure") as event:
                assert event.after < event.before
                assert after is None or event.before >= after * 1.1
                after = event.after
            case _:
                pass


def _held(entries: Sequence[Entry], fold: int) -> tuple[int, int]:
    """How many files that were read the note names, and of how many; it names all that changed."""
    note = next(u for u in replay(entries).view.units if u.id == fold)
    assert isinstance(note, Note)
    text = plain_text(note.blocks)
    named = {found.text for found in identifiers(text)}
    files = harvest(originals(surviving(entries), note.covers)).files
    missing = [f.path for f in files if f.changes and f.path not in named and f.path not in text]
    assert missing == []
    read = [f.path for f in files if not f.changes]
    return sum(path in named or path in text for path in read), len(read)
