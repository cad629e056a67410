"""A question is asked as the next prompt: what answers it, and is it in the context?"""

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text
from octochat.context.session.edits import Decision, Fold, Hold, Plan
from octochat.context.session.events import Opened, Prompted, Replied
from octochat.context.session.view import Note, Prompt, Units
from octochat.models.catalogue import info
from octochat.replay.evidence import STRETCH, Answerable, Exam, found, questions
from octochat.replay.play import Score
from octochat.replay.play_setting import PlaySetting
from octochat.replay.rare_words import ShownCount
from octochat.replay.recall_search import by_index
from octochat.replay.recording import Moment, ParsedRecording, ReadError, Recording, recorded
from octochat.replay.side_by_side import play
from octochat.replay.survey import NOTHING
from octochat.replay.weights import weigh

CAT = "My cat is called Mistral and she is nine."


def recording(*said: str) -> Recording:
    """A chat: a person, the agent, and so on."""
    moments = tuple(
        Moment((Replied if n % 2 else Prompted)((Text(text),)), message=n)
        for n, text in enumerate(said)
    )
    return recorded(ParsedRecording("talk", Opened("", ""), moments), weigh, 0.0)


def asked(question: str, answer: str, *evidence: int, **more: object) -> bytes:
    item = {"question": question, "answer": answer, "evidence_message_indexes": evidence, **more}
    return json.dumps({"qa": [item]}).encode()


def graded(talk: Recording, data: bytes, units: Units) -> Answerable:
    (question,) = questions(data, talk)
    return Exam.of((question,), talk.entries).grade(question, units)


TALK = recording(CAT, "Nice name.", "Thanks!", "Bye.")
ASKED = asked("What is the cat called?", "Mistral, the wind", 0, 3)


def prompt(talk: Recording, place: int) -> Prompt:
    (entry,) = talk.messages[place]
    assert isinstance(entry.event, Prompted)
    return Prompt(entry.id, entry.event.blocks, 1)


def test_a_message_that_stands_in_the_context_is_evidence_there() -> None:
    answer = graded(TALK, ASKED, (prompt(TALK, 0), prompt(TALK, 2)))
    assert answer == Answerable(ShownCount(2, 1), ShownCount(2, 1))


def test_a_message_that_a_note_quotes_is_there_and_one_that_it_retells_is_not() -> None:
    for text, there in ((f"They said: {CAT}\n", 1), ("Their cat Mistral is nine.", 0)):
        answer = graded(TALK, ASKED, (Note(9, (Text(text),), 1),))
        assert answer == Answerable(ShownCount(2, there), ShownCount(2, 1))


def test_of_a_long_message_a_stretch_is_enough() -> None:
    words = " ".join(f"word{n}" for n in range(200))
    talk = recording(words, "ok")
    data = asked("Which words?", "word7", 0)
    start = words.index("word90")
    for length, there in ((2 * STRETCH, 1), (STRETCH // 2, 0)):
        note = Note(9, (Text(words[start : start + length]),), 1)
        assert graded(talk, data, (note,)).evidence == ShownCount(1, there)


@pytest.mark.parametrize(
    "data",
    [
        asked("q", "a"),
        asked("q", "", 0),
        asked("q", "a", 99),
        asked("q", "a", 0, category=5),
        json.dumps({"qa": ["x", {}]}).encode(),
    ],
)
def test_questions_without_an_answer_or_evidence_are_left_out(data: bytes) -> None:
    assert questions(data, TALK) == ()


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"qa": 1}'])
def test_what_holds_no_questions_is_refused(data: bytes) -> None:
    with pytest.raises(ReadError, match="questions are left out"):
        questions(data, TALK)


def test_a_search_finds_or_does_not() -> None:
    for question, hits in (("Who is Mistral?", 1), ("Which pet is it?", 0)):
        exam = Exam.of(questions(asked(question, "a cat", 0), TALK), TALK.entries)
        assert found(by_index, exam, TALK.entries) == ShownCount(1, hits)


def test_the_first_page_ends_somewhere() -> None:
    talk = recording("the cat\n" * 9_000, "a cat")
    assert len(by_index(talk.entries)("cat")) <= 2
    assert not by_index(talk.entries)("dog")


@dataclass(frozen=True, slots=True)
class FoldWhenAsked:
    """Folds all but the newest unit, once the question has come."""

    name: ClassVar[str] = "fold_when_asked"

    def decide(self, situation: Situation) -> Decision:
        units = situation.state.view.units
        if len(units) < 5:
            return Hold("not yet")
        return Plan("now", Fold(units[0].id, units[-2].id, (Text("-"),)))


def test_every_question_is_asked_in_the_session_as_it_stood_and_strategies_look_first() -> None:
    talk = recording(*(text * 9 for text in (CAT, "Nice name.", "Thanks!", "Bye.")))
    data = json.dumps({"qa": json.loads(ASKED)["qa"] * 2}).encode()
    score = Score.of(talk, NOTHING, questions(data, talk))
    setting = PlaySetting(info("claude-sonnet-5-5"))
    kept = play(score, ((), setting), lambda: 0.0)
    assert [answer.evidence for answer in kept.answers] == [ShownCount(2, 2)] * 2
    lost = play(score, ((FoldWhenAsked(),), setting), lambda: 0.0)
    assert [answer.evidence for answer in lost.answers] == [ShownCount(2, 0)] * 2
    assert lost.edits == ()
