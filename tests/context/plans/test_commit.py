"""What a plan must free to be carried out, and what it says where it would not."""

import pytest

from octochat.context.plans.commit import Refused, commit
from octochat.context.session.content import Image, Text
from octochat.context.session.edits import Fold, Plan, PromptTrim, ResultTrim
from octochat.context.session.events import Condensed, Event, Prompted, Returned
from tests.build import Story, exchanges


def outcome(story: Story, plan: Plan, size: int) -> Condensed | Refused:
    """What comes of a plan whose note, or shortened text, has so many tokens."""
    return commit(story.state, plan, lambda _: size, by="test", margin=0)


def tenth(note: int, least: float = 0.0) -> Condensed | Refused:
    """What comes of a fold of 1,000 tokens in a context of 10,000."""
    fold = Fold(2, 3, (Text("note"),))
    return outcome(exchanges(9, 1_000), Plan("test", fold, least=least), note)


@pytest.mark.parametrize(
    ("note", "why"),
    [
        (1_020, "it would not make the context smaller (20 tokens more)"),
        (1_000, "it would not make the context smaller (0 tokens more)"),
        (999, "it would free only 1 tokens, under a tenth of what it would replace"),
        (901, "it would free only 99 tokens, under a tenth of what it would replace"),
    ],
)
def test_a_note_that_is_hardly_shorter_than_what_it_replaces_is_refused(
    note: int, why: str
) -> None:
    assert tenth(note) == Refused(why)


def test_a_note_that_saves_a_tenth_of_what_it_replaces_is_taken() -> None:
    event = tenth(900)
    assert isinstance(event, Condensed)
    assert (event.before, event.after) == (10_000, 9_900)


def test_a_plan_that_asks_for_more_must_free_as_much_of_the_context() -> None:
    assert isinstance(tenth(500, least=0.05), Condensed)
    why = "it would free only 5% of the context (5% is needed)"
    assert tenth(501, least=0.05) == Refused(why)


@pytest.mark.parametrize(("size", "taken"), [(999, True), (1_000, False)])
def test_a_result_is_shortened_only_if_that_makes_it_smaller(size: int, taken: bool) -> None:
    story = Story().say().call(1_000).reply()
    plan = Plan("test", trims=(ResultTrim("c2", "short"),))
    assert isinstance(outcome(story, plan, size), Condensed) is taken


@pytest.mark.parametrize("trim", [ResultTrim("other", ""), PromptTrim(99, "")])
def test_what_is_not_there_is_not_shortened(trim: ResultTrim | PromptTrim) -> None:
    refused = outcome(exchanges(2, 1_000), Plan("test", trims=(trim,)), 0)
    assert refused == Refused("nothing that it would change may be changed")


@pytest.mark.parametrize(("bare", "size"), [(False, 105), (True, 5)])
def test_a_shortened_prompt_weighs_what_is_left_of_it_with_its_pictures(
    bare: bool, size: int
) -> None:
    def weigh(event: Event) -> int:
        assert isinstance(event, Prompted)
        return sum(len(b.text) if isinstance(b, Text) else 100 for b in event.blocks)

    story = Story().add(600, Prompted((Text("w" * 500), Image("image/png", "x")))).reply()
    plan = Plan("test", trims=(PromptTrim(2, "short", bare=bare),))
    event = commit(story.state, plan, weigh, by="test", margin=0)
    assert isinstance(event, Condensed)
    assert [trim.size for trim in event.trims] == [size]


def test_what_a_trim_saves_in_a_fold_counts_once() -> None:
    story = Story().say().call(1_000).reply()
    fold, trim = Fold(2, 3, (Text("note"),)), ResultTrim("c2", "short")

    def weigh(event: Event) -> int:
        return 300 if isinstance(event, Returned) else 150

    event = commit(story.state, Plan("test", fold, (trim,)), weigh, by="test", margin=0)
    assert isinstance(event, Condensed)
    before = story.state.context
    story.condensed(event, note=150)
    assert before - story.state.view.size == event.before - event.after
