"""What a person types means the same in every front end."""

import pytest

from octochat.commands.base import Command, Report, Shown, simple
from octochat.commands.spec import CommandSpec, listed
from octochat.commands.typed import (
    FrontEndCommand,
    PromptText,
    SessionCommand,
    ShellLine,
    SkillForm,
    Typed,
    UnknownCommand,
    files_named,
    for_session,
    typed,
    waits,
)
from octochat.session.session import Session
from octochat.skills.order import SkillOrder


def _answer(_session: Session, rest: str) -> Shown:
    return Report(rest)


DONE = Command("done", "[TEXT]", "end the task", simple(_answer))
HELP = Command("help", "", "these commands", simple(_answer), at_once=True)
COMMANDS = (DONE, HELP)
QUIT = CommandSpec("quit", "", "leave", at_once=True, aliases=("exit",))
OWN_HELP = CommandSpec("help", "", "on a screen")
RESUME = CommandSpec("resume", "[ID]", "go on with another")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("!ls -l ", ShellLine("ls -l")),
        ("! ls", ShellLine("ls")),
        ("!if true\nthen date; fi", ShellLine("if true\nthen date; fi")),
        ("!", PromptText("!")),
        (" !ls", PromptText(" !ls")),
        ("/quit", FrontEndCommand(QUIT, "")),
        ("/exit now", FrontEndCommand(QUIT, "now")),
        ("/resume  abc ", FrontEndCommand(RESUME, "abc")),
        ("/done", SessionCommand(DONE, "")),
        ("/done and then: @a.png", SessionCommand(DONE, "and then: @a.png")),
        ("/done\ntwo\nlines", SessionCommand(DONE, "two\nlines")),
        ("/help", SessionCommand(HELP, "")),
        ("skill(use git-commit)", SkillForm(SkillOrder("use", "git-commit"))),
        (" skill( list ); ", SkillForm(SkillOrder("list"))),
        ("/qiut", UnknownCommand("/qiut", "/quit")),
        ("/doen it", UnknownCommand("/doen", "/done", "it")),
        ("/xyzzy", UnknownCommand("/xyzzy", None)),
        (" /help", PromptText(" /help")),
        ("/etc/passwd is what?", PromptText("/etc/passwd is what?")),
        ("/", PromptText("/")),
        ("/ help", PromptText("/ help")),
        ("what does skill(list) do?", PromptText("what does skill(list) do?")),
        ("mail me@d.png", PromptText("mail me@d.png")),
        ("see @a.png", PromptText("see @a.png", ("a.png",))),
    ],
)
def test_at_a_terminal_every_text_has_one_meaning(text: str, meant: Typed) -> None:
    assert typed(text, COMMANDS, (QUIT, RESUME)) == meant


def test_a_command_of_the_front_end_wins_over_the_sessions() -> None:
    assert typed("/help me", COMMANDS, (OWN_HELP,)) == FrontEndCommand(OWN_HELP, "me")


@pytest.mark.parametrize("text", ["!ls", "see @a.png", "skill(dance)", ""])
def test_without_a_terminal_no_shell_is_run_and_no_file_is_named(text: str) -> None:
    assert for_session(text, COMMANDS) == PromptText(text)


def test_without_a_terminal_the_front_ends_commands_are_unknown() -> None:
    assert for_session("/quit", COMMANDS) == UnknownCommand("/quit", None)
    assert for_session("/done x", COMMANDS) == SessionCommand(DONE, "x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!ls", False),
        ("/quit", False),
        ("/resume", True),
        ("/help", False),
        ("/done", True),
        ("/xyzzy", True),
        ("skill(list)", True),
        ("hello", True),
    ],
)
def test_what_only_looks_need_not_wait_for_the_model(text: str, expected: bool) -> None:
    assert waits(typed(text, COMMANDS, (QUIT, RESUME))) is expected


def test_names_stand_after_an_at_and_may_be_quoted() -> None:
    text = 'see @a.png, (@b/c.pdf) and @"my shot.png"; mail me@d.png @a.png'
    assert files_named(text) == ("a.png", "b/c.pdf", "my shot.png")


def test_a_list_of_commands_has_its_columns_in_line_and_no_alias() -> None:
    assert listed((QUIT, RESUME)) == "/quit         leave\n/resume [ID]  go on with another"
