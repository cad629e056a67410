"""One SKILL.md, with every oddity that people's files have."""

import os
from pathlib import Path

import pytest

from octochat.skills.skill_file import Skill, read_skill

BODY = "# How\n\nDo it well."


def skill_in(folder: Path, text: str | bytes) -> Skill:
    folder.mkdir(exist_ok=True)
    file = folder / "SKILL.md"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    read = read_skill(file)
    assert isinstance(read, Skill), read
    return read


def matter(lines: str) -> str:
    return f"---\n{lines}\n---\n\n{BODY}\n"


@pytest.mark.parametrize(
    ("text", "description", "oddity"),
    [
        (matter("name: one\ndescription: Plain."), "Plain.", ""),
        (matter("name: \"one\"\ndescription: 'It''s \"quoted\".'"), 'It\'s "quoted".', ""),
        (matter("name: one\ndescription: >-\n  Over\n  two lines."), "Over two lines.", ""),
        (matter("name: one\ndescription: |\n  Over\n  --- lines."), "Over --- lines.", ""),
        (matter("name: one\ndescription: Over\n  two lines."), "Over two lines.", ""),
        (matter("name: one\ndescription: a --- b\nmodel: big"), "a --- b", ""),
        (matter("name: one\ndescription: [a, b, {c: d}]\nx: {y: 1}"), "a, b, ...", ""),
        (
            matter("name: one\ndescription: {when: always, how: well}"),
            "when: always, how: well",
            "",
        ),
        (matter("{name: one, description: All in braces.}"), "All in braces.", ""),
        (matter("Name: one\nDescription: Capital keys."), "Capital keys.", ""),
        (matter("name: one\ndescription: Use when: always."), "Use when: always.", "no YAML"),
        (matter("name: one\ndescription: x\n\tTab."), "x Tab.", "no YAML"),
        (matter("name: one\ndescription: @team's own"), "@team's own", "no YAML"),
        (matter("name: one\ndescription: 'Half quoted"), "'Half quoted", "no YAML"),
        (matter("name: one\ndescription: >\n  Use: x\nbad: a: b\n"), "Use: x", "no YAML"),
        ("\n---  \nname: one\ndescription: Blank before.\n...\n" + BODY, "Blank before.", ""),
        ("---\nname: one\ndescription: Open.\n\n" + BODY, "Open.", "no closing ---"),
        (b"\xef\xbb\xbf" + matter("name: one\ndescription: Mark.").encode(), "Mark.", "order mark"),
        (matter("name: one\ndescription: W.").replace("\n", "\r\n"), "W.", "CRLF"),
        (
            matter("name: one\ndescription: Sm\xf8r.").encode("latin-1"),
            "Sm\ufffdr.",
            "not all UTF-8",
        ),
        (matter("name: one\ndescription: Wide.").encode("utf-16"), "Wide.", "order mark"),
        (matter("name: one\ndescription: " + "x" * 1_025), "x" * 1_025, "1,025 characters"),
    ],
)
def test_a_skill_is_read_as_people_write_it(
    tmp_path: Path, text: str | bytes, description: str, oddity: str
) -> None:
    read = skill_in(tmp_path / "one", text)
    assert (read.name, read.description, read.body) == ("one", description, BODY)
    assert bool(read.oddities) == bool(oddity)
    assert oddity in "; ".join(read.oddities)


@pytest.mark.parametrize(
    ("name", "oddity"),
    [
        ("other", 'not that of its folder, "one"'),
        ("One", "other characters"),
        ("one two", "other characters"),
        ("on--e", "other characters"),
        ("x" * 70, "70 characters"),
    ],
)
def test_an_unusual_name_is_said_and_taken(tmp_path: Path, name: str, oddity: str) -> None:
    read = skill_in(tmp_path / "one", matter(f"name: {name}\ndescription: x"))
    assert read.name == name[:64]
    assert oddity in "; ".join(read.oddities)


def test_a_rule_in_the_text_ends_nothing(tmp_path: Path) -> None:
    text = matter("name: one\ndescription: x") + "\n---\n\nMore."
    assert skill_in(tmp_path / "one", text).body == f"{BODY}\n\n---\n\nMore."


def test_a_skill_may_have_no_text_at_all(tmp_path: Path) -> None:
    read = skill_in(tmp_path / "one", "---\nname: one\ndescription: x\n---")
    assert (read.body, read.oddities) == ("", ("there is no text after the front matter",))


@pytest.mark.parametrize(
    "value",
    ["[" * 5_000, "&a [x, *a]", "!!python/object/apply:os.system [exit]", "y: " * 9_000],
    ids=["deep", "endless", "python", "long"],
)
def test_hostile_yaml_is_text_at_most(tmp_path: Path, value: str) -> None:
    read = skill_in(tmp_path / "one", matter(f"name: one\nmore: {value}\ndescription: x"))
    assert (read.name, read.description) == ("one", "x")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "SKILL.md")
    assert read_skill(tmp_path / "SKILL.md") == "it is not a regular file"
