"""From which size growth is measured, and for whom: docs/compression.md#cooldown."""

import pytest

from octochat.context.session.content import Text
from octochat.context.session.cooldown import marks_after, streak_after
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Trigger
from octochat.context.session.watermarks import Watermark, Watermarks

HOLD, RESTORED = Watermark(10_000, "hold"), Watermark(10_000, "restore")
COMPRESSED = Watermark(5_000, "compression")


def event(
    trigger: Trigger = "auto", level: int | None = None, writer: str = "m", by: str = "pressure"
) -> Condensed:
    fold = Fold(2, 3, (Text("note"),))
    return Condensed(by, "so", 9_000, 5_000, fold, trigger=trigger, level=level, writer=writer)


def test_a_strategys_own_compression_ends_what_held_for_all_and_a_hold_does_not() -> None:
    held = Watermarks(RESTORED).marked("pressure", HOLD)
    assert (held.of("pressure"), held.of("fifo")) == (HOLD, RESTORED)
    made = held.marked("pressure", COMPRESSED)
    assert (made.of("pressure"), made.of("fifo")) == (COMPRESSED, None)


def test_a_tenth_must_have_grown_since_a_hold_or_a_restore() -> None:
    held, restored = Watermarks(own=(("pressure", HOLD),)), Watermarks(RESTORED)
    for size, waits in ((10_999, True), (11_000, False)):
        assert held.stalled("pressure", size) is waits
        assert restored.restored(size) is waits
    assert not held.stalled("fifo", 1)
    assert not held.restored(1)
    assert not restored.stalled("pressure", 1)


def test_when_the_person_speaks_only_those_after_a_compression_go() -> None:
    marks = Watermarks(COMPRESSED, (("fifo", HOLD), ("pressure", COMPRESSED)))
    assert marks.after_prompt == Watermarks(None, (("fifo", HOLD),))
    assert Watermarks(RESTORED).after_prompt == Watermarks(RESTORED)


@pytest.mark.parametrize(
    ("made", "marks"),
    [
        (event(level=0), Watermarks(None, (("fifo", HOLD), ("pressure", COMPRESSED)))),
        (event(), Watermarks(RESTORED, (("fifo", HOLD),))),
        (event("compact"), Watermarks(COMPRESSED)),
        (event("overflow"), Watermarks(COMPRESSED)),
        (event("overflow", writer="", by="ladder"), None),
        (event("done"), Watermarks()),
    ],
    ids=["at a level", "without one", "by hand", "to make it fit", "without a note", "done"],
)
def test_growth_is_measured_from_what_a_compression_left(
    made: Condensed, marks: Watermarks | None
) -> None:
    before = Watermarks(RESTORED, (("fifo", HOLD), ("pressure", HOLD)))
    assert marks_after(before, made) == (before if marks is None else marks)


@pytest.mark.parametrize(
    ("made", "streak"),
    [
        (event(level=0), 3),
        (event(), 2),
        (event("compact"), 2),
        (event("overflow"), 3),
        (event("overflow", writer=""), 2),
        (event("done", level=0), 0),
    ],
)
def test_compressions_at_a_level_and_those_that_had_to_be_count(
    made: Condensed, streak: int
) -> None:
    assert streak_after(2, made) == streak


def test_another_model_counts_every_one_in_its_own_tokens() -> None:
    marks = Watermarks(RESTORED, (("fifo", Watermark(5, "hold")),)).scaled(1.5)
    assert marks == Watermarks(Watermark(15_000, "restore"), (("fifo", Watermark(8, "hold")),))
    assert Watermarks().scaled(1.5) == Watermarks()
