"""A note is held against the summary that the recorded agent wrote at the same place."""

import json

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Opened, Prompted, Replied
from octochat.replay.agent_summaries import SummaryComparison, compare_summaries
from octochat.replay.rare_words import ShownCount
from octochat.replay.recording import Moment, ParsedRecording, ReadError, Recording, recorded
from octochat.replay.weights import weigh

NOBODY = frozenset[str]()


def recording(*said: str) -> Recording:
    moments = tuple(
        Moment((Replied if n % 2 else Prompted)((Text(text),)), message=n)
        for n, text in enumerate(said)
    )
    return recorded(ParsedRecording("talk", Opened("", ""), moments), weigh, 0.0)


TALK = recording(
    "Look for the walrus in src/deep/tree.py and for AB12.",
    "Found the oyster.",
    "go on",
    "The walrus and the oyster stand in src/deep/tree.py, AB12 does not.",
)


def written(*summaries: tuple[int, str]) -> bytes:
    return json.dumps([{"before_message_index": n, "summary": s} for n, s in summaries]).encode()


def test_what_comes_again_counts_where_the_summary_has_it() -> None:
    text = "Somebody wants a Walrus; they know src/deep/tree.py. " + "Nothing else matters. " * 9
    made = compare_summaries(written((2, text)), TALK, NOBODY)
    assert made.their_words == ShownCount(2, 1)
    assert made.their_names == ShownCount(2, 1)
    assert made.summaries == 1
    assert made.words.count == 2
    assert made.names == ShownCount(2, 2)


def test_what_their_text_adds_to_a_note_is_counted() -> None:
    made = compare_summaries(written((2, "- A walrus, and an oyster. " * 9)), TALK, NOBODY)
    assert made.joined_words == ShownCount(2, 2)
    assert made.joined_names.count == made.longer_names.count == 2


def test_common_words_do_not_count() -> None:
    assert (
        compare_summaries(written((2, "x")), TALK, frozenset({"walrus", "oyster"})).words.count == 0
    )


def test_what_is_said_anew_before_it_is_needed_does_not_count() -> None:
    again = recording("a walrus", "ok", "the walrus again", "walrus")
    assert compare_summaries(written((2, "x")), again, NOBODY).words.count == 0


def test_each_summary_is_judged_up_to_the_next_one() -> None:
    made = compare_summaries(written((1, "walrus"), (3, "walrus AB12")), TALK, NOBODY)
    assert made.summaries == 2
    assert made.their_words == ShownCount(2, 1)


def test_nothing_beside_is_nothing_compared() -> None:
    assert compare_summaries(None, TALK, NOBODY) == SummaryComparison()
    assert compare_summaries(written((0, "first")), TALK, NOBODY) == SummaryComparison()


def test_what_is_no_list_of_summaries_is_refused() -> None:
    with pytest.raises(ReadError, match="summaries are left out"):
        compare_summaries(b"{", TALK, NOBODY)
