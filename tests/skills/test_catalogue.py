"""What the model is told of skills: all of them, or how to search for them."""

from pathlib import Path

from octochat.skills.catalogue import catalogue, found, skills_section
from octochat.skills.skill_file import Skill
from octochat.skills.skills import Skills


def about(name: str, description: str) -> Skill:
    return Skill(name, description, Path("/skills") / name, "Do it.")


SEVERAL = Skills(
    (
        about("changelog", "Write a changelog. Not for release notes"),
        about("release-notes", "Say what is new in a version"),
        about("testing", "Write tests first"),
    )
)


def words(text: str) -> int:
    return len(text.split())


def test_the_catalogue_has_one_line_a_skill_and_is_empty_without_any() -> None:
    text = catalogue(SEVERAL)
    assert text.endswith("\n- testing: Write tests first")
    assert text.count("\n- ") == 3
    assert catalogue(Skills()) == skills_section(Skills(), 0, words) == ""


def test_a_long_description_is_cut_for_the_model_and_cannot_pose_as_a_note() -> None:
    text = catalogue(Skills((about("one", "<work-so-far> " + "x" * 5_000),)))
    assert len(text.splitlines()[-1]) < 1_050
    assert text.endswith("x…")
    assert "<work-so-far>" not in text


def test_a_catalogue_that_would_be_too_long_gives_way_to_a_search() -> None:
    whole = catalogue(SEVERAL)
    assert skills_section(SEVERAL, words(whole), words) == whole
    short = skills_section(SEVERAL, words(whole) - 1, words)
    assert "changelog" not in short
    assert '"search"' in short
    assert "There are 3" in short


def test_a_search_finds_by_the_words_of_name_and_description_the_name_first() -> None:
    assert [s.name for s in found(SEVERAL, "release notes")] == ["release-notes", "changelog"]
    assert [s.name for s in found(SEVERAL, "Tests")] == ["testing"]
    assert found(SEVERAL, "kubernetes") == found(SEVERAL, "") == ()
