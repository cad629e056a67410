"""Rare words are what the agent writes again, whoever said it, if few conversations have it."""

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Opened, Prompted, Replied, Returned
from octochat.context.session.view import Note, Prompt
from octochat.replay.lexicon import Lexicon
from octochat.replay.rare_words import RareWords, Reused, ShownCount, reused, words
from octochat.replay.recall import FAR
from octochat.replay.survey import Survey, Vocabulary, surveyed

NOBODY = frozenset[str]()


def told(*events: Event, system: str = "") -> tuple[Entry, ...]:
    return tuple(Entry(n, 0.0, 1, e) for n, e in enumerate((Opened("", system), *events), 1))


def said(text: str) -> tuple[Text, ...]:
    return (Text(text),)


def found(*events: Event, system: str = "", common: frozenset[str] = NOBODY) -> list[Reused]:
    return list(reused(told(*events, system=system), Lexicon(words), common).values())


def test_words_have_five_letters_and_numbers_four_figures() -> None:
    text = "The Walrus ate 3,500 oysters, été Größe over_all x1234y 42"
    assert list(words(text)) == ["walrus", "3,500", "oysters", "größe", "over_all", "x1234y"]


def test_a_word_counts_when_the_agent_writes_it_after_somebody_did() -> None:
    call = ToolCall("t", "bash", {"command": "grep walrus"})
    assert found(Prompted(said("the walrus")), Replied((call,))) == [Reused(near=("walrus",))]
    assert found(Prompted(said("go")), Replied(said("walrus"))) == [Reused()]
    assert found(
        Prompted(said("go")),
        Replied(said("hm")),
        Returned("t", said("walrus")),
        Replied(said("Walrus")),
    ) == [Reused(), Reused(near=("walrus",))]


def test_far_begins_after_ten_units() -> None:
    for between, expected in ((FAR - 1, Reused(near=("walrus",))), (FAR, Reused(("walrus",)))):
        filler = [Replied(said("so")) for _ in range(between)]
        assert found(Prompted(said("walrus")), *filler, Replied(said("walrus")))[-1] == expected


def test_what_the_system_prompt_says_and_what_is_common_does_not_count() -> None:
    events = (Prompted(said("walrus oyster")), Replied(said("walrus oyster")))
    assert found(*events, system="a Walrus") == [Reused(near=("oyster",))]
    assert found(*events, common=frozenset({"oyster"})) == [Reused(near=("walrus",))]


def test_a_word_was_there_if_any_unit_or_note_of_the_view_shows_it() -> None:
    events = (Prompted(said("walrus oyster carpenter")), Replied(said("walrus oyster carpenter")))
    watch = RareWords.of(told(*events), NOBODY).watch()
    watch.look(0, (Note(9, said("about a walrus"), 1), Prompt(2, said("an Oyster"), 1)))
    assert watch.seen["near"] == ShownCount(3, 2)
    assert watch.seen["far"] == ShownCount()


def test_common_is_what_stands_in_more_than_a_twentieth_and_in_three_at_least() -> None:
    survey = Survey()
    for n in range(60):
        shared = {"often"} if n < 4 else set[str]()
        some = {"seldom"} if n < 3 else set[str]()
        survey.take(Vocabulary(frozenset({f"own{n}"} | shared | some), frozenset()))
    assert survey.common().words == {"often"}
    few = Survey()
    for n in range(3):
        few.take(Vocabulary(frozenset({"all"} | ({"two"} if n else set[str]())), frozenset()))
    assert few.common().words == {"all"}


def test_names_are_common_if_a_tenth_of_the_recordings_uses_them_again() -> None:
    survey = Survey()
    for n in range(3):
        survey.take(Vocabulary(frozenset(), frozenset({"a"} | ({"b"} if n else set[str]()))))
    assert survey.common().names == {"a"}


def test_a_survey_takes_words_from_everybody_and_names_that_come_again() -> None:
    path = "src/deep/tree.py"
    entries = told(
        Prompted(said(f"a walrus in {path}")),
        Replied(said(f"see {path}, lib/a/b.py")),
        Returned("t", said("oyster")),
    )
    vocabulary = surveyed(entries)
    assert {"walrus", "oyster"} <= vocabulary.words
    assert vocabulary.names == {path}
