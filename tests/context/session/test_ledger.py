"""What counts as a call of the model."""

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, ModelChanged, Replied, Reverted, Usage
from tests.build import Story


def test_what_was_stopped_before_the_api_took_it_was_no_call_and_warms_no_cache() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10))
    before = story.state.ledger
    story.now += 1_000
    story.say().add(0, Replied((), "interrupted", model="m"))
    assert story.state.ledger == before
    assert not story.situation().warm
    assert story.situation().cached == 0


def test_what_was_stopped_after_it_was_a_call() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10))
    story.now += 1_000
    story.say().add(1, Replied((Text("I"),), "interrupted", Usage(cache_write=1_100), "m"))
    assert story.state.ledger.calls == 2
    assert story.situation().warm


def test_what_is_restored_is_not_in_the_cache_the_beginning_is() -> None:
    story = Story().say(5_000).reply(usage=Usage(cache_write=6_000, output=100))
    fold = Condensed("compact", "so", 6_100, 1_400, Fold(2, 3, (Text("note"),)))
    story.condensed(fold).say().reply(usage=Usage(cache_write=1_500, output=100))
    story.add(0, Reverted(4, None, after=6_300, watermark=6_300)).say()
    assert story.situation().cached == 1_000
    story.reply(usage=Usage(cache_write=6_400, output=100)).say()
    assert story.situation().cached > 6_000


def test_another_model_has_nothing_in_its_cache() -> None:
    story = Story().say().reply(usage=Usage(cache_write=1_000, output=10)).say()
    assert story.situation().cached > 900
    story.add(0, ModelChanged("other"))
    assert story.situation().cached == 0
    story.reply(usage=Usage(cache_write=1_100, output=10)).say()
    assert story.situation().cached > 900
