"""What was recalled is told with its size and its price."""

import pytest

from octochat.context.session.events import Recalled
from octochat.text.recall_words import remembered

WORDS = (
    (Recalled("text", (4, 9), 4, 0.003), "Remembered 4 passages, 1.2k tokens, $0.003"),
    (Recalled("text", (4,), 1, 0.0), "Remembered 1 passage, 1.2k tokens"),
    (Recalled("text", (4,), 2, None), "Remembered 2 passages, 1.2k tokens"),
    (Recalled("as it was logged before", (4, 9)), "Remembered 2 messages, 1.2k tokens"),
)


@pytest.mark.parametrize(("event", "words"), WORDS)
def test_it_is_one_sentence(event: Recalled, words: str) -> None:
    assert remembered(event, 1_200) == words
