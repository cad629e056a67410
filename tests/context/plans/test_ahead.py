"""Whether a note that was written ahead serves the plan that is carried out."""

from dataclasses import replace

import pytest

from octochat.context.plans.ahead import reusable
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import Pinned
from tests.build import Story, exchanges, ids


def used(story: Story, written: int, **changes: object) -> NoteRequest | None:
    """The note on the first so many units, for a plan that takes the first ten."""
    units = list(ids(story))
    plan = NoteRequest(units[0], units[9], 2_000)
    request = replace(plan, last=units[written - 1], **changes)  # pyright: ignore[reportArgumentType]
    return reusable(story.state, request, units[:written], plan)


@pytest.mark.parametrize(("written", "serves"), [(6, False), (7, True), (10, True)])
def test_it_must_stand_for_seven_tenths_of_what_would_go(written: int, serves: bool) -> None:
    assert (used(exchanges(8, 1_000), written) is not None) is serves


def test_a_note_of_another_style_is_of_no_use() -> None:
    assert used(exchanges(8, 1_000), 10, style="outcome") is None


def test_what_was_pinned_since_is_not_folded() -> None:
    story = exchanges(8, 1_000)
    story.add(0, Pinned(list(ids(story))[3]))
    assert used(story, 10) is None
