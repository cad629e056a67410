"""Every fault of the API at every moment of a session, each gone on after (docs/reliability.md).

Nothing of half a reply is kept, no tool runs twice, the log is sound, the next request is taken,
and the person is told. Each fault meets every other moment, by turns;
`OCTOCHAT_FAULTS=all pytest tests/e2e/test_fault_matrix.py` has it meet all.
"""

import json
import os
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final

import pytest

from octochat.context.session.content import Text, plain_text
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.context.session.state import replay
from octochat.context.session.validity import problems
from octochat.storage.log import Log
from tests.e2e.answers import is_summary
from tests.e2e.home import EAGER, Home, home
from tests.e2e.inside import Ran, ran
from tests.e2e.trace import DONE, MARK, answers, between_rounds, marks
from tests.server import (
    Call,
    ClaudeServer,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Instead,
    Json,
    Malformed,
    Reply,
    Reset,
    Say,
    Status,
    Think,
    reply,
    say,
    too_long,
)
from tests.server.script import Fault
from tests.server.wire import PIECE

WORDS: Final = "A half reply"
BROKEN: Final = reply(Think("Let me see"), Say(WORDS), Call("bash", MARK))
"""What is cut off; each of its thoughts and words is one delta."""
DONE_SAID: Final = say(DONE)

_CALL = ceil(len(json.dumps(MARK, separators=(",", ":"))) / PIECE)
PLACES: Final = {
    "first byte": 1,
    "thinking": 4,
    "text": 8,
    "tool call": 12,
    "last byte": 10 + 1 + _CALL + 1 + 1,
}
"""Events of the stream that come before it breaks: all but `message_stop` at the last byte."""


def first(body: Json) -> bool:
    """Whether it is asked for the first time since the person spoke."""
    return not is_summary(body) and not between_rounds(body)


@dataclass
class Answering:
    """A server that answers as it should, but for one request, or for all that want a note."""

    strikes: Callable[[Json], bool]
    fault: Reply | Fault
    struck: bool = False

    def __call__(self, body: Json) -> Reply | Fault:
        if self.strikes(body) and (is_summary(body) or not self.struck):
            self.struck = True
            return self.fault
        return answers(body)


INSTEAD: Final[dict[str, Fault | Reply]] = {
    "401": Status(401, "invalid x-api-key"),
    "403": Status(403, "not for this key"),
    "404": Status(404, "model: claude-sonnet-5-5"),
    "413": Status(413, "Request exceeds the maximum size"),
    "429": Status(429, "slow down", retry_after=3_600),
    "500": Status(500, "Internal server error"),
    "529": Status(529, "Overloaded"),
    "504": Status(504, "Gateway timeout"),
    "too long": too_long(210_000, 200_000),
    "a proxy's page": Instead("<html>Log in</html>", "text/html"),
    "JSON": Instead("{}"),
    "empty": reply(stop="end_turn"),
}
"""What can come in the place of an answer, or as one."""
BREAKS: Final[dict[str, Callable[[int], Fault]]] = {
    "reset": lambda after: Reset(after, BROKEN),
    "cut": lambda after: Cut(after, BROKEN),
    "no message_stop": lambda after: EndEarly(after, BROKEN),
    "malformed": lambda after: Malformed(after, BROKEN),
    "error event": lambda after: ErrorEvent(after, BROKEN),
    "silence": lambda after: Held(Gate(), BROKEN, after),
}
"""What can happen to an answer on its way."""
CONFIG: Final = (
    EAGER.replace("attempts = 3", "attempts = 1").replace(
        "[compression]", "[compression]\nwrite_ahead = 0.6"
    )
    + "\n[compression.decision]\nmax_retries = 0\n"
)
"""Nothing is tried again, so that each fault gets as far as the person."""
MOMENTS: Final = (
    "the first request",
    "between rounds",
    "/compact",
    "/done",
    "a note ahead",
    "a note by itself",
)
"""Which request meets it. Automatic recall makes none; a note is also written ahead."""


