"""What sentences and messages are worth, for a summary without a model."""

from math import isclose

import pytest

from octochat.context.notes.extractive import extract, important, worths
from octochat.context.notes.sections import render
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Prompted, Replied


def log(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(i, float(i), 0, event) for i, event in enumerate(events, 1))


def said(text: str) -> Prompted:
    return Prompted((Text(text),))


def replied(text: str, path: str = "") -> Replied:
    return Replied((Text(text), *([ToolCall(text, "Read", {"path": path})] if path else ())))


@pytest.mark.parametrize(
    ("sentence", "worth"),
    [
        ("There is a boat in the harbour today.", 1.0),
        ("There is a boat to be found in the harbour.", 2.0),
        ("There is an error in the harbour today.", 2.5),
        ("There must be a boat in the harbour.", 2.5),
        ("They chose the boat in the harbour.", 3.0),
        ("There is a boat in `bay` and `cove` today.", 2.0),
        ("There are `a`, `b`, `c`, `d`, `e` and `f` in it.", 3.0),
        ("There must be an error in the harbour.", 4.0),
        ("Let me look at the boat in the harbour.", 0.1),
    ],
)
def test_each_cue_makes_a_sentence_worth_more_and_chatter_is_worth_little(
    sentence: str, worth: float
) -> None:
    ends_the_work, lifted_by_itself = 1.5, 1.25
    found = worths(log(replied(sentence)))
    assert isclose(found[1], (worth + ends_the_work) * lifted_by_itself)


def test_a_message_is_worth_its_best_sentence() -> None:
    chatter, found = "Let me look at the boat in the harbour.", "We chose the boat in the harbour."
    for text in (f"{chatter} {found}", f"{found} {chatter}"):
        assert isclose(worths(log(replied(text)))[1], 4.5 * 1.25)


def test_words_of_the_request_count_up_to_five_of_them() -> None:
    sentence = "There lies one blue boat with seven tall masts inside our harbour."
    asked = ("boat", "boat masts", "blue boat tall masts inside", "one blue boat tall masts inside")
    values = [worths(log(said(f"{words}?"), replied(sentence)))[2] for words in asked]
    steps = [(each - values[0]) / 1.25 for each in values]
    assert all(map(isclose, steps, [0, 0.3, 1.2, 1.2]))


def test_progress_is_told_by_the_request_that_it_belongs_to_and_a_decision_is_not() -> None:
    entries = log(
        said("Look at the boat."),
        replied("The mast of the boat was mended."),
        said("And at the other."),
        replied("The hull of the boat was mended. We chose the boat in the harbour."),
    )
    assert render(extract(entries)).splitlines() == [
        "## State and progress",
        "On request #1:",
        "- #2 The mast of the boat was mended.",
        "On request #3:",
        "- #4 The hull of the boat was mended.",
        "## Decisions",
        "- #4 We chose the boat in the harbour.",
    ]


def test_the_best_messages_come_in_order_and_those_on_one_file_together() -> None:
    entries = log(
        said("Why does the boat take in water?"),
        replied("Let me look at the hull for that.", "hull.py"),
        replied("The hull must have an error in `hull.py`.", "hull.py"),
        replied("Let me look at the sails then. The sails are fine and done.", "sail.py"),
        replied("The cause is the error in `mast.py`, chosen by us.", "mast.py"),
    )
    assert important(entries, 2) == ((3,), (5,))
    assert important(entries, 9) == ((2, 3), (4,), (5,))
    assert important(entries, 0) == ()
