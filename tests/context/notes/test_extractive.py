"""What sentences and messages are worth, for a summary without a model."""

from math import isclose

import pytest

from octochat.context.notes.extractive import extract, important, paragraph, worths
from octochat.context.notes.sections import render
from octochat.context.notes.sentences import passages
from octochat.context.session.content import Text, Thinking, ToolCall
from octochat.context.session.events import Replied, Returned
from tests.context.notes.logs import log, replied, said


def reading(text: str, path: str) -> Replied:
    return replied(text, ToolCall(text, "Read", {"path": path}))


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


def test_who_says_it_and_when_counts() -> None:
    plain = "There is a boat in the harbour today."  # 1.0
    should = "The boat should be in the harbour today."  # 2.5: it binds
    failing = reading(plain, "a.py"), Returned(plain, (), failed=True)
    cases = (
        (log(said(should)), 1, 2.5 * 1.6),
        (log(Replied((Thinking(plain, ""),))), 1, (1.0 + 1.5) * 0.6),
        (log(*failing), 1, (1.0 + 1.0) * 0.75),
        (log(reading(plain, "a.py"), said("x"), said("y"), said("z")), 1, 1.0 * 0.625),
        (log(reading("Let me look at the boat there.", "a.py")), 1, 0.1),
    )
    for entries, entry, worth in cases:
        assert isclose(worths(entries)[entry], worth * 1.25)


def test_a_sentence_is_lifted_by_the_best_one_on_the_same_file() -> None:
    chatter = reading("Let me look at the boat there.", "a.py")
    best = reading("There is a boat in the harbour today.", "a.py")
    for first, then, place in ((chatter, best, 1), (best, chatter, 2)):
        ages = 0.75, 1.0
        lift = 0.25 * ages[2 - place]
        assert isclose(worths(log(first, then))[place], 0.1 * ages[place - 1] + lift)


def test_what_is_said_before_any_request_belongs_to_none() -> None:
    assert "On request" not in render(extract(log(replied("The mast of the boat was mended."))))


def test_questions_and_next_steps_are_such_in_the_newest_reply_only() -> None:
    sentences = "Shall the boat be blue or rather red? The next boat in the harbour is ours."
    entries = log(
        said("x"), replied(sentences), said("y"), replied(sentences.replace("boat", "ship"))
    )
    titles = [(line.title, line.text[:2]) for line in extract(entries)]
    assert titles == [
        ("Decisions", "#2"),
        ("State and progress", "#2"),
        ("Open questions", "#4"),
        ("Next steps", "#4"),
    ]


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
        reading("Let me look at the hull for that.", "hull.py"),
        reading("The hull must have an error in `hull.py`.", "hull.py"),
        reading("Let me look at the sails then. The sails are fine and done.", "sail.py"),
        reading("The cause is the error in `mast.py`, chosen by us.", "mast.py"),
    )
    assert important(entries, 2) == ((3,), (5,))
    assert important(entries, 9) == ((2, 3), (4,), (5,))
    assert important(entries, 0) == ()


def test_sentences_lean_on_the_one_before_and_code_is_left_out() -> None:
    text = (
        "I looked at the cache module today. But it never expires anything at all. Fine!\n"
        "```python\nthis is no sentence at all, really not\n```\n"
        "| a table | is no | sentence either |\n"
        "- The second point is **quite** important here."
    )
    assert list(passages(text)) == [
        "I looked at the cache module today. But it never expires anything at all.",
        "The second point is quite important here.",
    ]


def test_binding_words_of_the_person_become_constraints() -> None:
    entries = log(said("Make it nice. The pages should look like the old ones."), replied("Right."))
    (line,) = extract(entries)
    assert line.title == "Constraints and preferences"
    assert line.text == "#1 The pages should look like the old ones."


def test_conclusions_and_decisions_are_worth_more_than_chatter() -> None:
    call = ToolCall("1", "Read", {"file_path": "a.py"})
    entries = log(
        said("Why does the import fail?"),
        replied("Let me check the importer module for that.", call),
        Returned("1", (Text(""),)),
        replied("The import fails because `load()` returns None when the cache is cold."),
    )
    chatter, conclusion = sorted(extract(entries), key=lambda line: line.worth)
    assert "Let me check" in chatter.text
    assert conclusion.title == "Decisions"
    assert conclusion.worth > 3 * chatter.worth


def test_the_newest_of_equal_sentences_counts_more_and_stands_once() -> None:
    entries = log(
        said("Go on with the work."),
        replied("The tests of the parser pass now."),
        said("And again."),
        replied("The tests of the printer pass now."),
        said("Once more."),
        replied("The tests of the parser pass now."),
    )
    lines = extract(entries)
    assert [line.text for line in lines] == [
        "#4 The tests of the printer pass now.",
        "#6 The tests of the parser pass now.",
    ]
    assert lines[0].worth < lines[1].worth


def test_units_that_share_a_file_lift_each_others_sentences() -> None:
    def steps(second: str) -> float:
        entries = log(
            replied("Let me look at the file there.", ToolCall("1", "Read", {"path": "a.py"})),
            replied(
                "The bug must be in `a.py:12`, found it.", ToolCall("2", "Read", {"path": second})
            ),
        )
        return extract(entries)[0].worth

    assert steps("a.py") > steps("b.py")


def test_a_paragraph_is_the_best_sentences_in_their_order() -> None:
    entries = log(
        said("Mend it."),
        replied("The cause was a missing lock in `queue.py`. It is fixed now and verified."),
        said("And the other?"),
        replied("The other one failed because of the clock."),
    )
    assert paragraph(entries, 2).startswith("The cause was")
    assert paragraph(entries, 2).endswith("because of the clock.")
