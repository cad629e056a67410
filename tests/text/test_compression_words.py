"""A compression is told alike everywhere."""

import pytest

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold, PromptTrim, ResultTrim, Worth
from octochat.context.session.events import Condensed
from octochat.text.compression_words import bill, compressed

FOLD = Fold(2, 9, (Text("note"),))
TRIMS = (ResultTrim("a", ""), ResultTrim("b", ""), PromptTrim(3, "short", results=1))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Condensed("pressure", "over level 1", 41_000, 20_500, FOLD),
            "Compressed: 41.0k to 20.5k tokens, #2 to #9 became a note: over level 1",
        ),
        (
            Condensed("ttl_prune", "cold", 9_000, 8_000, trims=TRIMS),
            "Trimmed: 9.0k to 8.0k tokens, 1.0k saved, 3 tool results shortened: cold",
        ),
        (
            Condensed("ladder", "full", 9_000, 8_000, trims=(PromptTrim(3, "s"),)),
            "Trimmed: 9.0k to 8.0k tokens, 1.0k saved, 1 prompt shortened: full",
        ),
        (
            Condensed("pressure", "you asked", 900, 90, FOLD, trigger="compact"),
            "Compressed: 900 to 90 tokens, #2 to #9 became a note: you asked",
        ),
        (
            Condensed("ladder", "too big", 900, 90, FOLD, trigger="overflow"),
            "Made to fit: 900 to 90 tokens, #2 to #9 became a note: too big",
        ),
    ],
)
def test_it_says_what_was_done_to_what_and_why(event: Condensed, words: str) -> None:
    assert compressed(event) == words


@pytest.mark.parametrize(
    ("worth", "cost", "words"),
    [
        (None, 0.0, "pressure"),
        (None, None, "pressure"),
        (Worth(2.0, 1.0, 0.1, 5), 0.03, "pressure, paid $0.030, expected to save $1.00 net"),
        (Worth(1.0, 2.0, 0.1, 5), 0.03, "pressure, paid $0.030, expected to lose $1.00 net"),
    ],
)
def test_its_bill_names_what_there_is(worth: Worth | None, cost: float, words: str) -> None:
    assert bill(Condensed("pressure", "", 9, 8, FOLD, worth=worth, cost=cost)) == words
