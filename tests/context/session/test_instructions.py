"""Which instructions hold after each that the model is told of."""

from octochat.context.session.asides import Instructed
from octochat.context.session.instructions import (
    Instructions,
    Standing,
    after_task,
    framed,
    instructed,
    opened_with,
    units_of,
)

OPENED = Instructions("AGENTS.md", "Be kind.", opened=True)
NESTED = Instructions("web/AGENTS.md", "Use tabs.", units=(5,))
BOTH: Standing = (OPENED, NESTED)


def test_those_of_the_system_prompt_are_read_back_from_it() -> None:
    files = framed("AGENTS.md", "Be kind."), framed('a & "b".md', "Use tabs.")
    both = opened_with("\n\n".join(("# Tools", *files)))
    assert [(each.file, each.text) for each in both] == [
        ("AGENTS.md", "Be kind."),
        ('a & "b".md', "Use tabs."),
    ]
    assert after_task(both) == both


def test_a_new_file_comes_last() -> None:
    told = Instructed("docs/AGENTS.md", "t", "Cite.")
    new = Instructions("docs/AGENTS.md", "Cite.", units=(9,))
    assert instructed(BOTH, 9, told) == (*BOTH, new)


def test_one_that_is_told_anew_keeps_its_place_and_needs_no_earlier_note() -> None:
    held = Instructions("AGENTS.md", "Be brief.", opened=True, units=(9,))
    assert instructed(BOTH, 9, Instructed("AGENTS.md", "t", "Be brief.", "changed")) == (
        held,
        NESTED,
    )


def test_a_difference_needs_the_notes_before_it_and_adds_its_characters() -> None:
    told = Instructed("web/AGENTS.md", "-tabs", "Use spaces.", "changed", partly=True)
    once = instructed(BOTH, 9, told)
    assert once[1] == Instructions("web/AGENTS.md", "Use spaces.", units=(5, 9), changes=5)
    assert instructed(once, 12, told)[1].changes == 10
    assert instructed(once, 12, Instructed("web/AGENTS.md", "t", "x", "changed"))[1].changes == 0


def test_of_a_file_that_is_gone_only_what_stands_in_the_system_prompt_must_be_called_off() -> None:
    gone = Instructions("AGENTS.md", "", opened=True, units=(9,))
    assert instructed(BOTH, 9, Instructed("AGENTS.md", "t", "", "removed")) == (gone, NESTED)
    assert instructed(BOTH, 9, Instructed("web/AGENTS.md", "t", "", "removed")) == (OPENED,)


def test_done_leaves_those_of_the_system_prompt() -> None:
    assert after_task(BOTH) == (OPENED,)
    assert units_of(BOTH) == {5}
