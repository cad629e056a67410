"""What single lines of the log do to the state: edges that only some sessions meet."""

import pytest

from octochat.context.session.asides import Instructed, Recalled, Reminded
from octochat.context.session.content import Text, Thinking, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Held,
    NoteEdited,
    Pinned,
    Replied,
    Returned,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    ToolsChanged,
    Trigger,
    Unpinned,
    Usage,
)
from octochat.context.session.instructions import framed
from octochat.context.session.state import State, replay
from octochat.context.session.steering import EffortChanged
from octochat.context.session.view import Note
from octochat.context.session.watermarks import Watermark
from tests.build import Story

NOTE = (Text("note"),)


def folded(freed: int, note: int = 400) -> Story:
    """A session whose first exchange became a note."""
    story = Story().say(1_600).reply(usage=Usage(fresh=900, output=100)).say(50).reply(50)
    return story.condensed(Condensed("compact", "so", freed, 0, Fold(2, 3, NOTE)), note)


def test_before_its_first_line_a_session_has_nothing() -> None:
    empty = replay(())
    assert (empty.context, empty.view.size, empty.streak, empty.unfinished) == (0, 0, 0, False)
    assert empty.protected == set()


@pytest.mark.parametrize(("freed", "left"), [(300, 800), (1_099, 1), (1_100, 0), (1_101, 0)])
def test_where_lines_of_a_log_are_lost_no_context_weighs_less_than_nothing(
    freed: int, left: int
) -> None:
    assert folded(freed).state.context == left


@pytest.mark.parametrize(("size", "left"), [(500, 1_000), (100, 600), (0, 500)])
def test_a_note_that_is_edited_weighs_what_it_weighs_now(size: int, left: int) -> None:
    story = folded(200).add(size, NoteEdited(6, "short"))
    assert story.state.context == left
    note = story.state.view.units[0]
    assert (note.size, note.id) == (size, 6)


def test_an_edited_note_takes_away_no_more_than_there_is() -> None:
    story = folded(1_099, note=4_000).add(1_000, NoteEdited(6, "short"))
    assert story.state.context == 0


def test_other_notes_stay_as_they_are_when_one_is_edited() -> None:
    story = folded(200).add(70, Recalled("oak")).add(10, NoteEdited(6, "short"))
    first, *_, last = story.state.view.units
    assert isinstance(first, Note)
    assert isinstance(last, Note)
    assert (first.blocks, last.blocks) == ((Text("short"),), (Text("oak"),))


@pytest.mark.parametrize(
    ("stop", "blocks", "works"),
    [
        ("tool_use", (Thinking("hm", "s"), Text("so"), ToolCall("a", "read")), True),
        ("tool_use", (Text("so"),), False),
        ("max_tokens", (ToolCall("a", "read"),), False),
    ],
)
def test_the_model_works_on_a_prompt_while_it_calls_tools(
    stop: str, blocks: tuple[Text, ...], works: bool
) -> None:
    event = Replied(blocks, stop, model="m")  # pyright: ignore[reportArgumentType]
    assert (Story().say().add(50, event).state.answering == 2) is works


def test_a_reply_that_names_no_model_is_the_sessions() -> None:
    thought = Thinking("hm", "s")
    story = Story().say().add(50, Replied((thought, Text("so")))).say()
    story.add(50, Replied((thought, Text("so")), model="other")).say()
    _, mine, _, others, _ = story.state.view.messages("m", binds=False)
    assert (mine.blocks, others.blocks) == ((thought, Text("so")), (Text("so"),))


def test_without_a_word_of_output_the_request_is_the_context() -> None:
    event = Replied((), usage=Usage(fresh=1_100), model="m")
    assert Story().say().add(0, event).state.context == 1_100


@pytest.mark.parametrize(
    ("trigger", "all_wait"), [("auto", False), ("overflow", True), ("compact", True)]
)
def test_a_try_that_had_to_be_holds_for_all_and_a_strategys_own_for_itself(
    trigger: Trigger, all_wait: bool
) -> None:
    state = Story().add(0, Held("pressure", "no", trigger, watermark=9)).state
    assert state.watermarks.of("pressure") == Watermark(9, "hold")
    assert (state.watermarks.of("fifo") == Watermark(9, "hold")) is all_wait


