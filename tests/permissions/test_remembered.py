"""The file of "always" answers: what is written and taken out, and what is said of a bad one."""

from pathlib import Path

import pytest

from octochat.permissions.remembered import RememberedRules
from octochat.permissions.rule import parse
from tests.permissions.test_rules import FOLDER

FIRST, SECOND = parse("bash(git *)"), parse("bash(ls *)")


def answers(folder: Path) -> RememberedRules:
    return RememberedRules(folder / "permissions.toml", FOLDER)


def table(allow: str) -> str:
    return f'[[rule]]\nfolder = "{FOLDER}"\nallow = "{allow}"\n'


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[rule]", ""),
        ("[[rule]]\nfolder = 1", "rule 1: "),
        ("rule = 3", r"rule \d: "),
        (f"{table('ls')}[[rule]]\n", "rule 2: "),
        (table("bash(") + table("ls"), "rule 1: "),
    ],
)
def test_a_broken_file_of_answers_is_named_with_the_place_and_stays_as_it_is(
    tmp_path: Path, text: str, place: str
) -> None:
    file = answers(tmp_path)
    file.path.write_text(text)
    for use in (file.load, lambda: file.remove(FIRST)):
        with pytest.raises(ValueError, match=rf"permissions\.toml: {place}"):
            use()
    assert file.path.read_text() == text


def test_answers_are_taken_back_whatever_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = answers(tmp_path)
    kept = parse("bash(cat grüße 😀)")
    file.add(kept)
    file.add(SECOND)
    monkeypatch.setattr("locale.getencoding", lambda: "ascii")
    file.remove(SECOND)
    assert file.load() == (kept,)


def test_of_a_table_that_goes_the_comments_stay_and_all_else_as_it_is(tmp_path: Path) -> None:
    file = answers(tmp_path)
    before, behind = "# mine\n\nnote = 1\n\n", "# one\n# two\n"
    elsewhere = table("bash(git *)").replace(str(FOLDER), "/elsewhere")
    kept = f"{elsewhere}\n{table('bash(ls *)')}"
    file.path.write_text(f"{before}{table('bash(git *)')}{behind}{kept}")
    file.remove(FIRST)
    assert file.path.read_text() == f"{before}{behind}{kept}"
    assert file.load() == (SECOND,)
    assert RememberedRules(file.path, Path("/elsewhere")).load() == (FIRST,)


def test_nobody_else_may_open_the_file_once_something_was_taken_out(tmp_path: Path) -> None:
    file = answers(tmp_path)
    file.add(FIRST)
    file.remove(FIRST)
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["permissions.toml"]
