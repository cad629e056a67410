"""Talking to the terminal past the widgets: copying, the title, telling that a long turn ended.

It knows the app only as something that can write; what to write is in `sequences.py`.
"""

import asyncio
import shutil
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, cast

from textual.app import App

from octochat.frontends.tui.terminal.info import TerminalInfo
from octochat.frontends.tui.terminal.sequences import (
    BELL,
    GIVE_TITLE_BACK,
    KEEP_TITLE,
    copying,
    notifying,
    titling,
)

TOOL_SECONDS = 2.0
"""How long a clipboard tool may take."""


@dataclass(frozen=True, slots=True)
class CallBack:
    """How a person who looks elsewhere is called back."""

    bell: bool = True
    notify: bool = True
    """With a notification, where the terminal can."""
    after: float = 30.0
    """Seconds that a turn must have taken for its end to be told."""


class _Driver(Protocol):
    def write(self, data: str) -> None: ...


def written_by(app: App[Any]) -> Callable[[str], None]:
    """A function that writes to the app's terminal, in step with what the app itself draws."""

    def write(text: str) -> None:
        driver = cast(
            "_Driver | None",
            app._driver,  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - no public way
        )
        if driver is not None and text and not app.is_headless:
            driver.write(text)

    return write


class Terminal:
    """The terminal outside the widgets."""

    def __init__(
        self, info: TerminalInfo, write: Callable[[str], None], bound: Container[str] = ()
    ) -> None:
        self.info: TerminalInfo = info
        self.bound: Container[str] = bound
        """The names of the keys that mean something in the input, or with Alt anywhere."""
        self.early: bytes = b""
        """What the terminal sent before the screen was taken over: typing, late answers."""
        self.calling: CallBack = CallBack()
        self._write = write
        self._titled = False

    async def copy(self, text: str) -> str:
        """Put a text into the clipboard; says by which ways, empty if there was none."""
        ways: list[str] = []
        if sequence := copying(text, self.info):
            self._write(sequence)
            ways.append("the terminal")
        for command in clipboard_commands(self.info):
            if await _fed(command, text):
                ways.append(command[0])
                break
        return " and ".join(ways)

    def title(self, words: str) -> None:
        """Set the window's title; the one before is remembered."""
        if not self._titled:
            self._write(KEEP_TITLE)
            self._titled = True
        self._write(titling(words))

    def untitle(self) -> None:
        """Give the window its title back."""
        if self._titled:
            self._write(GIVE_TITLE_BACK)
            self._titled = False

    def turn_ended(self, words: str, *, seconds: float, focused: bool) -> None:
        """Tell a person who looks elsewhere that a long turn has ended."""
        if seconds >= self.calling.after:
            self.call(words, focused=focused)

    def call(self, words: str, *, focused: bool) -> None:
        """Call a person who looks elsewhere."""
        if focused:
            return
        shown = notifying("octochat", words, self.info) if self.calling.notify else ""
        self._write(shown + BELL if self.calling.bell else shown)


def clipboard_commands(terminal: TerminalInfo) -> Sequence[Sequence[str]]:
    """Programs that take a text for a clipboard here, the likeliest first.

    Inside tmux its own command, which reaches the terminal outside even where tmux lets no
    sequence through. Over ssh no other: they would fill the clipboard of the machine far away.
    """
    commands: list[Sequence[str]] = []
    if terminal.tmux:
        commands.append(("tmux", "load-buffer", "-w", "-"))
    if terminal.ssh:
        return commands
    if terminal.macos:
        commands.append(("pbcopy",))
    if terminal.wsl:
        commands.append(("clip.exe",))
    if terminal.wayland:
        commands.append(("wl-copy",))
    if terminal.x11:
        commands += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    return commands


async def _fed(command: Sequence[str], text: str) -> bool:
    """Whether the program is there and took the text."""
    if shutil.which(command[0]) is None:
        return False
    # Some of them stay behind to serve the clipboard: nothing may wait for their output to end.
    null = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=null, stderr=null
        )
    except OSError:
        return False
    try:
        async with asyncio.timeout(TOOL_SECONDS):
            await process.communicate(text.encode())
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return False
    return process.returncode == 0
