"""The command line helps those who do not know its words yet."""

import pytest

from octochat.cli.arguments import COMMANDS
from octochat.cli.main import main


@pytest.mark.parametrize("words", [["help"], ["help", "help"], ["-h"], ["--help"]])
def test_help_names_every_command_and_has_examples(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr().out
    assert ended.value.code == 0
    usage = told.partition("\n\n")[0]
    assert all(command in usage for command in COMMANDS)
    assert "\nexamples:\n" in told
    assert "\ncompletion (once" in told


@pytest.mark.parametrize("command", ["replay", "search", "show", "strategies", "completion"])
def test_help_knows_the_commands(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", command])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: octochat {command}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["hello"],
            "octochat: there is no command 'hello'\nTo send it to the model: octochat -p hello\n",
        ),
        (
            ["repaly", "x y"],
            "octochat: there is no command 'repaly'; did you mean octochat replay 'x y'?\n",
        ),
        (["--plain", "replay", "x"], "octochat: put the command first: octochat replay ...\n"),
        (
            ["-p", "fix", "the", "bug"],
            "octochat: 'the bug' is outside the prompt; put the whole prompt in quotes: ",
        ),
        (["help", "strategis"], "octochat: there is no command 'strategis'; did you mean "),
    ],
)
def test_words_that_are_no_command_are_answered_with_what_was_meant(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.err.startswith(told)
    assert said.out == ""


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version_is_one_line(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([flag])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("octochat 0.")


def test_on_windows_it_says_where_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-p", "hi"], platform="win32") == 1
    first = capsys.readouterr().err.partition("\n")[0]
    assert first.startswith("octochat: octochat runs on Linux and macOS.")
