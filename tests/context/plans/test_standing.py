"""What stands in the context for good, with its tokens."""

from octochat.context.plans.standing import StandingPart, standing_parts
from octochat.context.session.events import Entry, Event, Instructed, Opened
from octochat.context.session.instructions import framed
from octochat.context.session.state import replay

SKILLS = "# Skills\n- boats: how to row"


def parts(system: str, *events: Event) -> list[StandingPart]:
    """Each event takes 70 tokens; what is measured, as many as it has characters."""
    every = (Opened("m", system), *events)
    state = replay([Entry(n, 0.0, 70, event) for n, event in enumerate(every, 1)])
    return list(standing_parts(state, len))


def test_files_count_as_they_were_at_the_start_and_with_what_was_told_of_them_since() -> None:
    start = framed("AGENTS.md", "Be kind.")
    shown = parts(
        f"{start}\n\n{SKILLS}",
        Instructed("AGENTS.md", "t", "Be brief.", "changed", partly=True),
        Instructed("web/AGENTS.md", "t", "Use tabs."),
    )
    assert shown == [
        StandingPart("AGENTS.md", len(start) + 70),
        StandingPart("web/AGENTS.md", 70),
        StandingPart("list of skills", len(SKILLS)),
    ]


def test_without_instructions_and_skills_nothing_stands() -> None:
    assert parts("# Place\nYou are here.") == []
