"""One recording played through pipelines of strategies, side by side.

Every recorded call is a moment at which the strategies may act; the recorded replies go on
unchanged. The bill is that of the simulated prompt cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from octochat.context.notes.identifiers import identifiers
from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Entry, Prompted, Replied, Usage
from octochat.memory.index import Index
from octochat.models.prompt_cache import PromptCache
from octochat.replay.evidence import Answerable, Exam, Question
from octochat.replay.lexicon import Lexicon
from octochat.replay.play_setting import PlaySetting
from octochat.replay.rare_words import RareWords, ShownCount, VisibleRareWords
from octochat.replay.recall import Names, Use, uses
from octochat.replay.recallable import RecallableNames
from octochat.replay.recording import Recording
from octochat.replay.requests import BlockWeigher, RequestSeries
from octochat.replay.simulated_session import DecisionTimer, SimulatedSession, Watch
from octochat.replay.survey import NOTHING, Common
from octochat.replay.visible_words import VisibleWords
from octochat.replay.weights import weigh

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


Part: TypeAlias = tuple[Sequence[Strategy], PlaySetting]
"""A pipeline of strategies in their order (none: nothing is ever compressed), and its world."""


def play(score: Score, part: Part, watch: Watch) -> Play:
    """Play the recording with one pipeline."""
    return play_side_by_side(score, (part,), watch)[0]


def play_side_by_side(score: Score, parts: Sequence[Part], watch: Watch) -> tuple[Play, ...]:
    """Play the recording with several pipelines, which know nothing of one another.

    They search the same index: what was said is the same in all of them.

    Args:
        score: The recording.
        parts: Who plays.
        watch: A steady clock, for the latency of `decide`.
    """
    entries = score.recording.entries
    index = Index()
    stages = [
        _Stage(
            score,
            pipeline,
            SimulatedSession(setting, DecisionTimer(watch), index, len(entries) + 1),
        )
        for pipeline, setting in parts
    ]
    now = entries[0].at
    for place, entry in enumerate(entries):
        for stage in stages:
            stage.take(entry, place, now)
        now = entry.at
    for stage in stages:
        stage.examine(now)
    index.close()
    return tuple(stage.result() for stage in stages)


@dataclass(slots=True)
class _Stage:
    """A play under way."""

    score: Score
    pipeline: Sequence[Strategy]
    session: SimulatedSession
    calls: list[Call] = field(default_factory=list[Call])
    edits: list[RecordedEdit] = field(default_factory=list[RecordedEdit])
    violations: list[str] = field(default_factory=list[str])
    fates: list[Fate] = field(default_factory=list[Fate])
    summaries: list[float | None] = field(default_factory=list[float | None])
    cache: PromptCache = field(init=False)
    requests: RequestSeries = field(init=False)
    sight: VisibleWords = field(init=False)
    rare: VisibleRareWords = field(init=False)
    answers: tuple[Answerable, ...] = ()

    def __post_init__(self) -> None:
        setting = self.session.setting
        self.cache = PromptCache(setting.info.min_cache, setting.ttl)
        self.requests = RequestSeries(setting.info.name, self.score.weigher)
        self.sight = VisibleWords(self.score.shown_names.of)
        self.rare = self.score.rare.watch()

    def take(self, entry: Entry, place: int, now: float) -> None:
        """The next entry of the recording; before a reply the strategies look.

        Args:
            entry: It.
            place: Its index in the recording.
            now: When the entry before it came, in seconds since the epoch.
        """
        if isinstance(entry.event, Replied):
            self._answer(entry, entry.event, place, now)
        else:
            self.session.take(entry)

    def _answer(self, entry: Entry, event: Replied, place: int, now: float) -> None:
        """The strategies look, the request goes out, and the recorded reply comes back."""
        self._look(now)
        self.session.learn(self.score.recording.entries[:place])
        self.session.recall(self.pipeline, now)
        self._recall()
        usage = self._ask(event.usage.output or entry.size, now)
        setting = self.session.setting
        told = replace(
            event,
            usage=usage,
            cost=self.calls[-1].cost,
            model=setting.info.name,
            ttl=setting.ttl,
            digest="",
        )
        self.session.take(replace(entry, event=told))

    def result(self) -> Play:
        """The play so far."""
        window = self.session.setting.info.window
        return Play(
            tuple(self.calls),
            tuple(self.edits),
            tuple(self.summaries),
            tuple(self.violations),
            sum(call.usage.prompt > window for call in self.calls),
            "".join(self.fates),
            self.rare.seen["far"],
            self.rare.seen["near"],
            self.answers,
            self.session.timer,
        )

    def examine(self, now: float) -> None:
        """Ask every question as the next prompt, each in a session of its own."""
        self.session.due = True
        self.session.learn(self.score.recording.entries)
        self.answers = tuple(self._graded(question, now) for question in self.score.exam.questions)

    def _graded(self, question: Question, now: float) -> Answerable:
        session = self.session.branch()
        asked = Prompted((Text(question.text),))
        prompt = Entry(session.fresh, now, weigh(asked), asked)
        session.fresh += 1
        session.take(prompt)
        for _ in session.look(self.pipeline, now):
            pass
        session.recall(self.pipeline, now)
        units = session.state.view.units
        shown = tuple(unit for unit in units if unit.id != prompt.id)
        return self.score.exam.grade(question, shown)

    def _look(self, now: float) -> None:
        for event in self.session.look(self.pipeline, now):
            if event.usage.context:
                self.summaries.append(event.cost)
            if isinstance(event, Condensed):
                sizes = (event.before, event.after)
                calls = event.worth.calls if event.worth else None
                edit = RecordedEdit(len(self.calls), event.by, event.why, *sizes, calls)
                self.edits.append(edit)

    def _recall(self) -> None:
        self.rare.look(len(self.calls), self.session.state.view.units)
        due = self.score.recallable.due(len(self.calls))
        if due:
            self.sight.look(self.session.state.view.units)
            self.fates.extend(self._fate(use.name.text) for use in due)

    def _fate(self, text: str) -> Fate:
        if self.sight.holds(text):
            return "c"
        return "r" if self.score.recallable.reaches(self.session.state.view, text) else "l"

    def _ask(self, output: int, now: float) -> Usage:
        info = self.session.setting.info
        asked = self.requests.ask(self.session.state.view)
        number = len(self.calls)
        self.violations += (f"call {number}: {wrong}" for wrong in asked.problems)
        reading = self.cache.ask(asked.parts, asked.marked, now)
        usage = replace(reading.usage, output=output)
        self.calls.append(Call(usage, info.prices.cost(usage), reading.bust, reading.rewritten))
        return usage
