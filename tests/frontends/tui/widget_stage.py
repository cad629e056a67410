"""A small app that a single widget is tried in; it keeps every message that the widget sends."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from octochat.commands.spec import CommandSpec
from octochat.commands.typed import typed, waits
from octochat.frontends.shared.drafts import DraftFile
from octochat.frontends.shared.history import History
from octochat.frontends.tui.input.files import Files
from octochat.frontends.tui.input.keymaps import KeymapName
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.input.vim.modes import Vim
from octochat.frontends.tui.themes import DARK, LIGHT
from tests.root import ROOT

COMMANDS = (
    CommandSpec("help", "", "What you can do here", at_once=True),
    CommandSpec("info", "", "Numbers of this session", at_once=True),
    CommandSpec(
        "model", "[NAME]", "Go on with another model", options=("opus", "haiku", "offline")
    ),
    CommandSpec("done", "[text]", "The task is over: fold what can be folded"),
    CommandSpec("restore", "", "Take back the last condensation"),
)

Kind = TypeVar("Kind", bound=Message)
Snap: TypeAlias = Callable[..., bool]
"""What the fixture `snap_compare` gives: it takes an app, a size and what to do first."""
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "60x15": (60, 15)}
THEMES = (DARK.name, LIGHT.name)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until no worker runs and all is drawn."""
    wait = cast("Callable[[], Awaitable[None]]", pilot.app.workers.wait_for_complete)
    await wait()
    await pilot.pause()


async def ready(pilot: Pilot[None], one: PromptInput) -> None:
    """Give the prompt the focus and its history."""
    one.editor.focus()
    await settle(pilot)


class Stage(App[None]):
    """Text above, the widget below."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = ROOT / "octochat/frontends/tui/app.tcss"
    CSS = "Screen { overflow: hidden; } #above { height: 1fr; color: $text-muted; padding: 0 1; }"

    def __init__(self, *widgets: Widget, theme: str = DARK.name, above: str = "") -> None:
        super().__init__()
        self._widgets = widgets
        self._above = above
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Static(self._above, id="above", markup=False)
        with Vertical(id="below"):
            yield from self._widgets

    def on_mount(self) -> None:
        self.query_one("#below").styles.height = "auto"

    def hear(self, message: Message) -> None:
        """Keep a message once, however many widgets it passes: for `run_test(message_hook=...)`."""
        if not any(message is other for other in self.heard):
            self.heard.append(message)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The messages of one kind, as they came."""
        return [message for message in self.heard if isinstance(message, kind)]


def prompt(
    folder: Path,
    *,
    keymap: KeymapName = "default",
    clock: Callable[[], float] = lambda: 0.0,
    left: Sequence[DraftFile] = (),
) -> PromptInput:
    """A prompt whose files lie in `folder`."""
    one = PromptInput(
        history=History(folder / "history.jsonl", "/work/octo", clock=lambda: 0.0),
        drafts=DraftFile(folder / "drafts" / "s1.json"),
        left=lambda: left,
        files=Files(folder / "project", clock=lambda: 0.0),
        commands=COMMANDS,
        keymap=keymap,
        modes=Vim() if keymap == "vim" else None,
        clock=clock,
    )
    one.waits = lambda text: waits(typed(text, (), COMMANDS))
    return one
