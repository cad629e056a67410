"""A call that fails shows nothing of a file that the model may not read."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from octochat.context.session.content import ToolCall, plain_text
from octochat.context.session.events import Entry, Event, Returned
from octochat.engine.run_tool import run
from octochat.engine.stopping import Stopper
from octochat.permissions.ask import AllowOnce, Approval, Permissions, Verdict
from octochat.permissions.modes import Mode
from octochat.permissions.rule import parse
from octochat.permissions.rules import Rules
from tests.tools.toolbox import toolbox

SECRET = "KEY=hunter2-abc"
MISTAKEN = {"file_path": "kept", "old_string": "KEY=hunter2-x", "new_string": "KEY="}


class Person:
    async def ask(self, approval: Approval) -> Verdict:
        return AllowOnce()


class Project:
    """A folder with a file about which there is a rule."""

    def __init__(self, top: Path, *, mode: Mode, deny: str = "", ask: str = "") -> None:
        self.box = toolbox(top)
        self.file = self.box.folder / "kept"
        self.file.write_text(f"A=1\n{SECRET}\nB=1\n")
        rules = Rules(
            self.box.folder,
            deny=tuple(map(parse, filter(None, [deny]))),
            ask=tuple(map(parse, filter(None, [ask]))),
        )
        self.permissions = Permissions(rules, Person(), mode=mode)
        self.log: list[Entry] = []

    def append(self, event: Event) -> Entry:
        self.log.append(Entry(len(self.log), 0.0, 0, event))
        return self.log[-1]

    async def told(self, tool: str, arguments: Mapping[str, object]) -> str:
        """What the model is told of a call."""
        call = ToolCall("1", tool, arguments)
        tools, stopper = self.box.tools, Stopper()
        stream = run(
            call,
            tools,
            self.permissions,
            append=self.append,
            stopper=stopper,
            clock=lambda: 0.0,
            mask_secrets=True,
        )
        async for _ in stream:
            pass
        event = self.log[-1].event
        assert isinstance(event, Returned)
        return plain_text(event.content)


@pytest.mark.parametrize("mode", ["ask", "accept-edits", "allow-all"])
async def test_an_edit_tells_nothing_of_a_file_that_may_not_be_read(
    tmp_path: Path, mode: Mode
) -> None:
    project = Project(tmp_path, mode=mode, deny="read(kept)")
    assert await project.told("edit", MISTAKEN) == "old_string is not in kept"
    twice = {**MISTAKEN, "old_string": "=1"}
    assert await project.told("edit", twice) == (
        "old_string is in kept 2 times; give more of the text around it, or set replace_all"
    )
    fits = {"old_string": "A=1", "new_string": "A=2"}
    misses = {"old_string": "KEY=hunter2-x", "new_string": "KEY="}
    two = {"file_path": "kept", "edits": [fits, misses]}
    assert await project.told("edit", two) == (
        "edit 2 of 2 can't be made, so none was: old_string is not in kept"
    )


async def test_a_change_of_a_file_that_may_not_be_read_is_told_without_what_changed(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path, mode="accept-edits", deny="read(kept)")
    mine = {"file_path": "kept", "content": "KEY=put yours here\n"}
    assert await project.told("write", mine) == "wrote kept (1 line)"
    project.file.write_text(f"{SECRET}\n")
    assert await project.told("write", mine) == (
        "kept has changed on disk since you last read it, so nothing was done. If your change "
        "still fits, make it again."
    )


async def test_where_the_file_may_be_read_both_are_told_whole(tmp_path: Path) -> None:
    project = Project(tmp_path, mode="accept-edits")
    assert f"+{SECRET}" in await project.told("edit", MISTAKEN)
    await project.told("read", {"file_path": "kept"})
    project.file.write_text(f"{SECRET}4\n")
    assert f"+{SECRET}4" in await project.told("edit", MISTAKEN)


async def test_where_reading_is_asked_about_only_an_edit_that_was_asked_about_tells(
    tmp_path: Path,
) -> None:
    ask = "read(kept)"
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    accepts = Project(tmp_path / "a", mode="accept-edits", ask=ask)
    assert SECRET not in await accepts.told("edit", MISTAKEN)
    asks = Project(tmp_path / "b", mode="ask", ask=ask)
    assert SECRET in await asks.told("edit", MISTAKEN)
