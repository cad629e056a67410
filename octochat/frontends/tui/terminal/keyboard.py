"""Textual's driver, but that Escape is a key as soon as `ESCDELAY` is over, and stdout is drawn on.

Textual reads the keyboard in rounds of 0.1 seconds and looks at the end of each whether a lone
Escape has become a key: whatever `ESCDELAY` says, it comes 0.1 seconds late. It takes for typing
what the terminal answers to a question that it does not know. And it draws on stderr, which a
person may keep in a file.
"""

import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Container, Iterable
from contextlib import suppress
from io import TextIOWrapper
from select import select
from typing import Protocol, TextIO, runtime_checkable

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from octochat.frontends.tui.terminal.escapes import Escapes
from octochat.frontends.tui.terminal.job_control import has_shell_behind
from octochat.frontends.tui.terminal.output import Terminal

ROUND = 0.1
"""Seconds after which it looks whether the app has ended."""
PIECE = 1 << 16
"""Bytes taken at once."""


@runtime_checkable
class OnTerminal(Protocol):
    """An app that has a terminal, which knows the keys that mean something."""

    terminal: Terminal


class KeyboardDriver(LinuxDriver):
    """A terminal, whose keyboard is read without delay."""

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        self._file = drawn_on() or self._file
        super().start_application_mode()

    def _sigtstp_application(self, *_: object) -> None:
        """Ctrl+Z: back to the shell, where there is one that can bring octochat back."""
        if has_shell_behind():
            super()._sigtstp_application()  # pyright: ignore[reportUnknownMemberType]
        else:
            said = "Ctrl+Z goes back to a shell, and none has started octochat here."
            self._app.call_later(self._app.notify, said, severity="warning")

    def run_input_thread(self) -> None:
        """Pass on what is typed until the app ends. It ends when the terminal is gone."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        escapes, early = Escapes(self._bound), self._early()
        while not self.exit_event.is_set():
            wait = escapes.patience if escapes.held else ROUND
            heard: Iterable[str | Message] = ()
            if early or select([self.fileno], [], [], wait)[0]:
                data, early = early or self._typed(), b""
                if not data:
                    self._app.call_later(self._app.exit)
                    return
                if typed := decode(data):  # nothing yet where a character came in two pieces
                    heard = escapes.take(typed)
            else:
                heard = escapes.settle()
            for piece in heard:
                for message in parser.feed(piece) if isinstance(piece, str) else (piece,):
                    self.process_message(message)
            for message in parser.tick():
                self.process_message(message)

    def _bound(self) -> Container[str]:
        return self._app.terminal.bound if isinstance(self._app, OnTerminal) else ()

    def _early(self) -> bytes:
        """What was typed before the screen was taken over; given once.

        The terminal was not raw yet, and made a newline of every Return.
        """
        early = b""
        if isinstance(self._app, OnTerminal):
            early, self._app.terminal.early = self._app.terminal.early, b""
        if select([self.fileno], [], [], 0)[0]:
            early += self._typed()
        return early.replace(b"\n", b"\r")

    def _typed(self) -> bytes:
        """What waits to be read; nothing if there is no terminal any more."""
        with suppress(OSError):
            return os.read(self.fileno, PIECE)
        return b""


def drawn_on() -> TextIO | None:
    """The terminal behind stdout, for what is drawn; None where stdout is none.

    A file of its own: half a character in a file's name must not end the drawing.
    """
    out = sys.__stdout__
    if out is None or not out.isatty():
        return None
    raw = open(out.fileno(), "wb", closefd=False)  # noqa: SIM115
    return _Drawing(raw, encoding=out.encoding, errors="backslashreplace")


class _Drawing(TextIOWrapper):
    """Takes what is drawn, also where the terminal is gone: whoever draws must not fail then."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()
