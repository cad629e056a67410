"""Opening a chat, or printing one answer, as the arguments say."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from octochat.cli.arguments import chat_parser, options
from octochat.text.exit_codes import INTERRUPTED, MISUSED, OK


def main(words: Sequence[str]) -> int:
    """Open the chat or print one answer; returns the exit code."""
    parser = chat_parser()
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    said = parser.parse_args(words)
    if said.words:
        from octochat.cli.misspelled import misspelling_hint

        return _misuse(misspelling_hint(words, said.words))
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
    from octochat.cli.first_paint import first_paint

    wanted = first_paint(Path.cwd(), said.config, os.environ)
    if said.plain or wanted.plain:
        from octochat.frontends.plain.start import start as start_plain

        return start_plain(options(said), choose=said.resume == "")
    from octochat.cli.terminal import open_chat

    return open_chat(options(said), choose=said.resume == "", theme=wanted.theme)


def _list() -> int:
    from octochat.commands.sessions import listing

    print(listing())
    return OK


def _headless(said: argparse.Namespace, prompt: str) -> int:
    import asyncio

    from octochat.frontends.headless import run

    if said.resume == "":
        return _misuse("with -p, -r needs a session ID; `octochat -r` lists them")
    if not prompt.strip():
        return _misuse("the prompt is empty: write one after -p")

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
