"""Units in a line each."""

from octochat.context.notes.overview import overview
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.ran import Ran
from octochat.context.session.view import Prompt, Step


def test_what_a_command_printed_is_not_said_by_the_person() -> None:
    ran = Text(Ran("ls", "exit 0 in 0.1 s", "a.py").text())
    prompt = Prompt(3, (ran, Text("What is a.py?")), 9)
    assert overview((prompt,), 60, 100, len) == "#3 person | What is a.py?"


def test_an_argument_that_is_no_text_is_shown_as_it_is_written_and_no_answer_is_a_failure() -> None:
    step = Step(4, (ToolCall("c", "find", {"names": ["Zoë"]}),), 9)
    assert overview((step,), 60, 100, len) == '#4 agent | find ["Zoë"] (failed)'
