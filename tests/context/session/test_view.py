"""The view itself: what folds, sizes and hashes do to its units."""

from dataclasses import replace

import pytest

from octochat.context.session.asides import ToolLoaded
from octochat.context.session.content import Image, Text, Thinking, ToolCall, ToolResult
from octochat.context.session.edits import Fold, PromptTrim, ResultTrim
from octochat.context.session.tool_definition import ToolDefinition
from octochat.context.session.units import INTERRUPTED, Note, Prompt, ShownResult, Step, Unit
from octochat.context.session.view import View

NOTE = (Text("note"),)
PICTURE = Image("image/png", "aGk=")
DIGESTS = ("553fc9cbc4305483e03eeee8ba3d8f42", "e18672fb8561e0f8e251b750fc266fc7")


def said(unit: int, text: str = "go on") -> Prompt:
    return Prompt(unit, (Text(text),), 100)


def called(unit: int, *results: str, calls: int = 2) -> Step:
    blocks = tuple(ToolCall(f"c{unit}.{n}", "read") for n in range(calls))
    shown = tuple(
        ShownResult(ToolResult(block.id, (Text(text),)), 30)
        for block, text in zip(blocks, results, strict=False)
    )
    return Step(unit, blocks, 20, shown, "tool_use")


def skill(unit: int) -> Note:
    return Note(unit, (Text("row"),), 10, "skill", skill="boats")


def effort(unit: int, setting: str) -> Note:
    return Note(unit, (), 5, "effort", setting=setting)


def offer(unit: int, description: str) -> Note:
    tool = ToolDefinition("find", description, {})
    return Note(unit, (), 5, "tool", tool=ToolLoaded(tool, "web", "find"))


def view(*units: Unit) -> View:
    return View("system", (), 1_000, units)


def order(*units: Unit, fold: tuple[int, int], keep: tuple[int, ...], answering: int) -> list[int]:
    made = view(*units).folded(Fold(*fold, NOTE, keep), 99, 7, answering)
    return [unit.id for unit in made.units]


def test_behind_a_note_come_what_is_kept_and_then_the_prompt_being_answered() -> None:
    units = (said(1), skill(2), said(3), called(4, "a", "b"), said(5))
    assert order(*units, fold=(1, 4), keep=(1, 2), answering=1) == [99, 2, 1, 5]
    assert order(*units, fold=(1, 4), keep=(2, 3), answering=3) == [99, 2, 3, 5]
    assert order(*units, fold=(1, 4), keep=(2,), answering=5) == [99, 2, 5]


def test_what_is_kept_behind_the_last_folded_unit_came_after_the_prompt_and_stays_there() -> None:
    units = (said(1), called(2, "a", "b"), skill(3), called(4, "c", "d"))
    assert order(*units, fold=(1, 4), keep=(1, 3, 4), answering=1) == [99, 1, 3, 4]
    stale = (said(1), called(2, "a", "b"), called(3, "c", "d"), skill(4))
    assert order(*stale, fold=(1, 4), keep=(1, 3), answering=1) == [99, 1, 3]


def test_a_note_stands_for_all_that_went_and_for_what_that_stood_for() -> None:
    earlier = Note(1, NOTE, 50, covers=(11, 12), replaced=4_000)
    made = view(earlier, said(2), said(3), called(4)).folded(Fold(1, 3, NOTE, (2,)), 99, 7, None)
    note = made.units[0]
    assert isinstance(note, Note)
    assert (note.covers, note.replaced, note.size) == ((3, 11, 12), 4_100, 7)


@pytest.mark.parametrize(("first", "last"), [(3, 2), (3, 1), (1, 9), (9, 3)])
def test_a_run_that_is_none_is_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match=r"run of units|not in"):
        view(said(1), said(2), said(3)).split(first, last)


def test_what_stands_before_and_behind_a_run_is_told() -> None:
    units = said(1), said(2), said(3)
    assert view(*units).split(2, 2) == (units[:1], units[1:2], units[2:])
    assert view(*units).split(1, 3) == ((), units, ())


