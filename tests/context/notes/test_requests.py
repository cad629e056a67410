"""What the person said, in a note: rules and requests."""

from itertools import product

import pytest

from octochat.context.notes.extractive import extractive_note
from octochat.context.notes.note import NoteParts, assemble
from octochat.context.notes.requests import UserRequest, request_lines, rules, user_requests
from octochat.context.session.content import Image, Text
from octochat.context.session.events import Prompted
from tests.context.notes.logs import log, measure, note, replied, said


def test_short_requests_stand_in_the_note_word_for_word_and_in_order() -> None:
    entries = log(
        said("First:\n  do *this*."), replied("Yes."), said("Then that."), replied("Done.")
    )
    text = note(entries)
    assert "[#1] First:\n  do *this*.\n[#3] Then that." in text


def test_long_requests_are_cut_alike_and_the_ends_are_cut_last() -> None:
    requests = tuple(UserRequest(i, f"start{i} " + "x " * 2_000 + f"end{i}") for i in range(1, 6))
    text = assemble(NoteParts(requests), 1_000, measure)
    assert measure(text) <= 1_000
    for i in range(1, 6):
        assert f"[#{i}] start{i} " in text
        assert f"end{i}" in text
    first, second = (text.split(f"[#{i}]")[1].split("[#")[0] for i in (1, 2))
    assert len(first) > 1.5 * len(second)


def test_of_too_many_requests_the_first_and_the_newest_stay() -> None:
    requests = tuple(
        UserRequest(i, f"Please look after the matter with number {i}.") for i in range(300)
    )
    text = assemble(NoteParts(requests), 500, measure)
    assert measure(text) <= 500
    assert "number 0." in text
    assert "number 299." in text
    assert "more]" in text


def test_pictures_in_a_request_are_named() -> None:
    entries = log(Prompted((Text("What is this?"), Image("image/png", "AAAA"))))
    assert user_requests(entries) == (UserRequest(1, "What is this?\n[picture]"),)


def test_the_persons_rules_stand_first_whole_and_once() -> None:
    entries = log(
        said("Build the shop. Never deploy on Fridays. It is for Mia. " + "Some more words. " * 90),
        replied("Yes."),
        said("Use tabs, not spaces. Never deploy on Fridays, please."),
        replied("Of course."),
        said("Go on."),
    )
    text = note(entries, 400)
    first, requests = text.split("Requests:")
    assert first.count("eploy on Fridays") == 1
    assert "Constraints" not in requests
    assert "- Use tabs, not spaces. Never deploy on Fridays, please. (#3)" in first
    assert "Mia" not in first
    assert "[#1] Build the shop." in requests


def test_a_rule_survives_five_folds_word_for_word() -> None:
    entries = log(
        said("Hello. We never touch the table `orders` by hand."),
        *(event for i in range(60) for event in (replied(f"Step {i}. " * 30), said(f"next {i}"))),
    )
    for end in (21, 41, 61, 81, 121):
        text = extractive_note(entries, tuple(range(1, end)), (), 400, measure)
        assert "- Hello. We never touch the table `orders` by hand. (#1)" in text


@pytest.mark.parametrize("label", ["IMPORTANT", "Fact", "User preference", "Note to self"])
def test_what_a_person_labels_is_kept_as_a_rule(label: str) -> None:
    fact = f"{label}: the staging host is otter.internal"
    text = note(log(said(f"Hello there.\n{fact}\nIt rains."), replied("Yes."), said("Go on.")))
    assert f"- {fact} (#1)" in text
    assert "- It rains" not in text


def test_what_a_person_pastes_with_a_label_is_no_rule() -> None:
    text = note(log(said("ERROR: the disk is full\nINFO: it was tried twice"), replied("Hm.")))
    assert "Rules and wishes" not in text


def test_two_facts_with_the_same_label_both_stand() -> None:
    requests = UserRequest(1, "Safety rule: ask Ann"), UserRequest(2, "Safety rule: call Bo")
    assert [rule.text for rule in rules(requests)] == [request.text for request in requests]


