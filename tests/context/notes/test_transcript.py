"""How long a transcript will be, before it is written."""

import pytest

from octochat.context.notes.transcript import transcript, transcript_size
from octochat.context.session.content import Text, ToolCall, ToolResult
from octochat.context.session.view import ShownResult, Step
from tests.build import Story


def test_what_was_said_counts_in_full_and_each_result_up_to_a_thousand_tokens() -> None:
    story = Story().say(3_000).call(5_000, size=2_000).call(1_000, size=50).call(10).reply(70)
    sizes = [transcript_size((unit,)) for unit in story.state.view.units]
    assert sizes == [3_000, 3_000, 1_050, 60, 70]
    assert transcript_size(story.state.view.units) == sum(sizes)


def test_units_of_no_known_worth_go_before_those_of_little() -> None:
    story = Story().say(text="first").reply(text="second").say(text="third")
    units = story.state.view.units
    room = len("[person, #2]\nfirst\n\n[left out]")
    kept = transcript(units, room, len, {units[0].id: 0.5})
    assert kept == "[person, #2]\nfirst\n\n[left out]"


@pytest.mark.parametrize(("length", "whole"), [(600, True), (601, False)])
def test_an_argument_of_a_call_is_shown_up_to_600_characters(length: int, whole: bool) -> None:
    for path in ("x" * length, "x" * (length // 2) + "y" * (length - length // 2)):
        units = Story().call(10, path=path).state.view.units
        assert (f'"{path}"' in transcript(units, 9_999, len)) == whole


@pytest.mark.parametrize(("length", "whole"), [(3_500, True), (3_501, False)])
def test_a_result_is_shown_up_to_3500_characters(length: int, whole: bool) -> None:
    said = "x" * length
    step = Step(4, (ToolCall("c", "ls", {}),), 9, (ShownResult(ToolResult("c", (Text(said),)), 9),))
    assert (said in transcript((step,), 9_999, len)) == whole
