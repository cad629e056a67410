"""Mode and effort: what is set, what the model is told of it, and what a resumed session keeps."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from octochat.context.session.steering import EffortChanged, ModeChanged
from octochat.permissions.modes import Mode
from octochat.session.plans import plan_of
from octochat.session.session import Session
from tests.e2e.home import Home, home
from tests.offline_session import answered, told
from tests.server import ClaudeServer, say

OPUS = "claude-opus-5"


@dataclass
class Desk:
    """A server that takes any beginning of a cache, and a home whose sessions talk to it."""

    server: ClaudeServer
    at: Home

    @asynccontextmanager
    async def session(self, **said: Any) -> AsyncGenerator[Session]:
        opened = self.at.open(**said)
        try:
            yield opened
        finally:
            await opened.close()
        assert self.server.refusals == []

    @property
    def missed(self) -> int:
        """Tokens of the request before that the last one did not read from the cache."""
        return self.server.bill[-2].usage.prompt - self.server.bill[-1].usage.read

    def roles(self) -> str:
        return " ".join(message["role"] for message in self.server.requests[-1]["messages"])


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Desk]:
    async with ClaudeServer() as server:
        at = home(tmp_path, server.env, "")
        at.enter(monkeypatch)
        yield Desk(server, at)


def steps(session: Session) -> list[str]:
    """The modes and efforts that the log tells of, in order."""
    events = [entry.event for entry in session.engine.log.entries]
    return [
        each.mode if isinstance(each, ModeChanged) else each.effort
        for each in events
        if isinstance(each, ModeChanged | EffortChanged)
    ]


async def test_the_model_is_told_of_a_mode_once_behind_what_it_has_read(desk: Desk) -> None:
    async with desk.session(model=OPUS) as session:
        await told(session, "hello " * 2_000)
        assert steps(session) == []  # ask is what the system prompt says
        session.dials.next_mode()
        session.dials.next_mode()
        assert session.dials.mode == "plan"
        for words in ("look around", "and on"):
            await told(session, words)
        assert steps(session) == ["plan"]
        last = desk.server.requests[-2]["messages"][-1]["content"]
        assert "Plan mode is on" in last[-1]["text"]
        assert desk.missed <= 0
        assert await answered(session, "/mode ask") == (
            "Mode: ask. octochat asks before it changes files or runs commands."
        )
        await told(session, "go")
        assert steps(session) == ["plan", "ask"]


async def test_a_plan_can_be_asked_for_in_one_line(desk: Desk) -> None:
    async with desk.session(model=OPUS) as session:
        await told(session, "/plan share code with the other one")
        assert session.dials.mode == "plan"
        assert steps(session) == ["plan"]
        asked = desk.server.requests[-1]["messages"]
        assert "share code with the other one" in str(asked)
        calls = len(desk.server.requests)
        await answered(session, "/plan")
        assert len(desk.server.requests) == calls


async def test_an_effort_in_mid_conversation_keeps_the_cache(desk: Desk) -> None:
    async with desk.session(model=OPUS) as session:
        await told(session, "hello " * 2_000)
        assert await answered(session, "/effort max") == "Effort: max."
        await told(session, "think")
        assert desk.roles() == "user assistant user system"
        assert desk.server.requests[-1]["messages"][-1] == {
            "role": "system",
            "output_config": {"effort": "max"},
        }
        assert "output_config" not in desk.server.requests[-1]
        await told(session, "more")
        assert desk.roles() == "user assistant user system assistant user"
        assert desk.missed < 20  # the message that sets it can hold no cache marker
        assert steps(session) == ["max"]


async def test_before_the_first_request_an_effort_stands_at_the_top(desk: Desk) -> None:
    async with desk.session(model="claude-sonnet-5") as session:
        await answered(session, "/effort low")
        await told(session, "hello")
        await told(session, "on")
        assert [sent["output_config"] for sent in desk.server.requests] == [{"effort": "low"}] * 2
        assert desk.roles() == "user assistant user"
        assert await answered(session, "/effort high") == (
            "claude-sonnet-5 takes an effort only before the first request of a session. It is low."
        )


async def test_what_a_model_does_not_take_is_not_offered(desk: Desk) -> None:
    async with desk.session(model="claude-haiku-4-5") as session:
        said = await answered(session, "/effort high")
        assert said == "claude-haiku-4-5 can't be told how hard to work."
        assert session.dials.next_effort(session.engine.state) is None
        await told(session, "hello")
        assert "output_config" not in desk.server.requests[-1]


async def test_a_resumed_session_keeps_mode_and_effort_even_unsent(desk: Desk) -> None:
    async with desk.session(model=OPUS) as session:
        await told(session, "hello")
        await answered(session, "/mode accept edits")
        await answered(session, "/effort low")
        name = session.engine.log.id
    async with desk.session(resume=name) as session:
        assert (session.dials.mode, session.dials.effort) == ("accept-edits", "low")
        await told(session, "on")
        assert steps(session) == ["accept-edits", "low"]
        assert desk.roles() == "user assistant user system"
    async with desk.session(resume=name, mode="plan") as session:
        assert session.dials.mode == "plan"


async def test_to_allow_all_takes_a_start_that_says_so(desk: Desk) -> None:
    async with desk.session(model=OPUS, mode="allow-all", allow_all=True) as session:
        await told(session, "hello")
        assert steps(session) == ["allow-all"]
        name = session.engine.log.id
    async with desk.session(resume=name) as session:
        assert session.dials.mode == "ask"
        assert "--allow-all" in await answered(session, "/mode allow-all")
        assert "allow-all" not in session.dials.modes


@pytest.mark.parametrize(("mode", "modes"), [("ask", 3), ("read-only", 1)])
async def test_read_only_is_for_good(desk: Desk, mode: Mode, modes: int) -> None:
    async with desk.session(model=OPUS, mode=mode) as session:
        assert len(session.dials.modes) == modes
        await answered(session, "/mode plan")
        assert session.dials.mode == ("read-only" if modes == 1 else "plan")


async def test_a_plan_waits_for_its_answer_and_is_carried_out(desk: Desk) -> None:
    async with desk.session(model=OPUS, mode="plan") as session:
        plan_text = "I looked.\n\n# Plan\n\n1. Mend it."
        desk.server.script.extend((say("Which file?"), say(plan_text), say("Done.")))
        await told(session, "mend it")
        assert plan_of(session) is None
        await told(session, "a.py")
        plan = plan_of(session)
        assert plan is not None
        assert plan.text == "# Plan\n\n1. Mend it."
        assert plan.answered("E") == "/plan edits"
        assert plan.answered("Explain more") == "Explain more"
        await told(session, plan.answered("e"))
        assert session.dials.mode == "accept-edits"
        said = desk.server.requests[-1]["messages"][-1]["content"]
        assert said[0]["text"] == "Carry out the plan."
        assert plan_of(session) is None
