"""Questions about a recording, asked as its next prompt: is what answers them in the context?

A message is in the context if it stands there as it was said, or if a stretch of it does.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octochat.context.session.content import Block
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.context.session.view import Units
from octochat.replay.api_blocks import as_list, as_object, as_text
from octochat.replay.lexicon import Lexicon, passages, texts
from octochat.replay.rare_words import ShownCount
from octochat.replay.recall_search import Search, keywords
from octochat.replay.recording import ReadError, Recording

STRETCH = 200
"""Characters that must stand together, white space aside; a shorter message must stand whole."""
UNANSWERABLE = 5
"""The category of LoCoMo's questions to which there is no answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question."""

    text: str
    keywords: tuple[str, ...]
    """Of its answer."""
    evidence: tuple[tuple[Entry, ...], ...]
    """What each message that answers it became."""


@dataclass(frozen=True, slots=True)
class Answerable:
    """What of a question's answer stood in the context."""

    evidence: ShownCount
    """Messages."""
    answer: ShownCount
    """Words."""


def questions(data: bytes | None, recording: Recording) -> tuple[Question, ...]:
    """The questions in `data` that have an answer and evidence in the recording.

    Raises:
        ReadError: it is no list of questions.
    """
    if data is None:
        return ()
    try:
        parsed: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"its questions are left out, not JSON ({error})") from error
    tree = as_object(parsed)
    if tree is None or not isinstance(tree.get("qa"), list):
        raise ReadError('its questions are left out, there is no list "qa"')
    return tuple(_questions(as_list(tree["qa"]), recording.messages))


def _questions(
    items: Sequence[object], messages: Mapping[int, tuple[Entry, ...]]
) -> Iterator[Question]:
    for item in items:
        raw = as_object(item) or {}
        places = as_list(raw.get("evidence_message_indexes"))
        evidence = tuple(messages[n] for n in places if isinstance(n, int) and n in messages)
        if evidence and raw.get("answer") and raw.get("category") != UNANSWERABLE:
            answer = tuple(keywords(str(raw["answer"])))
            yield Question(as_text(raw.get("question")), answer, evidence)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A context."""

    units: Units = ()
    identities: frozenset[int] = frozenset()
    """Of the tuples of blocks in it."""
    written: str = ""
    """What strategies wrote of it."""
    keywords: frozenset[str] = frozenset()
    """All there are in it."""

    def holds(self, entry: Entry) -> bool:
        """Whether the entry stands in it as it was said, or a stretch of it does."""
        return id(_content(entry)) in self.identities or _stands_in(entry, self.written)


@dataclass(slots=True)
class Exam:
    """The questions of one recording, and what is the same for every pipeline."""

    questions: tuple[Question, ...]
    originals: frozenset[int]
    """Identities of what the log says: what a view shows otherwise was written by a strategy."""
    _keywords: Lexicon[str] = field(default_factory=lambda: Lexicon[str](keywords))
    _shown: _Shown = field(default_factory=_Shown)
    """What was looked at last: many questions in a row are asked in one and the same context."""

    @classmethod
    def of(cls, questions: tuple[Question, ...], entries: Sequence[Entry]) -> "Exam":
        """An exam with these questions."""
        return cls(questions, frozenset(id(_content(entry)) for entry in entries))

    def grade(self, question: Question, units: Units) -> Answerable:
        """What the units hold of the answer; the question itself is not among them."""
        if not _same(units, self._shown.units):
            self._shown = self._look(units)
        shown = self._shown
        present = sum(any(map(shown.holds, message)) for message in question.evidence)
        answer = sum(word in shown.keywords for word in question.keywords)
        return Answerable(
            ShownCount(len(question.evidence), present), ShownCount(len(question.keywords), answer)
        )

    def _look(self, units: Units) -> _Shown:
        shown = [blocks for unit in units for blocks in passages(unit)]
        written = (_plain(blocks) for blocks in shown if id(blocks) not in self.originals)
        words = frozenset[str]().union(*map(self._keywords.of, shown))
        return _Shown(units, frozenset(map(id, shown)), "\n".join(written), words)


def found(search: Search, exam: Exam, log: Sequence[Entry]) -> ShownCount:
    """For how many of the questions one search finds something that answers them."""
    if not exam.questions:
        return ShownCount()
    find, hits = search(log), 0
    for question in exam.questions:
        page = find(question.text)
        hits += any(entry.id in page for message in question.evidence for entry in message)
    return ShownCount(len(exam.questions), hits)


def _content(entry: Entry) -> tuple[Block, ...]:
    match entry.event:
        case Prompted(blocks=blocks) | Replied(blocks=blocks) | Returned(content=blocks):
            return blocks
        case _:
            return ()


def _stands_in(entry: Entry, written: str) -> bool:
    """Whether a stretch of what was said stands in what a strategy wrote."""
    said = _plain(_content(entry))
    starts = range(0, max(len(said) - STRETCH, 0) + 1, STRETCH // 2)
    return bool(said) and any(said[start : start + STRETCH] in written for start in starts)


def _plain(blocks: Sequence[Block]) -> str:
    return " ".join("\n".join(texts(blocks)).casefold().split())


def _same(units: Units, others: Units) -> bool:
    return len(units) == len(others) and all(map(lambda a, b: a is b, units, others))
