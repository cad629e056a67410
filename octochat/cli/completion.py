"""`octochat completion SHELL`: the script by which a shell completes octochat's arguments."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import shtab

from octochat.cli.arguments import COMMANDS, chat_parser
from octochat.cli.doctor import parser as doctor_parser
from octochat.cli.search import parser as search_parser
from octochat.cli.show import parser as show_parser
from octochat.cli.skills import parser as skills_parser
from octochat.cli.strategies import parser as strategies_parser
from octochat.replay.arguments import parser as replay_parser
from octochat.text.exit_codes import OK

SHELLS = ("bash", "zsh", "fish")


def main(words: Sequence[str]) -> int:
    """Print the script; returns the exit code."""
    print(shtab.complete(_everything(), _parser().parse_args(words).shell))
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "octochat completion",
        description="Print the script by which a shell completes octochat's arguments.",
        epilog="`octochat help` says where to put it.",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    return parser


def _everything() -> argparse.ArgumentParser:
    """One parser for all commands: only to be read, for a chat's options may stand alone."""
    parser = chat_parser()
    commands = parser.add_subparsers(parser_class=argparse.ArgumentParser)
    parsers = {
        "doctor": doctor_parser(),
        "replay": replay_parser(),
        "search": search_parser(),
        "skills": skills_parser(),
        "show": show_parser(),
        "strategies": strategies_parser(),
        "completion": _parser(),
        "help": _help_parser(),
    }
    for name, (_, what) in COMMANDS.items():
        _completes_files(parsers[name])
        commands.add_parser(name, help=what, parents=[parsers[name]], add_help=False)
    _completes_files(parser)
    return parser


def _help_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("command", nargs="?", choices=tuple(COMMANDS))
    return parser


def _completes_files(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:  # noqa: SLF001  argparse has no other way to them
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  where shtab looks for it
