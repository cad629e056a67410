"""What somebody wrote of a note: which lines stay, and which messages they name."""

from math import inf

from octochat.context.notes.sections import (
    Statement,
    fitted,
    render,
    secured,
    unsourced,
    with_sources,
    written_by_a_model,
)
from tests.context.notes.logs import measure


def progress(text: str, worth: float = inf) -> Statement:
    return Statement("State and progress", text, worth)


SHORT, LONG = progress("oak ".ljust(12, "x"), 2.0), progress("fir ".ljust(24, "y"), 3.0)
"""Both are worth the same for their length, with twelve characters besides for the line."""


def test_of_lines_that_are_worth_the_same_for_their_length_the_first_stays() -> None:
    room = measure(render((LONG,)))
    assert fitted((SHORT, LONG), room, measure) == render((SHORT,))
    assert fitted((LONG, SHORT), room, measure) == render((LONG,))
    better = progress(LONG.text, 3.01)
    assert fitted((SHORT, better), room, measure) == render((better,))


def test_of_what_a_model_wrote_as_much_stays_as_it_was_given() -> None:
    room = measure(render((LONG,)))
    better = progress(LONG.text, 3.01)
    assert [line.worth for line in secured((SHORT, LONG), room, measure)] == [inf, 3.0]
    assert [line.worth for line in secured((SHORT, better), room, measure)] == [2.0, inf]
    assert [line.worth for line in secured((SHORT, LONG), 99, measure)] == [inf, inf]


def test_a_models_statements_are_found_again_in_a_note_and_codes_are_not() -> None:
    note = (
        "Mended.\n- no title\n## Knowledge\n- fact: oak\n## Goal\n- a boat\nmore\n"
        "- #12 said by the person\n## Decisions\n- oak it is"
    )
    goal, decision = written_by_a_model(note)
    assert (goal.title, goal.text) == ("Goal", "a boat")
    assert (decision.title, decision.text) == ("Decisions", "oak it is")
    assert SHORT.worth < goal.worth == decision.worth == LONG.worth


def test_numbers_that_name_no_message_go() -> None:
    said = ("It is oak (#3, #9).", "It is fir (#9)", "It is ash (#3 and #4)", "It is elm (#9) now")
    found = with_sources(tuple(map(progress, said)), {3, 4})
    assert [line.text for line in found] == ["It is oak (#3).", "It is fir", said[2], said[3]]
    assert unsourced(said[0]) == "It is oak."


def test_a_statement_belongs_to_no_request_unless_that_is_said() -> None:
    assert "On request" not in render((progress("It is oak."),))
