"""What the API says of the work that an answer was, as tokens and as words."""

from octochat.context.session.events import Usage
from octochat.models.claude.usage import billed, missed


def test_cache_writes_are_told_apart_by_their_lifetime() -> None:
    usage = {
        "input_tokens": 1,
        "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 7,
        "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4},
        "output_tokens": 5,
    }
    assert billed(usage) == Usage(1, 2, 3, 4, 5)


def test_without_a_breakdown_cache_writes_live_as_long_as_was_asked_for() -> None:
    usage = {"input_tokens": 1, "cache_creation_input_tokens": 7}
    assert billed(usage, "1h") == Usage(fresh=1, cache_write_1h=7)
    assert billed(usage, "5m") == Usage(fresh=1, cache_write=7)


def test_what_a_compaction_took_is_billed_too() -> None:
    spent = {"type": "compaction", "input_tokens": 100, "output_tokens": 10}
    usage = {"input_tokens": 1, "output_tokens": 2, "iterations": [spent, {"type": "message"}]}
    assert billed(usage) == Usage(fresh=101, output=12)


MISSED = (
    "The prompt cache missed 41.0k tokens that were sent just before, so you pay for them in full. "
    "The API says why: the system prompt changed."
)


def test_a_miss_of_the_cache_says_how_much_of_what_was_sent_before_and_why() -> None:
    reason = {"type": "system_changed", "cache_missed_input_tokens": 41_000}
    assert missed(reason) == MISSED


def test_counts_that_a_server_leaves_out_or_does_not_know_are_none() -> None:
    assert billed({}) == billed({"input_tokens": None, "cache_creation": None}) == Usage()
    assert billed({"cache_creation_input_tokens": 7, "cache_creation": {}}) == Usage(cache_write=7)


def test_a_compaction_writes_to_the_cache_for_as_long_as_was_asked_for() -> None:
    spent = {"type": "compaction", "cache_creation_input_tokens": 7}
    assert billed({"iterations": [spent]}, "1h") == Usage(cache_write_1h=7)
