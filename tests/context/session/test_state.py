"""What the state is after each kind of event."""

import pytest

from octochat.context.session.asides import Instructed, Recalled, Reminded
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import (
    Event,
    Held,
    ModelChanged,
    Replied,
    Returned,
    SkillForgotten,
    SkillLoaded,
    ToolsChanged,
    Usage,
)
from octochat.context.session.steering import EffortChanged, ModeChanged
from tests.build import Story


@pytest.mark.parametrize(
    "events",
    [
        (Replied((Text("so"),), model="m"),),
        (
            Replied((ToolCall("a", "read"),), "tool_use", model="m"),
            Returned("a", (Text("wood"),)),
        ),
        (Recalled("you said oak"),),
        (Instructed("AGENTS.md", "be kind"),),
        (SkillLoaded("boats", "row"), Reminded("row", "boats")),
        (ModeChanged("plan", "plan only"),),
        (EffortChanged("high"),),
        (ToolsChanged((), "another"),),
    ],
    ids=lambda events: type(events[-1]).__name__,
)
def test_the_context_counts_all_that_came_since_the_api_said_its_size(
    events: tuple[Event, ...],
) -> None:
    story = Story().say().reply(usage=Usage(fresh=1_100, output=100))
    for event in events:
        story.add(70, event)
    assert story.state.context == story.state.view.size != 1_200


def test_a_result_that_no_call_waits_for_is_not_counted() -> None:
    story = Story().say().add(70, Returned("a", (Text("wood"),)))
    assert story.state.context == story.state.view.size == 1_100


@pytest.mark.parametrize(("stop", "counted"), [("end_turn", 1), ("interrupted", 50)])
def test_of_an_answer_that_was_cut_short_what_came_counts(stop: str, counted: int) -> None:
    usage = Usage(fresh=1_100, output=1)
    event = Replied((Text("so"),), stop, usage, "m")  # pyright: ignore[reportArgumentType]
    assert Story().say().add(50, event).state.context == 1_100 + counted


def test_by_another_model_every_size_is_as_that_one_counts() -> None:
    story = Story(head=1_001).say(101).call(1_001, size=51).held(2_001)
    scaled = story.add(0, ModelChanged("n", scale=1.5)).state
    assert scaled.model == "n"
    assert (scaled.view.head, [unit.size for unit in scaled.view.units]) == (1_502, [152, 1_579])
    assert scaled.context == 3_231
    mark = scaled.watermarks.of("pressure")
    assert mark is not None
    assert mark.size == 3_002


def test_a_skill_that_is_loaded_again_is_active_once_and_others_stay() -> None:
    story = Story().add(5, SkillLoaded("boats", "row")).add(5, SkillLoaded("nets", "mend"))
    first = story.state.skills
    story.add(5, SkillLoaded("boats", "row"))
    assert [skill.name for skill in story.state.skills] == ["nets", "boats"]
    assert story.state.skills[-1].unit > first[-1].unit
    story.add(0, SkillForgotten("nets"))
    assert [skill.name for skill in story.state.skills] == ["boats"]


def test_a_prompt_is_still_to_be_answered_whatever_stands_behind_it() -> None:
    story = Story().say().add(5, Recalled("you said oak"))
    assert story.state.unfinished
    assert Story().say().call(10).add(5, Reminded("row")).state.unfinished
    assert not story.reply().add(5, ModeChanged("plan", "plan only")).state.unfinished


def test_a_turn_goes_on_behind_results_and_the_choice_of_a_mode() -> None:
    story = Story().say().call(10)
    assert story.state.view.mid_turn
    assert story.add(5, ModeChanged("plan", "plan only")).state.view.mid_turn
    assert not story.add(5, Reminded("row")).state.view.mid_turn
    assert not story.say().state.view.mid_turn
    assert not story.reply().state.view.mid_turn


def test_a_try_that_came_to_nothing_is_remembered_only_with_a_watermark() -> None:
    before = Story().say()
    assert before.add(0, Held("pressure", "no")).state.watermarks.of("pressure") is None
