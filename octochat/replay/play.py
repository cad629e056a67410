"""What comes of a recording that is played through a pipeline, and what all its plays share."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octochat.context.notes.identifiers import identifiers
from octochat.context.session.events import Usage
from octochat.replay.evidence import Answerable, Exam, Question
from octochat.replay.lexicon import Lexicon
from octochat.replay.rare_words import RareWords, ShownCount
from octochat.replay.recall import Names, Use, uses
from octochat.replay.recallable import RecallableNames
from octochat.replay.recording import Recording
from octochat.replay.requests import BlockWeigher
from octochat.replay.simulated_session import DecisionTimer
from octochat.replay.survey import NOTHING, Common

Fate: TypeAlias = Literal["l", "c", "r"]
"""Of a name that is used again: lost, in the context, or only to be had through `recall`."""


@dataclass(frozen=True, slots=True)
class RecordedEdit:
    """One change of the context."""

    call: int
    """The call before which it was made, counted from 0."""
    by: str
    why: str
    before: int
    """Tokens."""
    after: int
    expected: int | None = None
    """Calls after it that it was reckoned with; None for one that was not weighed."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    usage: Usage
    cost: float | None
    """Dollars; None for an unpriced model."""
    bust: bool
    """A living cache entry was broken by an edit."""
    rewritten: int
    """Tokens that were written to the cache although they had been sent before."""


@dataclass(frozen=True, slots=True)
class Play:
    """How a recording went with a pipeline."""

    calls: tuple[Call, ...]
    edits: tuple[RecordedEdit, ...]
    summaries: tuple[float | None, ...]
    """Dollars for each decision and summary, the vain ones included; None where unpriced."""
    violations: tuple[str, ...]
    """What the API would have refused."""
    too_long: int
    """Requests that were over the window."""
    fates: str
    """One `Fate` for each use in the recording."""
    rare_far: ShownCount
    """Rare words that were written again, last seen long ago."""
    rare_near: ShownCount
    """The same, last seen since."""
    answers: tuple[Answerable, ...]
    """For each question about the recording."""
    timer: DecisionTimer


@dataclass(frozen=True, slots=True)
class Score:
    """What is the same for every pipeline: what is used when, and what weighs how much."""

    recording: Recording
    uses: tuple[Use, ...]
    recallable: RecallableNames
    names: Names
    shown_names: Lexicon[str]
    """The same names, as they stand in the text."""
    rare: RareWords
    exam: Exam
    weigher: BlockWeigher

    @classmethod
    def of(
        cls,
        recording: Recording,
        common: Common = NOTHING,
        questions: tuple[Question, ...] = (),
    ) -> "Score":
        """Read a recording once for all its plays.

        Args:
            recording: The conversation.
            common: Words that so many recordings have that they tell nothing.
            questions: To be asked after the last call.
        """
        names = Lexicon(identifiers)
        found = uses(recording.entries, names)
        return cls(
            recording,
            found,
            RecallableNames.of(recording.entries, found, names),
            names,
            Lexicon(lambda text: (name.text for name in identifiers(text))),
            RareWords.of(recording.entries, common.words),
            Exam.of(questions, recording.entries),
            BlockWeigher(),
        )
