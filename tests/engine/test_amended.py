"""A call that the person accepted in part runs with what they accepted, and the model is told."""

from collections.abc import Mapping
from pathlib import Path

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Returned, ToolDefinition
from octochat.engine.run_tool import run
from octochat.engine.stopping import Stopper
from octochat.frontends.tui.approval.hunks import only, parts_of
from octochat.permissions.ask import AllowPart, Approval, Permissions, Verdict
from octochat.permissions.rules import Rules
from octochat.tools.base import Access, Amended, Output, Progress


class Repeat:
    """A tool that answers with its text."""

    @property
    def spec(self) -> ToolDefinition:
        return ToolDefinition("repeat", "", {})

    def access(self, arguments: Mapping[str, object]) -> Access:
        return Access("write", str(arguments["text"]), path=Path("/work/x"))

    async def run(
        self, arguments: Mapping[str, object], access: Access, progress: Progress
    ) -> Output:
        return Output((Text(f"{arguments['text']} {access.target}"),))

    async def close(self) -> None:
        pass


class Half:
    """Someone who accepts a part of everything."""

    async def ask(self, approval: Approval) -> Verdict:
        return AllowPart(Amended({"text": "half"}, "The person accepted a half."))


async def test_the_accepted_part_runs_and_the_result_says_so() -> None:
    log: list[Event] = []

    def append(event: Event) -> Entry:
        log.append(event)
        return Entry(len(log), 0.0, 0, event)

    permissions = Permissions(Rules(Path("/work")), Half())
    call = ToolCall("c", "repeat", {"text": "whole"})
    async for _ in run(
        call,
        {"repeat": Repeat()},
        permissions,
        append=append,
        stopper=Stopper(),
        clock=lambda: 0.0,
        mask_secrets=True,
    ):
        pass
    (returned,) = log
    assert isinstance(returned, Returned)
    assert returned.content == (Text("half half"), Text("The person accepted a half."))
    assert returned.note == "in part"


def test_accepting_all_parts_gives_the_new_text_and_none_the_old() -> None:
    old, new = "a\nb\nc\nd\n", "x\na\nc\nD\ne"
    parts = parts_of(old, new)
    assert only(old, new, parts, range(len(parts))) == new
    assert only(old, new, parts, ()) == old
