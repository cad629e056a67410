"""What no fold may take, and what every fold takes along."""

import pytest

from octochat.context.plans.commit import commit
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, Plan
from octochat.context.session.events import Condensed, Replied, SkillForgotten, SkillLoaded, Usage
from octochat.context.session.view import Note, Step
from tests.build import Story, exchanges


def test_a_result_is_unseen_until_the_model_has_said_something() -> None:
    story = Story().say().call(5_000)
    step = story.state.view.units[-1].id
    assert step in story.state.protected
    story.add(0, Replied((), "interrupted", model="m")).say()
    assert isinstance(story.state.view.units[-2], Step)
    assert step in story.state.protected
    story.reply()
    assert step not in story.state.protected


def test_a_reply_that_called_no_tool_is_free() -> None:
    story = Story().say()
    assert story.state.protected == {story.state.view.units[0].id}
    assert story.reply().state.protected == frozenset()


def test_an_answer_stopped_after_its_first_word_has_seen_the_result() -> None:
    story = Story().say().call(5_000)
    step = story.state.view.units[-1].id
    story.add(1, Replied((Text("I"),), "interrupted", model="m")).say()
    assert step not in story.state.protected


def test_a_fold_takes_forgotten_skills_along_before_it_and_behind_it() -> None:
    story = exchanges(1, 100).add(50, SkillLoaded("old", "row"))
    exchanges(4, 1_000, story).add(50, SkillLoaded("later", "sail"))
    story.add(0, SkillForgotten("old")).add(0, SkillForgotten("later"))
    units = story.state.view.units
    fold = Fold(units[4].id, units[6].id, (Text("note"),))
    event = commit(story.state, Plan("test", fold), lambda _: 10, by="test", margin=0)
    assert isinstance(event, Condensed)
    after = story.condensed(event, 10).state.view.units
    assert [unit.kind for unit in after if isinstance(unit, Note)] == ["summary"]
    assert {unit.id for unit in units} - {unit.id for unit in after} == {
        units[2].id,
        *(unit.id for unit in units[4:7]),
        units[-1].id,
    }


@pytest.mark.parametrize("billed", [5_500, 11_000, 22_000])
def test_what_a_fold_frees_is_counted_as_the_api_bills_the_view(billed: int) -> None:
    story = exchanges(9, 1_000).say(500).reply(500, Usage(fresh=billed - 500, output=500))
    units = story.state.view.units
    fold = Fold(units[0].id, units[15].id, (Text("note"),))
    event = commit(story.state, Plan("test", fold), lambda _: 1_000, by="test", margin=70)
    assert isinstance(event, Condensed)
    assert (event.before, event.after) == (billed + 70, billed * 4 // 11 + 70)
    assert story.condensed(event, 1_000).state.context == billed * 4 // 11