def test_where_the_rules_are_too_many_the_certain_ones_stay() -> None:
    words = ["".join(letters) for letters in product("abcdefgh", repeat=3)]
    weak = [f"goal {' '.join(some)}" for some in zip(*[iter(words)] * 8, strict=False)]
    text = note(log(said("\n".join([*weak, "Never force-push."])), replied("Yes.")), 400)
    assert "- Never force-push. (#1)" in text
    first = text.split("Requests:")[0]
    assert "- goal aaa" in first
    assert "- goal hhh" not in first
    assert first.count("- goal ") < len(weak)


def asked(*texts: str) -> tuple[UserRequest, ...]:
    return tuple(UserRequest(number, text) for number, text in enumerate(texts, 1))


@pytest.mark.parametrize("length", [40, 90, 1_000])
def test_requests_that_find_room_stand_whole(length: int) -> None:
    middle = [letter * length for letter in "abcde"]
    text = assemble(NoteParts(asked("Hi.", *middle, "Go.")), 4_000, measure)
    assert all(f"] {each}\n" in text for each in middle)


def test_the_first_and_the_latest_take_a_quarter_each_and_not_less_than_60_characters() -> None:
    for length, kept in ((95, 95), (96, 95), (960, 99)):
        first, latest = request_lines(asked("x" * length, "y" * length), 0, 400, len).split("\n")
        assert len(first) == len(latest) == len("[#1] ") + kept
    (only,) = request_lines(asked("x" * 960), 0, 0, len).splitlines()
    assert len(only) == len("[#1] ") + 60
    assert request_lines((), 400, 400, len) == ""


def test_those_between_are_cut_alike_as_far_as_they_must() -> None:
    between = ["a" * 300, "b" * 90, "c" * 200]
    ends = len("[#1] Hi.") + len("[#5] Go.")

    def lines(budget: int) -> list[str]:
        return request_lines(asked("Hi.", *between, "Go."), ends + budget, 400, len).split("\n")[
            1:-1
        ]

    assert [len(line) - 5 for line in lines(500)] == [196, 90, 196]
    assert [len(line) - 5 for line in lines(3 * 65 + 2)] == [60, 60, 60]
    assert lines(3 * 65 + 1) == ["[1 more]", *lines(3 * 65 + 2)[1:]]
    assert lines(0) == lines(-9) == ["[3 more]"]


@pytest.mark.parametrize(
    ("said", "binding"),
    [
        ("Never " + "x" * 294, 1),
        ("Never " + "x" * 295, 0),
        ("Never cry. " + "Then look at it. ".ljust(289, "x"), 1),
        ("Never cry. " + "Then look at it. ".ljust(290, "x"), 1),
        ("Never.", 0),
        ("Never, ever.", 1),
        ("- > never cry", 1),
    ],
)
def test_a_rule_has_two_words_and_300_characters_at_most(said: str, binding: int) -> None:
    assert len(UserRequest(1, said).rules) == binding


def test_a_line_too_long_for_a_rule_is_read_by_its_sentences() -> None:
    (whole,) = UserRequest(1, "Never cry. Then look at it " + "x" * 273).rules
    (part,) = UserRequest(1, "Never cry. Then look at it " + "x" * 274).rules
    assert (len(whole), part) == (300, "Never cry.")


@pytest.mark.parametrize(
    ("earlier", "later", "stay"),
    [
        ("never one two three four", "never one two five six seven", [2]),
        ("never one two three four", "never one five six seven", [1, 2]),
        ("Note: 8 1", "Note: 9 2", [1, 2]),
        ("Note: one two", "Note: six ten", [1, 2]),
        ("Never cry.", "Note: 9 2", [1, 2]),
    ],
)
def test_a_rule_with_three_fifths_of_the_words_of_another_replaces_it(
    earlier: str, later: str, stay: list[int]
) -> None:
    assert [rule.id for rule in rules(asked(earlier, later))] == stay
