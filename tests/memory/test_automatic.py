"""Automatic recall: folded passages that have to do with a prompt are put behind it."""

from collections.abc import Sequence

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Entry, Event, Recalled, Usage
from octochat.context.session.state import replay, surviving
from octochat.context.session.view import Note
from octochat.memory.automatic import recalled
from octochat.memory.index import Index
from tests.build import SONNET
from tests.memory.logs import asked, log, said

TALK: tuple[Event, ...] = (
    asked("The staging server is called kestrel, and its port is 8471."),
    said("Noted: kestrel listens on 8471."),
    asked("We never deploy on Fridays."),
    said("No deployments on Fridays, then."),
    asked("Paint the shed green."),
    said("The shed is green."),
)


def folded(*more: Event) -> list[Entry]:
    fold = Fold(2, 5, (Text("<work-so-far>\nThe person spoke of servers.\n</work-so-far>"),))
    return log(*TALK, Condensed("test", "why", 100, 50, fold), *more)


def measure(text: str) -> int:
    return len(text) // 4


def indexed(entries: Sequence[Entry]) -> Index:
    index = Index()
    index.update(entries)
    return index


def seen(entries: Sequence[Entry]) -> Situation:
    return Situation(replay(entries), measure, prices=SONNET)


def found(entries: Sequence[Entry], tokens: int = 1_500) -> str:
    event = recalled(seen(entries), surviving(entries), indexed(entries), tokens)
    return event.text if event else ""


def test_what_was_folded_and_is_asked_about_comes_back() -> None:
    text = found(folded(asked("What is the port of kestrel?")))
    assert "#2 the person, 1970-01-01 00:02 UTC:\nThe staging server is called kestrel" in text
    assert text.startswith("<recalled-passages>\n")


def test_what_stands_in_the_context_is_not_shown_again() -> None:
    assert "shed" not in found(folded(asked("Is the shed green, and who is kestrel?")))


def test_nothing_comes_where_nothing_was_folded_or_nothing_answers() -> None:
    assert found(log(*TALK, asked("What is the port of kestrel?"))) == ""
    assert found(folded(asked("Hippopotamus?"))) == ""


@pytest.mark.parametrize("words", ["ok, go on", "Thanks, now do the next one!", "..."])
def test_a_prompt_that_says_nothing_recalls_nothing(words: str) -> None:
    again = [said("ok, go on: thanks, now the next one..."), said("The next one is done.")]
    fold = Fold(2, 9, (Text("a note"),))
    entries = log(*TALK, *again, said("yes"), Condensed("test", "why", 100, 50, fold), asked(words))
    assert found(entries) == ""


def test_in_a_long_session_a_single_common_word_recalls_nothing() -> None:
    talk = [said(f"The server answers with {n}.") for n in range(300)]
    entries = [*talk, Condensed("test", "why", 100, 50, Fold(2, 200, (Text("a note"),)))]
    assert found(log(*entries, asked("Is the server up?"))) == ""
    assert "answers with 150" in found(log(*entries, asked("Did the server answer 150?")))


@pytest.mark.parametrize("tokens", [60, 100, 150, 1_500])
def test_it_takes_at_most_the_given_tokens(tokens: int) -> None:
    text = found(folded(asked("What do you know of kestrel, its port, Fridays?")), tokens)
    assert measure(text) <= tokens
    assert bool(text) == (tokens > 60)


def test_it_only_appends_and_is_no_unit_of_its_own_to_be_covered() -> None:
    entries = folded(asked("What is the port of kestrel?"))
    event = recalled(seen(entries), entries, indexed(entries), 1_500)
    assert isinstance(event, Recalled)
    assert event.units[0] == 2
    assert event.passages == event.text.count("UTC:")
    assert event.cost == SONNET.cost(Usage(cache_write=measure(event.text)))
    before = replay(entries)
    after = replay([*entries, Entry(len(entries) + 1, 9e3, 40, event)])
    assert after.view.units[:-1] == before.view.units
    assert after.unfinished
    again = Fold(8, after.view.units[-1].id, (Text("note"),))
    state = replay(
        [
            *entries,
            Entry(len(entries) + 1, 9e3, 40, event),
            Entry(len(entries) + 2, 9e3, 10, Condensed("t", "w", 9, 8, again)),
        ]
    )
    (note,) = state.view.units
    assert isinstance(note, Note)
    assert note.covers == (2, 3, 4, 5, 6, 7, 9)
