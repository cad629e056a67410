"""Units in a line each."""

import pytest

from octochat.context.notes.overview import overview
from octochat.context.session.content import Text, ToolCall, ToolResult
from octochat.context.session.ran import Ran
from octochat.context.session.view import Prompt, ShownResult, Step


def test_what_a_command_printed_is_not_said_by_the_person() -> None:
    ran = Text(Ran("ls", "exit 0 in 0.1 s", "a.py").text())
    prompt = Prompt(3, (ran, Text("What is a.py?")), 9)
    assert overview((prompt,), 60, 100, len) == "#3 person | What is a.py?"


def test_an_argument_that_is_no_text_is_shown_as_it_is_written_and_no_answer_is_a_failure() -> None:
    step = Step(4, (ToolCall("c", "find", {"names": ["Zoë"]}),), 9)
    assert overview((step,), 60, 100, len) == '#4 agent | find ["Zoë"] (failed)'


@pytest.mark.parametrize(("length", "shown"), [(60, 60), (61, len("x" * 59))])
def test_an_argument_of_more_than_60_characters_is_cut(length: int, shown: int) -> None:
    step = Step(4, (ToolCall("c", "find", {"name": "x" * length}),), 9)
    line = overview((step,), 60, 999, len)
    assert ("[…]" in line) == (length > 60)
    assert len(line) <= len("#4 agent | find  (failed)") + 60


def test_where_units_are_too_many_the_oldest_steps_go() -> None:
    done = ShownResult(ToolResult("c", (Text("ok"),)), 9)
    call = ToolCall("c", "ls", {})
    first, second = (Step(n, (Text(f"step {n}"), call), 9, (done,)) for n in (2, 3))
    units = (Prompt(1, (Text("Look."),), 9), first, second, Prompt(4, (Text("Go on."),), 9))
    lines = ["#1 person | Look.", "#3 agent | step 3 | ls", "#4 person | Go on."]
    assert overview(units, 60, len("\n".join(lines)), len).splitlines() == lines
    assert len(overview(units, 60, 999, len).splitlines()) == 4
