"""Thinking goes back only behind what it was written behind."""

from octochat.context.session.content import Opaque, Text, Thinking
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Replied, Reverted
from octochat.context.session.view import View
from tests.build import Story

SIGNED = (Opaque({"type": "compaction", "content": "words", "signature": "s"}),)


def thought(story: Story, name: str) -> Story:
    """A reply with a thought, bound to the request that the log makes here."""
    digest = story.say().state.view.digest
    return story.add(100, Replied((Thinking("hm", name), Text("well")), model="m", digest=digest))


def sent(view: View) -> list[str]:
    messages = view.messages("m", binds=True)
    return [b.signature for m in messages for b in m.blocks if isinstance(b, Thinking)]


def condensed(story: Story) -> Story:
    units = story.state.view.units
    fold = Fold(units[0].id, units[-1].id, SIGNED)
    return story.condensed(Condensed("server_compact", "", 1_000, 500, fold))


def test_thinking_behind_a_signed_compaction_stays_valid() -> None:
    story = thought(condensed(thought(Story(), "before")), "behind")
    assert sent(story.state.view) == ["behind"]


def test_a_signed_compaction_goes_back_as_it_came_where_it_is_known() -> None:
    view = condensed(thought(Story(), "before")).state.view
    (known,), (told,) = (view.messages("m", binds=True, compacts=each) for each in (True, False))
    assert known.blocks == SIGNED
    assert [type(block) for block in told.blocks] == [Text]


def test_thinking_behind_a_compaction_that_is_taken_back_is_left_out() -> None:
    story = thought(condensed(thought(Story(), "before")), "behind")
    taken = next(e.id for e in story.entries if isinstance(e.event, Condensed))
    story.add(0, Reverted(taken, None, after=1_000))
    assert sent(story.state.view) == ["before"]
    thought(story, "after")
    assert sent(story.state.view) == ["before", "after"]
