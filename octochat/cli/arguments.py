"""The arguments of a chat, what they say of a session, and the help for all of octochat."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from octochat import __version__
from octochat.text.figures import amount

if TYPE_CHECKING:
    from octochat.session.options import Options

COMMANDS = {
    "doctor": ("[--json]", "what is wrong here, and what to do about it"),
    "replay": ("FILES...", "what other strategies would have cost"),
    "search": ("WORDS", "find what was said and done, in all sessions of this folder"),
    "skills": ("[check]", "the skills found here, and what is odd about them"),
    "show": ("[SESSION]", "a past session, or the requests that were sent in it"),
    "strategies": ("[NAME]", "the context strategies and their settings"),
    "completion": ("SHELL", "shell completion for bash, zsh or fish"),
    "help": ("[COMMAND]", "this help, or the help of a command"),
}
"""What may stand first on the command line: what follows it, and what it does."""

USAGE = f"""\
octochat [OPTIONS]              chat in this folder
       octochat -p PROMPT [OPTIONS]    print one answer
       octochat {{{",".join(COMMANDS)}}} ..."""

DESCRIPTION = """\
A terminal chat agent for long work whose context looks after itself.
Without -p it opens the chat in this folder."""

EPILOG = """\
commands:
{commands}

examples:
  octochat                              chat in this folder
  octochat -c                           go on where you left off here
  octochat -p "explain this repository" --read-only
  git diff | octochat -p "review this" --max-cost 0.50
  octochat --model offline              try it without a key
  octochat search kestrel port          what was said of it in this folder's sessions?
  octochat show --requests 3            what was the model sent the third time?
  octochat replay --session ID          would another strategy have been cheaper?

completion (once; it works in every new shell):
  bash   octochat completion bash > ~/.local/share/bash-completion/completions/octochat
  zsh    octochat completion zsh > ~/.zfunc/_octochat      (~/.zfunc must be in $fpath)
  fish   octochat completion fish > ~/.config/fish/completions/octochat.fish

files:
  configuration   --config FILE, or $OCTOCHAT_CONFIG, or .octochat/config.toml here over
                  {config}
  sessions        {data} (or $OCTOCHAT_DATA_DIR)

environment:
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL   who answers
  OCTOCHAT_SEAT     the folder for requests and answers of `--model seat` (docs/seat.md)
  OCTOCHAT_SKILLS   names of skills, comma-separated, that are active from the start

exit codes:
  0 fine, 1 model or API error, 2 usage or configuration error, 130 interrupted,
  128 and the number of the signal that ended it"""


class ChatParser(argparse.ArgumentParser):
    """Looks for the folders that its help names only when help is wanted: that takes its time."""

    def format_help(self) -> str:
        """The help, with this person's folders."""
        from platformdirs import user_config_path, user_data_path

        rows = (f"  {f'{name} {usage}':<20} {what}" for name, (usage, what) in COMMANDS.items())
        self.epilog = EPILOG.format(
            commands="\n".join(rows),
            config=user_config_path("octochat") / "config.toml",
            data=user_data_path("octochat") / "sessions",
        )
        return super().format_help()


def chat_parser() -> ChatParser:
    """The arguments of a chat."""
    made = ChatParser(
        "octochat",
        usage=USAGE,
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    say = made.add_argument
    say(
        "-p",
        "--prompt",
        metavar="PROMPT",
        help="send this, print the answer and exit; piped input is appended; slash commands work",
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
        help="continue the newest session in this folder",
    )
    earlier.add_argument(
        "-r",
        "--resume",
        metavar="ID",
        nargs="?",
        const="",
        help="continue a session; without an ID, choose from a list (in a pipe, print it)",
    )
    say("--model", metavar="NAME", help="the model; `offline` needs no key")
    say("--config", metavar="FILE", type=Path, help="read only this configuration file")
    say(
        "--allow",
        metavar="PATTERN",
        action="append",
        default=[],
        help="allow tool calls unasked, as 'bash(git diff *)' or 'write(src/**)'; repeatable",
    )
    mode = made.add_mutually_exclusive_group()
    mode.add_argument(
        "--mode",
        choices=("plan", "ask", "accept-edits", "allow-all"),
        help="how much is asked; plan changes nothing and ends with a plan (Shift+Tab changes it)",
    )
    mode.add_argument("--read-only", action="store_true", help="write and run nothing")
    mode.add_argument(
        "--allow-all", action="store_true", help="never ask (rules that deny still hold)"
    )
    say(
        "--sandbox",
        choices=("off", "auto", "require"),
        nargs="?",
        const="auto",
        help="run commands where they can change only this folder and reach no network: unasked",
    )
    say(
        "--max-cost", metavar="DOLLARS", type=_dollars, help="make no more calls once this is spent"
    )
    say(
        "--max-turns",
        metavar="N",
        type=_turns,
        help="ask the model at most this often for one message",
    )
    say(
        "--plain",
        action="store_true",
        help="plain lines of text, for screen readers; as `plain = true` under [tui]",
    )
    say("-V", "--version", action="version", version=f"octochat {__version__}")
    return made


def _dollars(text: str) -> float:
    if (given := amount(text)) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars above 0")
    return given


def _turns(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return int(text)


def options(said: argparse.Namespace) -> "Options":
    """What the arguments say of a session."""
    from octochat.session.options import Options

    mode = "read-only" if said.read_only else "allow-all" if said.allow_all else said.mode
    return Options(
        folder=Path.cwd(),
        model=said.model,
        config=said.config,
        resume=said.resume or None,
        go_on=said.go_on,
        allow=tuple(said.allow),
        mode=mode,
        allow_all=mode == "allow-all",
        sandbox=said.sandbox,
        max_cost=said.max_cost,
        max_turns=said.max_turns,
    )
