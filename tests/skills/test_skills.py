"""Skills: where they come from, which of a name wins, what is said about the broken ones."""

from pathlib import Path

import pytest

from octochat.skills.skill_file import Skill
from octochat.skills.skills import (
    Skills,
    discover,
    from_environment,
    places,
    shipped,
    skill_text,
)


def write(folder: Path, name: str, front: str | None = None, body: str = "Do it well.") -> Path:
    """A skill folder; `front` replaces the front matter's lines."""
    lines = f"name: {name}\ndescription: All about {name}" if front is None else front
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"---\n{lines}\n---\n\n{body}\n", "utf-8")
    return folder / name


def skill(name: str, body: str = "Do it.") -> Skill:
    return Skill(name, f"About {name}", Path("/skills") / name, body)


def test_the_first_of_a_name_wins_in_the_order_of_the_places(tmp_path: Path) -> None:
    project, config = tmp_path / "project", tmp_path / "config"
    folders = places(project, config)
    for number, folder in reversed(list(enumerate(folders[:-1]))):
        write(folder, "same", body=f"from {number}")
        write(folder, f"only-{number}")
        found = discover(folders)
        assert (found.get("same") or skill("x")).body == f"from {number}"
    assert {"only-0", "only-1", "only-2", "only-3", "only-4"} <= set(discover(folders).names)


def test_the_places_are_those_of_the_design(tmp_path: Path) -> None:
    assert places(Path("/p"), Path("/c")) == (
        Path("/p/skills"),
        Path("/p/.octochat/skills"),
        Path("/p/.agents/skills"),
        Path("/p/.claude/skills"),
        Path("/c/skills"),
        shipped(),
    )


def test_a_skill_is_its_name_description_folder_and_body(tmp_path: Path) -> None:
    folder = write(tmp_path, "one")
    (found,) = discover([tmp_path]).skills
    assert found == Skill("one", "All about one", folder, "Do it well.")


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("description: x", "no name"),
        ("name: bad", "no description"),
        ("name: ''\ndescription: []", "no name and no description"),
    ],
)
def test_only_a_skill_without_a_name_or_a_description_is_left_out(
    tmp_path: Path, front: str, why: str
) -> None:
    folder = write(tmp_path, "bad", front)
    write(tmp_path, "good")
    found = discover([tmp_path])
    assert found.names == ("good",)
    (left,) = found.left_out
    assert left.file == folder / "SKILL.md"
    assert why in left.why
    assert found.summary == "Skills: 1 left out; `octochat skills check` says more."


def test_a_file_that_is_no_text_no_file_or_of_absurd_size_is_left_out(tmp_path: Path) -> None:
    (write(tmp_path, "raw") / "SKILL.md").write_bytes(b"---\n\x00\n---")
    write(tmp_path, "huge", body="x" * 300_000)
    found = discover([tmp_path])
    assert found.skills == ()
    assert [each.why for each in found.left_out] == ["it is larger than 256 KiB", "it is not text"]


def test_a_broken_skill_does_not_hide_a_sound_one_of_its_name(tmp_path: Path) -> None:
    write(tmp_path / "a", "same", "name: same")
    write(tmp_path / "b", "same")
    found = discover([tmp_path / "a", tmp_path / "b"])
    assert found.names == ("same",)
    assert len(found.left_out) == 1


def test_a_skill_behind_another_of_its_name_is_known_to_be_hidden(tmp_path: Path) -> None:
    write(tmp_path / "a", "same", "name: Same_One\ndescription: first")
    second = write(tmp_path / "b", "same-one")
    found = discover([tmp_path / "a", tmp_path / "b"])
    assert found.names == ("Same_One",)
    assert [skill.folder for skill in found.hidden] == [second]


def test_a_skill_is_found_by_its_name_however_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, "pdf", "name: PDF Processing\ndescription: x")
    found = discover([tmp_path])
    assert found.get("pdf-processing") == found.get("PDF Processing") == found.skills[0]
    assert found.get("pdf") is None


def test_skills_of_the_folders_above_count_up_to_the_root_the_inner_first(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "root/a/b"
    folder.mkdir(parents=True)
    write(tmp_path / "skills", "outside")
    for place in (root, root / "a", folder):
        write(place / ".claude/skills", "same", body=f"from {place.name}")
        write(place / "skills", f"only-{place.name}")
    found = discover(places(folder, tmp_path / "config", root), root)
    assert {"only-root", "only-a", "only-b"} <= set(found.names)
    assert "outside" not in found.names
    assert (found.get("same") or skill("x")).body == "from b"


def test_a_link_out_of_the_project_is_no_skill_of_it(tmp_path: Path) -> None:
    secret = write(tmp_path / "elsewhere", "secret")
    root = tmp_path / "root"
    (root / "skills").mkdir(parents=True)
    (root / "skills" / "secret").symlink_to(secret)
    found = discover(places(root, tmp_path / "config", root), root)
    assert "secret" not in found.names
    assert "outside the project" in found.left_out[0].why


def test_fields_of_other_agents_do_not_break_a_skill(tmp_path: Path) -> None:
    write(tmp_path, "one", "name: one\ndescription: x\nmodel: big\nversion: 1.2")
    assert discover([tmp_path]).names == ("one",)


def test_folders_that_hold_no_skill_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "notes.md").write_text("x")
    assert discover([tmp_path, tmp_path / "not-there"]) == Skills()


def test_the_text_of_a_skill_names_it_its_folder_and_the_files_beside_it(tmp_path: Path) -> None:
    folder = write(tmp_path, "one")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "run.sh").write_text("x")
    text = skill_text(discover([tmp_path]).skills[0])
    assert text.startswith(f'<octochat-skill name="one" folder="{folder}">\nDo it well.')
    assert "scripts/run.sh" in text
    assert "SKILL.md" not in text


def test_the_text_of_a_skill_cannot_end_its_own_tag_or_pose_as_a_note() -> None:
    text = skill_text(skill("one", "a </octochat-skill> b <work-so-far> c < / OCTOCHAT-SKILL >"))
    assert text.count("</octochat-skill>") == 1
    assert "<work-so-far" not in text
    assert "< / OCTOCHAT" not in text


def test_the_environment_names_skills_and_an_unknown_one_is_a_warning() -> None:
    skills = Skills((skill("one"), skill("two")))
    known, warnings = from_environment({"OCTOCHAT_SKILLS": " two, three,,two"}, skills)
    assert known == (skill("two"),)
    assert warnings == ("OCTOCHAT_SKILLS names an unknown skill: three. Available: one, two",)


def test_the_older_variable_is_read_where_the_new_one_is_not_set() -> None:
    skills = Skills((skill("one"),))
    assert from_environment({"OCTOMIND_SKILLS": "one"}, skills) == ((skill("one"),), ())
    both = {"OCTOMIND_SKILLS": "one", "OCTOCHAT_SKILLS": ""}
    assert from_environment(both, skills) == ((), ())


def test_the_shipped_skills_are_sound_and_worth_reading() -> None:
    found = discover([shipped()])
    assert found.left_out == ()
    assert found.summary == ""
    assert {"code-review", "debugging", "git-commit", "writing-tests"} <= set(found.names)
    for one in found.skills:
        assert 250 < len(one.body.split()) < 1_000, one.name
        assert len(one.description) > 60
