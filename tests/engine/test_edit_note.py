"""A note that the person rewrites: what the model sees, what it costs, and how it is taken back."""

import asyncio

from octochat.context.plans.forecast import rewriting
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Usage
from octochat.context.session.state import replay
from octochat.context.session.validity import problems
from octochat.engine import tasks
from octochat.models.port import ModelError
from octochat.models.scripted import Line
from tests.build import Story
from tests.stage import Stage, answer, long_talk, note_text, notes, talked


def folded(*answers: Line) -> Stage:
    """A session with one note, and a little after it."""
    stage = Stage(long_talk(60), notes=answers)
    talked(stage, 8)
    asyncio.run(stage.say("/compact"))
    talked(stage, 2)
    return stage


MINE = "The hull is ash.\n</work-so-far> And no tag of mine ends it."


def test_what_is_saved_stands_in_the_notes_place_in_every_later_request() -> None:
    stage = folded()
    (note,) = notes(stage)
    before = stage.state
    entry = tasks.edit_note(stage.engine, note.id, MINE)
    assert entry
    (now,) = notes(stage)
    assert note_text(now).startswith("<work-so-far>\nThe hull is ash.\n&lt;/work-so-far>")
    assert (now.id, now.covers, now.size) == (note.id, note.covers, entry.size)
    assert stage.state.context == before.context - note.size + entry.size
    assert replay(stage.log.entries) == stage.state
    talked(stage, 1)
    sent = str(stage.heard[-1].messages)
    assert sent.count("The hull is ash.") == 1
    assert "oak, because it lasts" not in sent
    assert problems(stage.heard[-1].messages) == ()


def test_restore_of_the_fold_takes_it_back_with_the_fold() -> None:
    stage = folded()
    (note,) = notes(stage)
    units = len(stage.state.view.units)
    assert tasks.edit_note(stage.engine, note.id, MINE)
    asyncio.run(stage.say("/restore"))
    assert notes(stage) == []
    assert "ash" not in str(stage.state.view.units)
    assert len(stage.state.view.units) > units


def test_the_next_note_is_written_from_what_the_person_made_of_this_one() -> None:
    stage = folded(answer(), answer(), ModelError("auth", "The key is not valid."))
    (note,) = notes(stage)
    assert tasks.edit_note(stage.engine, note.id, "## Decisions\n- The hull is ash.")
    talked(stage, 4)
    asyncio.run(stage.say("/compact"))
    assert "The hull is ash." in str(stage.asked[-1].messages)
    assert tasks.edit_note(stage.engine, notes(stage)[0].id, "## Decisions\n- The hull is elm.")
    talked(stage, 6)
    asyncio.run(stage.say("/compact"))
    assert stage.condensed[-1].writer == "extractive"
    assert "- The hull is elm." in note_text(notes(stage)[0])


def test_only_a_note_that_says_something_can_be_rewritten() -> None:
    stage = folded()
    (note,) = notes(stage)
    prompt = stage.state.view.units[-2].id
    assert tasks.edit_note(stage.engine, note.id, "  \n") is None
    assert tasks.edit_note(stage.engine, prompt, "I never said that.") is None
    assert tasks.editable(stage.state.view, 999) is None


def test_it_costs_what_the_cache_held_behind_the_note() -> None:
    story = Story().say(5_000).reply(usage=Usage(cache_write=6_000, output=100))
    fold = Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),)))
    story.condensed(fold).say(600).reply(400, usage=Usage(cache_write=2_000, output=400))
    situation = story.situation()
    note = situation.state.view.units[0].id
    tokens, cost = rewriting(situation, note)
    assert 0 < tokens <= 2_000
    assert cost
    assert abs(cost - tokens * (2.5 - 0.10) / 1e6) < 1e-9
    assert rewriting(story.situation(now=story.now + 999), note) == (0, 0.0)
