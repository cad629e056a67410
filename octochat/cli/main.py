"""The command line: which of octochat's commands is meant, and what goes wrong on the way out.

Imports lazily: neither the SDK nor Textual is loaded to print help or to find a wrong argument.
"""

import os
import sys
from collections.abc import Sequence

from octochat.text.exit_codes import FAILED, INTERRUPTED

WINDOWS = """\
octochat: octochat runs on Linux and macOS. On Windows it runs in WSL, the Windows Subsystem
for Linux: `wsl --install` sets that up, then install and start octochat in there."""


def main(argv: Sequence[str] | None = None, platform: str = sys.platform) -> int:
    """Run octochat; returns the exit code."""
    if platform == "win32":
        print(WINDOWS, file=sys.stderr)
        return FAILED
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        if sys.stdout:
            sys.stdout.flush()  # here, where a failure can still be told
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read the answer has had enough of it
        _drop_the_rest()
        return FAILED
    except OSError as error:
        if error.filename is not None:  # it is not about the answer
            raise
        _drop_the_rest()
        print(f"octochat: the answer can't be written: {error.strerror}", file=sys.stderr)
        return FAILED
    return code


def _drop_the_rest() -> None:
    """What could not be written is not tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    match words:
        case ["replay", *rest]:
            from octochat.replay.command import main as replay

            return replay(rest)
        case ["doctor", *rest]:
            from octochat.cli.doctor import main as doctor

            return doctor(rest)
        case ["search", *rest]:
            from octochat.cli.search import main as search

            return search(rest)
        case ["skills", *rest]:
            from octochat.cli.skills import main as skills

            return skills(rest)
        case ["show", *rest]:
            from octochat.cli.show import main as show

            return show(rest)
        case ["strategies", *rest]:
            from octochat.cli.strategies import main as strategies

            return strategies(rest)
        case ["completion", *rest]:
            from octochat.cli.completion import main as completion

            return completion(rest)
        case ["help"] | ["help", "help", *_]:
            return _run(["--help"])
        case ["help", word, *_]:
            from octochat.cli.arguments import COMMANDS

            return _run([word, "--help"] if word in COMMANDS else [word])
        case _:
            from octochat.cli.chat import main as chat

            return chat(words)
