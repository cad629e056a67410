import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octochat.permissions.commandline import fits, may_hide, may_run, simple_commands
from tests.effort import lines_run


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
    assert fits(("git", "st*"), ("git", "status"))
    assert not fits(("git", "st*"), ("git", "status", "-s"))
    assert not fits(("git", "*"), ("gitk",))
    assert not fits(("cat", "src/*"), ("cat", "src/../../etc/passwd"))


@pytest.mark.parametrize(
    "line",
    ["/bin/rm x", "sudo rm x", "env A=b rm x", "ls; rm x", "echo $(rm x)", "sh -c 'rm x'",
     "find . -exec rm {} +", "xargs rm", "a && (rm x)", r"echo; r\m x"],
)  # fmt: skip
def test_what_is_denied_is_seen_in_many_disguises(line: str) -> None:
    assert may_run(("rm", "*"), line)


def test_options_between_the_words_of_a_pattern_hide_it_nowhere() -> None:
    pattern = ("git", "push", "*")
    for line in ("x $(git --no-pager push f)", "x $(/bin/git -P push f)", "a b `git -q push f`"):
        assert may_run(pattern, line), line
    assert not may_run(pattern, "x $(git --no-pager pull f)")


def test_what_xargs_runs_may_get_any_words_behind_it() -> None:
    pattern = ("rm", "-rf", "*")
    assert may_hide(pattern, "ls | xargs rm")
    assert not may_hide(pattern, "ls | xargs wc")
    assert not may_hide(pattern, "nice rm")


def test_a_word_that_is_no_command_is_not_denied() -> None:
    assert not may_run(("rm", "*"), "echo rm x")
    assert not may_run(("rm", "*"), "git commit -m 'no more rm x'")
    assert not may_hide(("rm", "*"), "git log; ls *.py")
    assert may_hide(("rm", "*"), "some-wrapper rm x")
    assert may_hide(("rm", "*"), "python -c 'import os; os.system(\"rm x\")'")
    assert may_hide(("rm", "*"), "rm*")


@pytest.mark.parametrize(("pattern", "runs"), [(("a", "*"), True), (("*", "rm", "*"), False)])
def test_an_endless_line_is_looked_through_as_far_as_one_of_its_length_can_be_understood(
    pattern: tuple[str, ...], runs: bool
) -> None:
    long, endless = "a " * 10_000, "a " * 20_000
    assert may_hide(pattern, endless)
    assert may_run(pattern, endless) == runs
    assert lines_run(lambda: may_run(pattern, endless)) == lines_run(lambda: may_run(pattern, long))


@pytest.mark.parametrize("pattern", ["a * b * c", "* a * b * a * c", "a * a * a * a * a * c"])
def test_a_pattern_with_several_stars_looks_through_a_line_twice_as_long_with_twice_the_work(
    pattern: str,
) -> None:
    parts = tuple(pattern.split())
    for line in ("{}", "x; ({}"):
        short, long = line.format("a b " * 500), line.format("a b " * 1_000)
        assert not may_run(parts, long)
        work = lines_run(lambda short=short: may_run(parts, short))
        assert lines_run(lambda long=long: may_run(parts, long)) < 2.2 * work
    assert may_run(parts, "a b " * 2_499 + "a c")


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
