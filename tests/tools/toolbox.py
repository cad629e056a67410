"""Builders for tests of tools: a folder, its tools, and calls as the engine makes them."""

import asyncio
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry
from octochat.context.session.state import State
from octochat.sandbox.sandbox import Sandbox
from octochat.skills.skills import Skills
from octochat.tools.base import Access, Foreseeing, Output, Tool, ToolError
from octochat.tools.limits import FileSettings, Limits
from octochat.tools.paths import Roots
from octochat.tools.registry import tools_at
from octochat.tools.tool_context import ToolContext
from tests.waiting import soon


@dataclass
class Toolbox:
    folder: Path
    tools: dict[str, Tool]
    printed: str = ""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def progress(self, piece: str) -> None:
        self.printed += piece
        self._news.set()

    async def hears(self, words: str) -> None:
        """Wait until the words were printed."""
        while words not in self.printed:
            self._news.clear()
            await soon(self._news.wait())

    def access(self, name: str, **arguments: object) -> Access:
        return self.tools[name].access(arguments)

    async def foreseen(self, name: str, **arguments: object) -> Access:
        tool = self.tools[name]
        assert isinstance(tool, Foreseeing)
        return await tool.foreseen(arguments, tool.access(arguments))

    async def output(self, name: str, **arguments: object) -> Output:
        tool = self.tools[name]
        return await tool.run(arguments, tool.access(arguments), self.progress)

    async def text(self, name: str, **arguments: object) -> str:
        return plain_text((await self.output(name, **arguments)).content)

    async def prints(self, command: str, **arguments: object) -> str:
        """What a command prints, without the line about how it ended."""
        said = await self.text("bash", command=command, **arguments)
        printed, _, ended = said.rpartition("\n")
        assert re.match(r"\[exit \d+ in \d", ended), said
        return printed

    async def failure(self, name: str, **arguments: object) -> str:
        try:
            output = await self.output(name, **arguments)
        except ToolError as error:
            return str(error)
        raise AssertionError(f"{name} did not fail: {output}")

    async def close(self) -> None:
        for tool in self.tools.values():
            await tool.close()


def toolbox(
    tmp_path: Path,
    limits: Limits | None = None,
    readable: Callable[[Path], bool] = lambda _: True,
    files: FileSettings | None = None,
    *,
    pictures: bool = True,
    sandbox: Sandbox | None = None,
) -> Toolbox:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    roots = Roots(Path(os.path.realpath(folder)), Path(os.path.realpath(tmp_path / "spill")))
    place = ToolContext(
        roots,
        limits or Limits(),
        os.environ,
        lambda _, path: readable(path),
        Skills(()),
        list[Entry],
        lambda _: iter(()),
        "ask",
        State,
        files or FileSettings(),
        lambda: pictures,
        sandbox,
    )
    return Toolbox(folder, {tool.spec.name: tool for tool in tools_at(place)})
