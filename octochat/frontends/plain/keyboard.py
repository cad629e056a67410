"""Reads what is typed: lines, prompts of several lines, and answers to questions.

It knows nothing of sessions. Where `readline` is at hand it gives history and completion.
"""

import os
import select
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from octochat.text.harmless import harmless

HERE = Path()
PROMPT, MORE, ANSWER = "you> ", "...> ", "answer> "
FENCE = '"""'
"""Opens and closes a block of lines; so does nothing else."""
QUIET = ("set enable-bracketed-paste off", "set enable-meta-key off", "set bell-style none")
"""Settings of readline without which it writes sequences that nobody asked for."""


class Keyboard:
    """Someone at a terminal."""

    def __init__(self, sent: Sequence[str] = (), folder: Path = HERE) -> None:
        """Set it up.

        Args:
            sent: what was said before.
            folder: where files lie that are completed after an `@`.
        """
        self.words: Callable[[], Iterable[str]] = tuple
        """Gives what Tab completes."""
        self._kept: deque[str] = deque()
        self._readline = _readline(lambda: self.words(), folder)  # noqa: PLW0108 - it is set anew
        for text in sent:
            self.remember(text)

    def prompt(self, draft: str = "") -> str:
        """What the person says, one line or several.

        A line that ends with a backslash goes on; three double quotes open and close a block.

        Raises:
            EOFError: Ctrl-D.
            KeyboardInterrupt: Ctrl-C.
        """
        line = self._line(PROMPT, draft)
        if line.lstrip().startswith(FENCE):
            return self._block(line.lstrip().removeprefix(FENCE))
        lines: list[str] = []
        while line.endswith("\\"):
            lines.append(line.removesuffix("\\"))
            line = self._line(MORE)
        return "\n".join((*lines, line))

    def answer(self) -> str:
        """The answer to a question. What was typed before the question was there is no answer.

        It is kept, and is the next prompt.

        Raises:
            EOFError: Ctrl-D.
            KeyboardInterrupt: Ctrl-C.
        """
        self._keep_waiting()
        return self._read(ANSWER).strip()

    def remember(self, text: str) -> None:
        """Let it come back with the Up key."""
        if self._readline and text and "\n" not in text:
            self._readline.add_history(text)

    def _block(self, first: str) -> str:
        lines: list[str] = []
        line = first
        while FENCE not in line:
            lines.append(line)
            line = self._line(MORE)
        lines.append(line.partition(FENCE)[0])
        return "\n".join(lines).strip("\n")

    def _line(self, prompt: str, draft: str = "") -> str:
        if self._kept:
            line = self._kept.popleft()
            sys.stdout.write(f"{prompt}{harmless(line)}\n")
            return line
        if not (draft and self._readline):
            return self._read(prompt)
        self._readline.set_startup_hook(lambda: self._readline.insert_text(draft))
        try:
            return self._read(prompt)
        finally:
            self._readline.set_startup_hook(None)

    def _read(self, prompt: str) -> str:
        while True:
            try:
                return input(prompt)
            except UnicodeDecodeError:
                sys.stdout.write("That was not valid text in this terminal's encoding; again:\n")

    def _keep_waiting(self) -> None:
        """Take whole lines that are waiting already out of the terminal's queue."""
        descriptor = sys.stdin.fileno()
        while select.select([descriptor], [], [], 0)[0]:
            data = os.read(descriptor, 65_536)
            if not data:
                return
            text = data.decode(sys.stdin.encoding or "utf-8", "replace")
            self._kept.extend(text.removesuffix("\n").split("\n"))


def _readline(words: Callable[[], Iterable[str]], folder: Path) -> Any:
    """The module, set up; None where there is none or the terminal can't edit a line."""
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        return None
    try:
        readline = import_module("readline")
    except ImportError:
        return None
    for setting in QUIET:
        readline.parse_and_bind(setting)
    readline.set_auto_history(False)
    readline.set_completer_delims(" \t\n")
    readline.set_completer(_completer(words, folder))
    readline.parse_and_bind("tab: complete")
    return readline


def _completer(
    words: Callable[[], Iterable[str]], folder: Path
) -> Callable[[str, int], str | None]:
    def complete(text: str, state: int) -> str | None:
        if text.startswith("@"):
            paths = files_like(text[1:], folder)
            fitting = [f'@"{path}"' if " " in path else f"@{path}" for path in paths]
        else:
            fitting = [word for word in words() if text and word.startswith(text)]
        return fitting[state] if state < len(fitting) else None

    return complete


def files_like(begun: str, folder: Path) -> Sequence[str]:
    """Paths that begin like this; those of folders end with a slash. Hidden ones are left out."""
    within, _, name = begun.rpartition("/")
    try:
        found = sorted((folder / within).iterdir())
    except OSError:
        return ()
    fitting = (path for path in found if path.name.startswith(name))
    prefix = begun.removesuffix(name)
    return [
        f"{prefix}{path.name}{'/' if path.is_dir() else ''}"
        for path in fitting
        if name.startswith(".") or not path.name.startswith(".")
    ]
