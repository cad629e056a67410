"""How long a transcript will be, before it is written."""

from octochat.context.notes.transcript import transcript_size
from tests.build import Story


def test_what_was_said_counts_in_full_and_each_result_up_to_a_thousand_tokens() -> None:
    story = Story().say(3_000).call(5_000, size=2_000).call(1_000, size=50).call(10).reply(70)
    sizes = [transcript_size((unit,)) for unit in story.state.view.units]
    assert sizes == [3_000, 3_000, 1_050, 60, 70]
    assert transcript_size(story.state.view.units) == sum(sizes)