def test_only_the_results_that_are_meant_are_shortened() -> None:
    units = said(1), called(2, "long", "other"), called(3, "third")
    _, step, same = view(*units).trimmed([ResultTrim("c2.0", "cut", 4)]).units
    assert isinstance(step, Step)
    assert [(a.result.content, a.size, a.trimmed) for a in step.answers] == [
        ((Text("cut"),), 4, True),
        ((Text("other"),), 30, False),
    ]
    assert same is units[2]


@pytest.mark.parametrize(("bare", "others"), [(False, (PICTURE,)), (True, ())])
def test_a_prompt_that_is_shortened_keeps_its_pictures_unless_they_go_too(
    bare: bool, others: tuple[Image, ...]
) -> None:
    asked = Prompt(1, (Text("look"), PICTURE, Text("again")), 900)
    cut, same = view(asked, said(2)).trimmed([PromptTrim(1, "look", 9, bare=bare)]).units
    assert isinstance(cut, Prompt)
    assert (cut.blocks, cut.size) == ((Text("look"), *others), 9)
    assert same == said(2)


def test_a_call_that_was_never_answered_has_failed() -> None:
    _, missing = called(2, "a").results
    assert missing == ToolResult("c2.1", INTERRUPTED, failed=True)
    assert called(2, "a").waiting == {"c2.1"}


def test_another_model_weighs_a_note_and_what_it_stands_for() -> None:
    (note,) = view(Note(1, NOTE, 5, covers=(2,), replaced=101)).scaled(1.5).units
    assert isinstance(note, Note)
    assert (note.size, note.replaced) == (8, 152)


def test_an_effort_changes_the_digest_though_it_has_no_words() -> None:
    low, high = view(effort(1, "low")), view(effort(1, "high"))
    assert low.digest != high.digest
    mode = Note(1, (Text("plan only"),), 5, "mode", setting="plan")
    assert view(mode).digest == view(replace(mode, setting="other")).digest


def test_so_does_a_tool_that_is_offered() -> None:
    assert view(offer(1, "Finds.")).digest != view(offer(1, "Finds all.")).digest


def test_a_digest_is_the_one_that_earlier_logs_have() -> None:
    """Else the thinking of every session that was begun before would be left out."""
    assert view().digest == DIGESTS[0]
    assert view(said(1), Step(2, NOTE, 5), skill(3)).digest == DIGESTS[1]


def test_a_view_begins_with_what_was_sent_if_nothing_of_that_has_changed() -> None:
    sent = view(said(1), called(2, "a", "b"))
    assert sent.add(said(3)).begins_with(sent)
    assert not view(said(1)).begins_with(sent)
    assert not view(said(1, "other"), called(2, "a", "b"), said(3)).begins_with(sent)
    assert not replace(sent, system="other").begins_with(sent)
    assert not sent.begins_with(view())


@pytest.mark.parametrize(
    ("units", "owed", "mid_turn"),
    [
        ((), False, False),
        ((said(1),), True, False),
        ((said(1), Step(2, (Text("yes"),), 5)), False, False),
        ((said(1), called(2, "a", "b")), True, True),
        ((said(1), called(2, "a", "b"), effort(3, "low")), True, True),
        ((said(1), called(2, "a", "b"), skill(3)), True, False),
        ((skill(1),), False, False),
    ],
)
def test_an_answer_is_owed_to_a_prompt_and_to_results(
    units: tuple[Unit, ...], owed: bool, mid_turn: bool
) -> None:
    assert (view(*units).unfinished, view(*units).mid_turn) == (owed, mid_turn)


def test_the_system_sets_an_effort_only_where_the_model_knows_that() -> None:
    thought = Step(3, (Thinking("hm", "s"), Text("yes")), 5, model="m")
    units = said(1), effort(2, "high"), thought, said(4), effort(5, "low"), offer(6, "Finds.")
    spoken = view(*units)
    told = spoken.messages("m", binds=False, efforts=True)
    assert [(message.role, message.effort) for message in told] == [
        ("user", ""),
        ("system", "high"),
        ("assistant", ""),
        ("user", ""),
        ("system", "low"),
    ]
    plain = spoken.messages("m", binds=False)
    assert [message.role for message in plain] == ["user", "assistant", "user"]
    assert "Finds." in str(plain[-1])
    assert view().messages("m", binds=False) == ()
