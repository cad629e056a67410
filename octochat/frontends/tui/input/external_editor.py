"""Writing a draft in the person's own editor, while octochat steps aside.

The event loop goes on, so an answer that is streaming keeps coming; only the screen waits.
"""

import asyncio
import os
import shlex
import signal
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported


class EditorError(Exception):
    """The editor could not be used. The message says what to do."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """What `VISUAL` or `EDITOR` names, else `vi`.

    Raises:
        EditorError: the variable can't be parsed.
    """
    words = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(words)
    except ValueError as error:
        raise EditorError(f"VISUAL or EDITOR is not a command ({error}): {words}") from error
    return command or ["vi"]


async def edit_outside(app: App[Any], text: str) -> str:
    """Open the text in the person's editor and return what they saved.

    Raises:
        EditorError: there is no such editor, it failed, or the terminal can't be left.
    """
    command = editor_command(os.environ)
    path = _written(text)
    try:
        # No repaint while the terminal belongs to the editor.
        with app.suspend(), app.batch_update(), _interrupts_are_the_editors():
            mishap = await _mishap([*command, str(path)])
        if mishap:
            raise EditorError(f"{mishap}; the draft is unchanged")
        return await asyncio.to_thread(_read, path)
    except OSError as error:
        raise EditorError(f"what was saved can't be read ({error.strerror})") from error
    except SuspendNotSupported as error:
        raise EditorError("an editor can't be opened in this terminal") from error
    finally:
        await asyncio.to_thread(path.unlink, missing_ok=True)


async def _mishap(command: Sequence[str]) -> str:
    """Run the editor; what went wrong, in words.

    Nothing is raised: Textual would not take the terminal back.
    """
    try:
        process = await asyncio.create_subprocess_exec(*command)
    except OSError as error:
        return f"{command[0]} can't be opened ({error.strerror}): set VISUAL or EDITOR"
    status = await process.wait()
    return f"{command[0]} ended with status {status}" if status else ""


def _written(text: str) -> Path:
    handle, name = tempfile.mkstemp(prefix="octochat-", suffix=".md")  # readable by its owner only
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


def _read(path: Path) -> str:
    return path.read_text("utf-8", errors="replace").removesuffix("\n")


@contextmanager
def _interrupts_are_the_editors() -> Generator[None, None, None]:
    """Ctrl+C reaches every process of the terminal; while the editor runs it is not for us.

    A function, not `SIG_IGN`, which the editor would inherit.
    """
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
