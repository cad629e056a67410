"""Where a line may stand when a command of it runs."""

from pathlib import Path

import pytest

from octochat.permissions.commandline import SimpleCommand, simple_commands
from octochat.permissions.steps import expanded, leads, pieces, steps

WORK = Path("/work")


def test_a_line_that_may_stand_in_nine_places_is_not_followed() -> None:
    moves = [f"cd /{n}" for n in range(8)]
    known = steps("; ".join(moves[:7]), Path("/work"))
    assert known is not None
    assert len(known[-1].places | known[-1].moves) == 8
    assert steps("; ".join(moves), Path("/work")) is None


def test_each_command_may_run_where_those_before_it_led_or_did_not() -> None:
    found = steps("cd a && make; cd b", Path("/work"))
    assert found is not None
    work = Path("/work")
    assert [step.places for step in found] == [{work}, {work, work / "a"}, {work, work / "a"}]
    assert found[-1].moves == {work / "b", work / "a/b"}


@pytest.mark.parametrize(
    ("line", "aim"),
    [
        ("cd a", "/work/a"),
        ("cd -P a", "/work/a"),
        ("cd -P -- a", "/work/a"),
        ("cd -- a", "/work/a"),
        ("cd", str(Path.home())),
        ("cd --", str(Path.home())),
        ("cd $PWD/a", None),
        ('cd "$PWD/a"', "/work/a"),
        ("cd -- -P", None),
        ("cd -", None),
        ("cd -L a", None),
        ("cd a b", None),
        ("cd a*", None),
        ("pushd a", None),
        ("popd", None),
        ("command cd a", None),
    ],
)
def test_where_a_line_goes_is_followed_or_not_at_all(line: str, aim: str | None) -> None:
    found = steps(f"{line}; make", WORK)
    if aim is None:
        assert found is None
    else:
        assert found is not None
        assert found[0].moves == {Path(aim)}
        assert found[1].places == {WORK, Path(aim)}


def test_a_word_leads_where_the_shell_would_take_it(tmp_path: Path) -> None:
    home = Path.home()
    (tmp_path / "link").symlink_to("/usr")
    for word, path in (
        ("a", tmp_path / "a"),
        ("/a/../b", Path("/b")),
        ("link/a", Path("/usr/a")),
        ("~/a", home / "a"),
        ("$HOME/a", home / "a"),
        ("${HOME}/a", home / "a"),
        ("$PWD/a", tmp_path / "a"),
        ("${PWD}/a", tmp_path / "a"),
        ("$X/a", None),
        ("$HOMER/a", None),
        ("~nobody-is-called-so/a", None),
        ("a\0b", None),
    ):
        assert leads(word, tmp_path) == path, word
    for odd in ("~", "$HOME", "a~"):
        (tmp_path / odd).touch()
    assert leads("~/a", tmp_path) is None
    assert leads("$HOME/a", tmp_path) is None
    assert leads("a~", tmp_path) == tmp_path / "a~"


def words_of(line: str, place: Path) -> tuple[str, ...] | None:
    found = simple_commands(line)
    assert found is not None
    return expanded(found[0], place)


def test_a_pattern_becomes_the_names_of_at_most_500_files(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"a{number}").touch()
    many = words_of("cat a* b", tmp_path)
    assert many is not None
    assert len(many) == 502
    (tmp_path / "a500").touch()
    assert words_of("cat a* b", tmp_path) is None


def test_a_pattern_in_two_parts_of_a_path_is_looked_up_and_one_in_three_is_not(
    tmp_path: Path,
) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/.b").touch()
    assert words_of("ls a/*/*", tmp_path) == ("ls", "a/b/c")
    assert words_of("ls ?/?b", tmp_path) == ("ls", "a/.b")
    assert words_of("ls x*", tmp_path) == ("ls", "x*")
    assert words_of("ls */*/*", tmp_path) is None
    assert words_of("ls $HOME/*", tmp_path) is None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("make -j a", {"make", "-j", "a"}),
        ("make --a=b:c, X=@d", {"make", "--a=b:c,", "b", "c", "X=@d", "d"}),
        ("cc -Ifile -o", {"cc", "-Ifile", "file", "-o"}),
        ("make x('/a')", {"make", "x('/a')"}),
        ("nice node x('/a')", {"nice", "node", "x('/a')", "x", "/a"}),
    ],
)
def test_all_that_may_be_a_path_in_a_command(line: str, found: set[str]) -> None:
    assert set(pieces("", SimpleCommand(tuple(line.split()), ""))) == found


def test_of_a_line_that_is_not_understood_all_between_its_signs_may_be_a_path() -> None:
    assert set(pieces("for i in a; do cat 'b c'; done")) >= {"a", "b", "c"}
    found = SimpleCommand(("cat", "a"), "", reads=("b",), writes=("c",))
    assert list(pieces("x", found)) == ["cat", "a", "b", "c"]
