"""A system prompt by its sections."""

from octochat.context.session.system_sections import system_sections


def test_titles_that_people_wrote_are_no_sections_and_the_skills_are_the_last() -> None:
    system = (
        "You are octochat.\n\n# Tools\nread\n\n# Instructions of the folder\n# Tools\nours\n"
        "# Skills\nof our own\n\n# Skills\nboats\n"
    )
    found = list(system_sections(system))
    assert [title for title, _ in found] == [
        "Opening",
        "Tools",
        "Instructions of the folder",
        "Skills",
    ]
    assert "".join(text for _, text in found) == system
    assert found[-1][1] == "# Skills\nboats\n"
    assert list(system_sections("")) == []
