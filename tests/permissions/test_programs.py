"""What programs make of their arguments: what they run, and how else a command is written."""

import pytest

from octochat.permissions.programs import (
    inner,
    opaque,
    operands,
    own_name,
    readings,
    unknown_subcommand,
)
from octochat.permissions.risks import programs


def split(line: str) -> tuple[str, ...]:
    return tuple(line.split(" "))


@pytest.mark.parametrize(
    ("line", "unclear"),
    [
        ("nohup", False),
        ("env", False),
        ("env -i", True),
        ("timeout 5", True),
        ("nohup make", False),
        ("nohup -x make", True),
        ("env A=b make", True),
        ("sudo make", True),
        ("find . -name x", False),
        ("find . -name x -exec make", True),
        ("fd -x make", True),
        ("make -x", False),
    ],
)
def test_a_command_is_unclear_if_it_may_run_something_that_cannot_be_told(
    line: str, *, unclear: bool
) -> None:
    assert opaque(split(line)) is unclear


@pytest.mark.parametrize(
    ("line", "others"),
    [
        ("make a b", ["make a b"]),
        ("/bin/make -C x -s a b", ["make -C x -s a b", "make a b"]),
        ("npm -s publish x", ["npm -s publish x", "npm publish x"]),
        ("npm -C x publish y", ["npm -C x publish y", "npm publish y"]),
        ("cargo +nightly publish y", ["cargo publish y"]),
        ("git", []),
        ("git -C x log a", ["git log a"]),
        ("git log push", ["git log push"]),
        ("git-log a b", ["git-log a b", "git log a b"]),
        ("git send-pack o m", ["git send-pack o m", "git push o m"]),
        ("git subtree push o", ["git subtree push o", "git push o"]),
        ("git -c alias.P=push p o", ["git p o", "git push o", "push o"]),
        ("git -c x.p=push p o", ["git p o"]),
        ("git -calias.p=!rm p o", ["git p o", "git rm o", "rm o"]),
        ("git -c alias.p= p", ["git p", "git"]),
    ],
)
def test_a_command_is_also_taken_for_what_it_means_without_its_options_and_aliases(
    line: str, others: list[str]
) -> None:
    found = {" ".join(words) for words in readings(split(line))}
    own = line.removeprefix("/bin/")
    assert found == {line, own, *others}


@pytest.mark.parametrize(
    ("line", "unknown"),
    [
        ("git", False),
        ("git log", False),
        ("git lg", True),
        ("git -c a=b log", False),
        ("git -c a=b -c Alias.log=push log", True),
        ("git --config-env=alias.log=X log", True),
        ("git --config-env alias.log=X log", True),
        ("hub lg", False),
    ],
)
def test_a_git_command_that_may_be_an_alias_is_not_known(line: str, *, unknown: bool) -> None:
    assert unknown_subcommand(split(line)) is unknown


@pytest.mark.parametrize(
    ("line", "run"),
    [
        ("python -m black a", ["black a"]),
        ("python -m black", ["black"]),
        ("python -m", []),
        ("python black a", []),
        ("cat -m black", []),
        ("timeout 5 nice make a", ["nice make a", "make a"]),
        ("uv run -q make a", ["make a", "a"]),
    ],
)
def test_a_program_is_seen_with_those_that_it_runs(line: str, run: list[str]) -> None:
    assert [" ".join(words) for words in programs(split(line))] == [line, *run]


def test_the_arguments_of_a_command_are_told_from_its_options() -> None:
    assert operands(split("cat -n a - b")) == ("a", "-", "b")
    assert operands(split("cat a -n -- -b --")) == ("a", "-b", "--")
    assert operands(("cat",)) == ()


@pytest.mark.parametrize(
    ("word", "name"),
    [("cat", "cat"), ("/bin/cat", "cat"), ("/usr/bin/cat", "cat"), ("./cat", "./cat"),
     ("/home/bin/cat", "/home/bin/cat")],
)  # fmt: skip
def test_only_in_the_folders_of_the_system_a_program_is_taken_for_the_one_of_its_name(
    word: str, name: str
) -> None:
    assert own_name((word, "a")) == name


@pytest.mark.parametrize(
    ("line", "run"),
    [
        ("timeout 5 make a", "make a"),
        ("timeout -k 5 5 make a", "make a"),
        ("timeout -v -s 9 5 make a", "make a"),
        ("timeout 5", None),
        ("nice make a", "make a"),
        ("nice -n 5 make a", "make a"),
        ("nice -5 make a", "make a"),
        ("nice -x make a", None),
        ("nice", None),
        ("env -i make a", "make a"),
        ("env A=b make a", None),
        ("xargs -n 1 -r make a=b", "make a=b"),
        ("/usr/bin/nohup make a", "make a"),
        ("make nice a", None),
    ],
)
def test_the_command_that_a_command_runs_stands_behind_its_options(
    line: str, run: str | None
) -> None:
    assert inner(split(line)) == (run and split(run))
