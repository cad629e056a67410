"""What a person does beside the conversation: shell lines. The model sees nothing of it."""

import os
import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from octochat.text.figures import seconds


def run(command: str, folder: Path, clock: Callable[[], float]) -> str:
    """Run it in the person's shell, at this very terminal; returns how it went, in words.

    Unlike the other interface, which owns the whole screen, this one lends the terminal out: the
    command may ask, draw and page.
    """
    begun = clock()
    try:
        with _ctrl_c_is_its_own():
            shell = os.environ.get("SHELL", "/bin/sh")
            status = subprocess.run([shell, "-c", command], cwd=folder, check=False).returncode
    except OSError as error:
        return f"error: the shell can't be run: {error}"
    facts = [f"exit {status}"] if status else []
    facts += [seconds(clock() - begun), "not sent to the model"]
    return f"({', '.join(facts)})"


@contextmanager
def _ctrl_c_is_its_own() -> Generator[None]:
    """Ctrl-C reaches every process of the terminal; while the command runs it is not for us.

    A function, not `SIG_IGN`, which the command would inherit.
    """
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
