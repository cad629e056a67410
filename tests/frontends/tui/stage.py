"""The whole app on a stage: a home of its own, the offline model, a clock that stands still."""

import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from textual.pilot import Pilot

from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.chat import Chat
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.session.options import Options
from octochat.session.session import Session
from tests.frontends.tui.held_model import Held
from tests.offline_session import at_home
from tests.waiting import until


class Stage:
    """The app, and what can be seen and done in it."""

    def __init__(self, app: Octochat, pilot: Pilot[str], folder: Path) -> None:
        self.app = app
        self.pilot = pilot
        self.folder = folder

    @property
    def transcript(self) -> Transcript:
        assert self.app.pane
        return self.app.pane.transcript

    @property
    def chat(self) -> Chat:
        assert self.app.chat
        return self.app.chat

    @property
    def session(self) -> Session:
        assert self.app.session
        return self.app.session

    def hold(self) -> Held:
        """The model, which from now on says nothing until it is let go."""
        held, engine = Held(), self.session.engine
        engine.ports = replace(engine.ports, model=held)
        return held

    async def until(self, done: Callable[[], object]) -> None:
        """Wait until something is so."""
        await until(self.pilot, done, self.screen)

    async def types(self, text: str, *, send: bool = True) -> None:
        """Write into the input, and send it."""
        self.app.prompt.editor.focus()
        self.app.prompt.editor.insert(text)
        if send:
            await self.pilot.press("enter")

    async def says(self, text: str) -> None:
        """Say something, and wait until the model has done its work."""
        await self.types(text)
        await self.pilot.pause()
        await self.rest()

    async def rest(self) -> None:
        """Wait until nothing goes on."""
        await self.until(lambda: not self.app.prompt.busy)
        self.transcript.update()
        await self.pilot.pause()

    def text(self) -> str:
        """What the transcript shows."""
        shown = self.transcript
        return "\n".join(shown.render_line(y).text.rstrip() for y in range(shown.size.height))

    def screen(self) -> str:
        """Everything on the screen, as text."""
        svg = self.app.export_screenshot()
        return re.sub(r"<[^>]+>", "", svg).replace("&#160;", " ")


def built(work: Path, data: Path, *, resume: str | None = None, dark: bool = True) -> Octochat:
    """The app in a working folder, as the command line would make it."""
    (work / "README.md").write_text("# Shop\n\nSells [things].\n", "utf-8")

    return Octochat(Options(work, model="offline", resume=resume), data=data, dark=dark)


@asynccontextmanager
async def on_stage(
    tmp_path: Path, size: tuple[int, int] = (100, 40), *, resume: str | None = None
) -> AsyncGenerator[Stage]:
    """The app with an open session."""
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data", resume=resume)
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot, work)
            await stage.until(lambda: app.session is not None)
            await pilot.pause()
            yield stage