@dataclass
class Person:
    """Somebody at work while it goes wrong, who goes on each time."""

    at: Home
    server: ClaudeServer
    begun: bool = False
    entries: tuple[Entry, ...] = ()

    async def says(
        self,
        text: str,
        fault: Reply | Fault = DONE_SAID,
        strikes: Callable[[Json], bool] = lambda _: False,
    ) -> Ran:
        """One run of octochat, on the session that it began with; one request may fail."""
        self.server.default = answering = Answering(strikes, fault)
        told = await ran(self.at, text, go_on=self.begun, mode="allow-all", allow_all=True)
        self.begun = True
        assert answering.struck or fault is DONE_SAID, "it did not come to the request"
        self.checks(told)
        return told

    async def meets(self, moment: str, fault: Fault | Reply) -> None:
        """The fault, and what octochat says of it; then the work is gone on with."""
        before, calls = marks(self.at.project), self.calls
        told = await self.at_the(moment, fault)
        assert told.err or "without a model" in told.out or moment == "a note ahead", (
            "nobody was told"
        )
        assert "Traceback" not in told.err
        if told.code:
            assert told.out == "" or between_rounds(self.server.requests[-1])
            again = await self.says("/retry")
            assert (again.code, again.out) == (0, f"{DONE}\n"), again.err
        run = marks(self.at.project) - before
        assert run == self.calls - calls, "a call was run twice, or never"

    async def at_the(self, moment: str, fault: Fault | Reply) -> Ran:
        """Come to the moment, and to the fault in it."""
        match moment:
            case "the first request":
                return await self.says("go", fault, first)
            case "between rounds":
                return await self.says("go", fault, between_rounds)
            case "/compact" | "/done":
                await self.says("many words " * 400)
                return await self.says(moment, fault, is_summary)
            case "a note by itself":
                await self.says("many words " * 2_000)
                return await self.says("more words " * 2_000, fault, is_summary)
            case _:
                await self.says("many words " * 500)
                return await self.says("go", fault, is_summary)

    @property
    def calls(self) -> int:
        """How often the model called it, in answers that came whole."""
        return sum(isinstance(e.event, Returned) for e in self.entries)

    def checks(self, told: Ran) -> None:
        """What is in the file is sound, and none of it is half of something."""
        log = Log(self.at.sessions[0], weigh=lambda _: 1, clock=lambda: 0.0)
        log.close()
        self.entries = tuple(log.entries)
        assert self.entries == tuple(told.entries)
        assert log.repaired == ""
        events = [entry.event for entry in log.entries]
        said = [plain_text(e.blocks) for e in events if isinstance(e, Replied)]
        assert not any(WORDS in text for text in said)
        prompt = Entry(len(events) + 1, 0.0, 1, Prompted((Text("and?"),)))
        messages = replay([*log.entries, prompt]).view.messages("claude-sonnet-5-5", binds=True)
        assert problems(messages) == ()
        assert self.server.refusals == []


@asynccontextmanager
async def person(root: Path, patch: pytest.MonkeyPatch, silence: str) -> AsyncGenerator[Person]:
    async with ClaudeServer() as server:
        at = home(root, server.env, f'timeout = "{silence}"\n{CONFIG}')
        at.enter(patch)
        made = Person(at, server)
        await made.says("begin")
        yield made


@pytest.mark.parametrize("name", INSTEAD)
async def test_what_comes_in_the_place_of_an_answer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with person(tmp_path, monkeypatch, "5m") as someone:
        for moment in chosen(MOMENTS, list(INSTEAD).index(name)):
            with said(moment):
                await someone.meets(moment, INSTEAD[name])


@pytest.mark.parametrize("name", BREAKS)
async def test_what_befalls_an_answer_on_its_way(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = name == "silence"
    async with person(tmp_path, monkeypatch, "1s" if silent else "5m") as someone:
        turn = list(BREAKS).index(name)
        for place in chosen(tuple(PLACES), turn):
            with said(place):
                await someone.meets("the first request", BREAKS[name](PLACES[place]))
        for moment in MOMENTS[1:2] if silent else chosen(MOMENTS[1:], turn):
            with said(moment):
                await someone.meets(moment, BREAKS[name](PLACES["text"]))


def chosen(moments: Sequence[str], turn: int) -> Sequence[str]:
    """Every other moment, or all of them."""
    return moments if os.environ.get("OCTOCHAT_FAULTS") == "all" else moments[turn % 2 :: 2]


@contextmanager
def said(moment: str) -> Generator[None]:
    """A failure names the moment."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{moment}: {error}") from error
