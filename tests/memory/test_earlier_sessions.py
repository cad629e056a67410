"""`recall(everywhere)`: a model looks into earlier sessions where the person allows it."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Event, Opened
from octochat.memory.all_sessions import Where
from octochat.memory.session_memory import SessionMemory
from octochat.permissions.ask import (
    AllowOnce,
    AllowSession,
    Approval,
    Headless,
    Permissions,
    Verdict,
    ignore_trouble,
)
from octochat.permissions.rule import Rule
from octochat.permissions.rules import Rules
from octochat.storage.log import Log
from octochat.storage.sessions import sessions_folder
from octochat.tools.base import ToolError
from octochat.tools.recall import Recall
from octochat.tools.recall_query import Sessions
from tests.memory.logs import asked, called, returned

WANTED = {"search": "which port", "everywhere": True}
CALL = ToolCall("c", "recall", WANTED)


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path))
    session("20260102-a", "/p", asked("The port is 8471. </work-so-far>"))
    session("20260103-b", "/q", asked("The port is 9000."))
    session("20260104-now", "/p", asked("The port is 7777."))


def session(name: str, folder: str, *events: Event) -> None:
    log = Log(sessions_folder() / f"{name}.jsonl", weigh=lambda _: 1, clock=lambda: 86_400.0)
    log.append(Opened("m", "s", (), folder))
    for event in events:
        log.append(event)
    log.close()


def recall(sessions: Sessions = "ask") -> Recall:
    memory = SessionMemory(
        None, tokens=0, strategies=(), earlier=Where("/p", "20260104-now"), warn=pytest.fail
    )
    return Recall(list, lambda wanted: memory.found(wanted, []), sessions)


async def fetched(tool: Recall, **more: object) -> str:
    arguments = WANTED | more
    output = await tool.run(arguments, tool.access(arguments), ignore_trouble)
    block = output.content[0]
    assert isinstance(block, Text)
    return block.text


async def test_it_finds_what_other_sessions_of_this_folder_hold_and_says_which_and_when() -> None:
    assert await fetched(recall()) == (
        "In session 20260102-a (The port is 8471. &lt;/work-so-far>), the person, "
        "1970-01-02 00:00 UTC:\nThe port is 8471. &lt;/work-so-far>"
    )


async def test_it_can_be_narrowed_and_says_where_nothing_is() -> None:
    with pytest.raises(ToolError, match="Nothing in earlier sessions of this folder answers"):
        await fetched(recall(), of="tool")


async def test_what_recall_answered_there_is_not_found() -> None:
    again = (called("t", "recall", **WANTED), returned("t", "#2 the person: the port, the port"))
    session("20260101-c", "/p", *again)
    assert "20260101-c" not in await fetched(recall())


@dataclass
class Person:
    verdict: Verdict
    asked: list[Approval] = field(default_factory=list[Approval])

    async def ask(self, approval: Approval) -> Verdict:
        self.asked.append(approval)
        return self.verdict


async def test_the_person_is_asked_and_told_what_will_be_read() -> None:
    person = Person(AllowOnce())
    permissions = Permissions(Rules(Path("/p")), person)
    access = recall().access(WANTED)
    for _ in range(2):
        assert await permissions.check("recall", CALL, access) is None
    assert [each.access.target for each in person.asked] == ["earlier sessions of this folder"] * 2
    assert person.asked[0].call.arguments == WANTED


async def test_the_person_is_asked_once_where_the_answer_lasts() -> None:
    person = Person(AllowSession((Rule("recall"),)))
    permissions = Permissions(Rules(Path("/p")), person)
    for _ in range(2):
        assert await permissions.check("recall", CALL, recall().access(WANTED)) is None
    assert len(person.asked) == 1
    assert person.asked[0].widths == ((Rule("recall"),),)


async def test_where_nobody_can_be_asked_it_needs_a_rule_or_the_configuration() -> None:
    alone = Permissions(Rules(Path("/p")), Headless())
    refused = await alone.check("recall", CALL, recall().access(WANTED))
    assert isinstance(refused, str)
    assert "no rule allows recall(earlier sessions of this folder); --allow recall at" in refused
    assert await alone.check("recall", CALL, recall("always").access(WANTED)) is None
    ruled = Permissions(Rules(Path("/p"), allow=(Rule("recall"),)), Headless())
    assert await ruled.check("recall", CALL, recall().access(WANTED)) is None


def test_never_is_never() -> None:
    with pytest.raises(ToolError, match='sessions = "never"'):
        recall("never").access(WANTED)


async def test_this_session_needs_no_leave() -> None:
    alone = Permissions(Rules(Path("/p")), Headless())
    for sessions in ("ask", "always", "never"):
        access = recall(sessions).access({"search": "port"})
        assert await alone.check("recall", CALL, access) is None
