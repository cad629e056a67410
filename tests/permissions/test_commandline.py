import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octochat.permissions.commandline import fits, simple_commands


def words(line: str) -> list[list[str]] | None:
    commands = simple_commands(line)
    return None if commands is None else [list(command.words) for command in commands]


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("git status", [["git", "status"]]),
        ("a 'b c' \"d e\" f''g", [["a", "b c", "d e", "fg"]]),
        ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("a\n\n  b\n", [["a"], ["b"]]),
        ("make test 2>&1 | tail -5 >/dev/null", [["make", "test"], ["tail", "-5"]]),
        ("ls *.py", [["ls", "*.py"]]),
        ("echo ''", [["echo", ""]]),
        ("echo x > file; cat < file", [["echo", "x"], ["cat"]]),
        ("echo x2>/dev/null", [["echo", "x2"]]),
        (r"r\m x", [["rm", "x"]]),
        ("echo a{b,c}d {u} @{u}", [["echo", "abd", "acd", "{u}", "@{u}"]]),
        ("cat <<X\nX", [["cat"]]),
        ("cat <<'X' | b\n$(rm x)\nX\nc", [["cat"], ["b"], ["c"]]),
        ("cat <<-X\n\trm\n\tX", [["cat"]]),
        ("time rm x", [["rm", "x"]]),
        ("time -p rm x y", [["rm", "x", "y"]]),
        ("time rm", [["rm"]]),
        ("time", [["time"]]),
        ("CI=1 make", [["make"]]),
        ("{rm,x}", [["rm", "x"]]),
        ("CI=1 LANG=C make x", [["make", "x"]]),
        ("a # b; c\nd", [["a"], ["d"]]),
        ('echo $? $HOME/x "$PWD/y"', [["echo", "$?", "$HOME/x", "$PWD/y"]]),
        ('echo "a \\"b\\" \\d costs 5$ or a$1"', [["echo", 'a "b" \\d costs 5$ or a']]),
        ("a \\\n  b", [["a", "b"]]),
        ("[ -f a ] && b", [["[", "-f", "a", "]"], ["b"]]),
    ],
)
def test_a_plain_line_is_understood(line: str, commands: list[list[str]]) -> None:
    assert words(line) == commands


def test_a_command_knows_where_it_stands_and_what_it_reads_and_writes() -> None:
    commands = simple_commands("CI=1 a b; c d >e <f >&g | h")
    assert commands is not None
    assert [command.line for command in commands] == ["CI=1 a b", "c d >e <f >&g", "h"]
    assert [command.reads for command in commands] == [(), ("f",), ()]
    assert [command.writes for command in commands] == [(), ("e", "g"), ()]


@pytest.mark.parametrize(
    "line",
    [
        "echo $(rm x)",
        "echo `rm x`",
        'echo "$(rm x)"',
        "cat <(rm x)",
        "echo x > $X",
        "echo x > a*",
        "cat <<X\n$(rm x)\nX",
        "cat <<X",
        "cat <<X'y'\nX\nrm x\nXy",
        "cat <<X 'a\nb'\nX",
        "> file",
        "CI=1",
        "LANG=../x ls",
        "LD_PRELOAD=x ls",
        "echo {a,b}{",
        "echo {1..3}",
        "echo $PWD",
        'echo "$5"',
        "echo $'a'",
        "echo ${X}",
        "echo $HOMEX",
        "! rm x",
        "echo \\",
        "(rm x)",
        "{ rm x; }",
        "if true; then rm x; fi",
        "for x in a; do rm x; done",
        "PATH=. ls",
        "$X",
        "/bin/r? x",
        "f() { rm x; }",
        "echo 'open",
        "# comment",
        "",
        "  ",
        "ls\r",
        "[[ a ]]",
    ],
)
def test_of_everything_else_nothing_is_claimed(line: str) -> None:
    assert simple_commands(line) is None


def test_a_star_alone_stands_for_any_number_of_words() -> None:
    assert fits(("git", "*"), ("git",))
    assert fits(("git", "*"), ("git", "log", "-1"))
    assert fits(("git", "*", "main"), ("git", "push", "origin", "main"))
    assert fits(("a", "*", "b", "*", "c"), ("a", "b", "b", "c"))
    assert not fits(("a", "*", "b", "*", "c"), ("a", "c", "b"))
    assert fits(("*", "b", "*", "c", "*", "d"), ("b", "c", "b", "d"))
    assert fits(("git", "st*"), ("git", "status"))
    assert not fits(("git", "st*"), ("git", "status", "-s"))
    assert not fits(("git", "*"), ("gitk",))
    assert not fits(("cat", "src/*"), ("cat", "src/../../etc/passwd"))


PIECES = st.sampled_from(
    ["ok", "bad", " ", " ", ";", "&&", "||", "|", "&", "\n", "'", '"', "$", "(", ")", "`", "{", "}",
     "\\", "<", ">", "#", "!", "=", "*", "?", "[", "]", "~", "2>&1", ">/dev/null", "<<x", "eval",
     "if", "then", "fi", "x", "\t", "\r", ".", "/", "-c", ",", "^", "%", "@", "é", "\u00a0",
     "<<'x'\n", "\nx\n", "$?", "$HOME", "$1", "CI=1 ", "{a,b}", "\\\n", "time ", "<<<", "&>", ">|"],
)  # fmt: skip


def ran_by_bash(folder: Path, line: str) -> list[list[str]]:
    """What bash really runs: the words of each command in the order in which they ended."""
    for name in ("ok", "bad"):
        script = f"#!/bin/bash\nprintf '%s\\0' ${{0##*/}} \"$@\" $'\\x1e' >>{folder}/ran\n"
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    subprocess.run(
        ["/bin/bash", "-c", f"eval {shlex.quote(line)}"],
        cwd=folder,
        env={"PATH": str(folder), "HOME": "/home/me"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    ran = folder / "ran"
    found = ran.read_text() if ran.exists() else ""
    return [each.split("\0")[:-1] for each in found.split("\x1e\0")[:-1]]


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(line=st.lists(PIECES, max_size=12).map("".join))
def test_bash_runs_nothing_that_was_not_seen(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    commands = simple_commands(line)
    if commands is None or not all(command.words[0] in ("ok", "x") for command in commands):
        return
    if any(word.startswith("/") for each in commands for word in each.writes):
        return
    folder = tmp_path_factory.mktemp("bin")
    seen = [[_valued(word) for word in command.words] for command in commands]
    plain = not any(command.globs or "~" in line or "$?" in line for command in commands)
    for words in ran_by_bash(folder, line):
        assert words[0] != "bad"
        assert words in seen or not plain
    written = {word for command in commands for word in command.writes}
    assert {found.name for found in folder.iterdir()} <= {"ok", "bad", "ran", *written} or not plain


def _valued(word: str) -> str:
    return word.replace("$HOME", "/home/me")
