"""A shell completes octochat's commands, options and their values."""

import subprocess
from pathlib import Path

import pytest

from octochat.cli.completion import SHELLS, main

ASKED = """\
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
$(complete -p octochat | sed 's/.*-F \\([^ ]*\\).*/\\1/') octochat "${@: -1}" "${@: -2:1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["bash"]) == 0
    path = tmp_path / "octochat.bash"
    path.write_text(capsys.readouterr().out, "utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], ["replay"]),
        (["--ou"], ["--output-format"]),
        (["--output-format", ""], ["text", "json", "stream-json"]),
        (["replay", "--fo"], ["--format"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["help", "st"], ["strategies"]),
        (["--config", "octochat.b"], ["octochat.bash"]),
    ],
)
def test_bash_completes(script: Path, words: list[str], offered: list[str]) -> None:
    ran = subprocess.run(
        ["bash", "--norc", "-c", ASKED, "bash", script, "octochat", *words],
        cwd=script.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_names_commands_and_options(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([shell]) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("replay", "strategies", "output-format", "max-cost"))
