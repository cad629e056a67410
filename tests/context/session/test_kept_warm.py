"""What calls that keep the cache warm add up to."""

import pytest

from octochat.context.session.events import KeptWarm, Usage
from octochat.context.session.kept_warm import WarmthSums
from tests.build import Story

READ, WROTE = Usage(cache_read=501, cache_write=499), Usage(cache_read=500, cache_write=500)


@pytest.mark.parametrize(("usage", "missed"), [(READ, False), (WROTE, True)])
def test_the_cache_had_gone_unless_more_was_read_than_written(usage: Usage, missed: bool) -> None:
    assert KeptWarm("m", usage).missed is missed


def test_they_add_up_and_those_since_the_last_call_by_themselves() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_100, output=10))
    story.now = 250
    story.add(0, KeptWarm("m", WROTE, 0.5))
    story.now = 500
    story.add(0, KeptWarm("m", READ, 0.25)).add(0, KeptWarm("m", READ))
    used = READ + READ + WROTE
    warmth = story.state.ledger.warmth
    assert warmth == WarmthSums(3, used, 0.75, at=500, cost_since=0.75, missed=True)
    warmth = story.say().reply().state.ledger.warmth
    assert warmth == WarmthSums(3, used, 0.75, at=None, cost_since=0.0, missed=False)
    assert story.add(0, KeptWarm("m", READ, 0.25)).state.ledger.warmth.cost_since == 0.25
