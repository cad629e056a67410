"""The command line: arguments, then a session, then the terminal interface or one answer.

Imports lazily: neither the SDK nor Textual is loaded to print help or to find a wrong argument.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from octochat import __version__
from octochat.text.figures import amount

if TYPE_CHECKING:
    from octochat.session.options import Options

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
"""Exit codes: something failed, wrong arguments or a wrong configuration, Ctrl-C."""

DESCRIPTION = """\
A terminal chat agent for long work whose context looks after itself.
Without -p it opens the chat in this folder."""

EPILOG = """\
other commands:
  octochat replay FILES...   what other strategies would have cost (octochat replay --help)
  octochat strategies        the context strategies and their settings

files:
  configuration   --config FILE, or $OCTOCHAT_CONFIG, or .octochat/config.toml here over
                  {config}
  sessions        {data} (or $OCTOCHAT_DATA_DIR)

environment:
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL   who answers
  OCTOCHAT_SKILLS   names of skills, comma-separated, that are active from the start

exit codes:
  0 fine, 1 model or API error, 2 usage or configuration error, 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run octochat; returns the exit code."""
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
    match words[:1]:
        case ["replay"]:
            from octochat.replay.command import main as replay

            return replay(words[1:])
        case ["strategies"]:
            from octochat.cli.strategies import main as strategies

            return strategies(words[1:])
        case _:
            return _chat(parser().parse_args(words))


def parser() -> argparse.ArgumentParser:
    """The arguments of a chat."""
    made = argparse.ArgumentParser(
        "octochat",
        description=DESCRIPTION,
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    say = made.add_argument
    say(
        "-p",
        "--prompt",
        metavar="PROMPT",
        help="say this, print the answer, and end; "
        "what is piped in is appended; slash commands work",
    )
    say(
        "--output-format",
        choices=("text", "json", "stream-json"),
        default="text",
        help="with -p: the answer, one JSON object, or a JSON line for everything that happens",
    )
    earlier = made.add_mutually_exclusive_group()
    earlier.add_argument(
        "-c",
        "--continue",
        dest="go_on",
        action="store_true",
        help="go on with the newest session of this folder",
    )
    earlier.add_argument(
        "-r",
        "--resume",
        metavar="ID",
        nargs="?",
        const="",
        help="go on with a session; without an ID, choose from a list (or print it, into a pipe)",
    )
    say("--model", metavar="NAME", help="the model; `offline` needs no key")
    say("--config", metavar="FILE", type=Path, help="this configuration, and no other")
    say(
        "--allow",
        metavar="PATTERN",
        action="append",
        default=[],
        help="allow a tool call without asking, as 'bash(git *)' or 'write(src/**)'; repeatable",
    )
    mode = made.add_mutually_exclusive_group()
    mode.add_argument("--read-only", action="store_true", help="nothing is written or run")
    mode.add_argument(
        "--allow-all", action="store_true", help="never ask (rules that deny still hold)"
    )
    say("--max-cost", metavar="DOLLARS", type=_dollars, help="make no call after this much")
    say(
        "--plain",
        action="store_true",
        help="lines of text only, for screen readers; so does `plain = true` under [tui]",
    )
    say("--version", action="version", version=f"octochat {__version__}")
    return made


def _epilog() -> str:
    from platformdirs import user_config_path, user_data_path

    return EPILOG.format(
        config=user_config_path("octochat") / "config.toml",
        data=user_data_path("octochat") / "sessions",
    )


def _dollars(text: str) -> float:
    if (given := amount(text)) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars above 0")
    return given


def options(said: argparse.Namespace) -> "Options":
    """What the arguments say of a session."""
    from octochat.session.options import Options

    mode = "read-only" if said.read_only else "allow-all" if said.allow_all else "ask"
    return Options(
        folder=Path.cwd(),
        model=said.model,
        config=said.config,
        resume=said.resume or None,
        go_on=said.go_on,
        allow=tuple(said.allow),
        mode=mode,
        max_cost=said.max_cost,
    )


def _chat(said: argparse.Namespace) -> int:
    if said.prompt is None and os.environ.get("TEXTUAL_DRIVER"):
        return _open(said)  # textual-serve shows it in a browser: the pipes are the screen
    piped = _piped(sys.stdin)
    if said.prompt is not None:
        return _headless(said, "\n\n".join(part for part in (said.prompt, piped) if part))
    if piped:
        return _misuse("something was piped in, but there is no prompt: add -p PROMPT")
    if said.output_format != "text":
        return _misuse("--output-format needs a prompt: add -p PROMPT")
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        if said.resume == "":
            return _list()
        return _misuse("the chat needs a terminal; for one answer without one, use -p PROMPT")
    return _open(said)


def _open(said: argparse.Namespace) -> int:
    from octochat.cli.first_paint import early

    wanted = early(Path.cwd(), said.config, os.environ)
    if said.plain or wanted.plain:
        from octochat.frontends.plain.start import start as start_plain

        return start_plain(options(said), choose=said.resume == "")
    from octochat.frontends.tui.start import start

    return start(options(said), choose=said.resume == "", theme=wanted.theme)


def _list() -> int:
    from octochat.commands.sessions import listing

    print(listing())
    return 0


def _headless(said: argparse.Namespace, prompt: str) -> int:
    import asyncio

    from octochat.frontends.headless import run

    if said.resume == "":
        return _misuse("-r needs a session's ID together with -p; `octochat -r` lists them")
    if not prompt.strip():
        return _misuse("the prompt is empty")

    async def answer() -> int:
        from octochat.permissions.ask import Headless
        from octochat.session.build import open_session

        session = open_session(options(said), Headless())
        try:
            return await run(session, prompt, said.output_format, sys.stdout, sys.stderr)
        finally:
            await session.close()

    from octochat.config.load import ConfigError
    from octochat.storage.log import LogError
    from octochat.storage.sessions import NoSessionError

    try:
        return asyncio.run(answer())
    except (ConfigError, NoSessionError, LogError) as error:
        return _misuse(str(error))
    except asyncio.CancelledError:
        return INTERRUPTED


def _misuse(why: str) -> int:
    print(f"octochat: {why}", file=sys.stderr)
    return MISUSED


def _piped(stream: TextIO | None) -> str:
    """What was piped in or redirected; nothing from a terminal, or where stdin is closed."""
    if stream is None or stream.isatty():
        return ""
    return os.fsdecode(stream.buffer.read()).strip("\n")