def skills(state: State) -> list[tuple[str, bool]]:
    return [(skill.name, skill.reminded) for skill in state.skills]


def test_a_reminder_counts_for_the_skill_that_it_is_about_until_it_is_loaded_again() -> None:
    story = Story().add(5, SkillLoaded("boats", "row")).add(5, SkillLoaded("nets", "mend"))
    assert skills(story.state) == [("boats", False), ("nets", False)]
    story.add(5, Reminded("forget it", "boats"))
    assert skills(story.state) == [("boats", True), ("nets", False)]
    story.add(5, SkillLoaded("boats", "row"))
    assert skills(story.state) == [("nets", False), ("boats", False)]


def test_the_end_of_a_task_leaves_permanent_skills_and_owes_no_answer() -> None:
    story = Story().add(5, SkillLoaded("boats", "row", permanent=True))
    story.add(5, SkillLoaded("nets", "mend")).say()
    assert story.state.unfinished
    story.add(0, TaskEnded())
    assert skills(story.state) == [("boats", False)]
    assert not story.state.unfinished
    assert skills(story.add(0, SkillForgotten("boats")).state) == []


def test_pins_skills_and_instructions_survive_every_fold_each_by_itself() -> None:
    story = Story().say().reply().add(5, SkillLoaded("boats", "row"))
    story.add(5, Instructed("AGENTS.md", "t", "Be kind.")).add(0, Pinned(2)).add(0, Pinned(3))
    assert story.state.kept == {2, 3, 4, 5}
    assert story.add(0, Unpinned(2)).state.kept == {3, 4, 5}


def test_another_system_prompt_brings_its_instructions_and_none_leaves_them() -> None:
    story = Story().add(5, Instructed("AGENTS.md", "t", "Be kind."))
    story.add(1_000, ToolsChanged(()))
    assert [each.text for each in story.state.instructions] == ["Be kind."]
    assert story.state.view.system == "system"
    story.add(900, ToolsChanged((), framed("AGENTS.md", "Be brief.")))
    (told,) = story.state.instructions
    assert (told.text, told.opened, told.units) == ("Be brief.", True, ())
    assert (story.state.view.head, story.state.context) == (900, 905)
    assert "Be brief." in story.state.view.system


@pytest.mark.parametrize(
    ("last", "unseen"),
    [
        ((), {3}),  # the step's results, which no reply has seen
        ((Replied((), "interrupted"),), {3}),
        ((Replied((Text("I"),), "interrupted"),), set[int]()),
        ((Replied((), "end_turn"),), set[int]()),
    ],
    ids=["no reply", "stopped before its first word", "stopped later", "an empty one"],
)
def test_results_are_protected_until_a_reply_has_seen_them(
    last: tuple[Replied, ...], unseen: set[int]
) -> None:
    story = Story().say().call(100)
    for event in last:
        story.add(5, event)
    assert story.state.protected - {2} == unseen


def test_a_result_goes_to_the_step_that_waits_for_it_wherever_that_stands() -> None:
    story = Story().say().add(9, Replied((ToolCall("a", "read"),), "tool_use"))
    story.add(5, Recalled("oak")).add(5, Reminded("row")).add(70, Returned("a", NOTE))
    assert [unit.size for unit in story.state.view.units] == [100, 79, 5, 5]
    assert [unit.id for unit in story.state.view.units] == [2, 3, 4, 5]


def test_where_nothing_was_said_yet_no_call_waits_for_a_result() -> None:
    story = Story().add(70, Returned("a", NOTE))
    assert (story.state.context, story.state.view.units) == (1_000, ())


def test_what_the_model_was_told_last_of_mode_and_effort() -> None:
    story = Story()
    assert (story.state.view.told("mode"), story.state.view.told("effort")) == ("", "")
    story.add(0, EffortChanged("low", top_level=True)).add(5, Recalled("oak"))
    assert (story.state.view.told("mode"), story.state.view.told("effort")) == ("", "low")
    story.say().reply().add(5, EffortChanged("high"))
    assert (story.state.view.told("mode"), story.state.view.told("effort")) == ("", "high")
