"""One recording played through pipelines of strategies: as one while they go alike, then apart.

Every recorded call is a moment at which the strategies may act; the recorded replies go on
unchanged. The bill is that of the simulated prompt cache.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Entry, Held, Prompted, Replied, Usage
from octochat.memory.index import Index
from octochat.models.prompt_cache import PromptCache
from octochat.replay.evidence import Answerable, Question
from octochat.replay.fork import forked
from octochat.replay.play import Call, Fate, Play, RecordedEdit, Score
from octochat.replay.play_setting import PlaySetting
from octochat.replay.rare_words import VisibleRareWords
from octochat.replay.requests import RequestSeries
from octochat.replay.shared_search import SharedSearch
from octochat.replay.simulated_session import DecisionTimer, SimulatedSession, Watch
from octochat.replay.visible_words import VisibleWords
from octochat.replay.weights import weigh

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
    index = SharedSearch(Index())
    stages = _beginnings(score, parts, index, watch)
    now = entries[0].at
    for place, entry in enumerate(entries):
        if isinstance(entry.event, Replied):
            stages = [parting for stage in stages for parting in stage.look(now)]
        for stage in stages:
            stage.take(entry, place, now)
        now = entry.at
    plays = dict(played for stage in stages for played in stage.results(now))
    index.close()
    return tuple(plays[number] for number in range(len(parts)))


def _beginnings(
    score: Score, parts: Sequence[Part], index: SharedSearch, watch: Watch
) -> "list[_Stage]":
    """A stage for each world: everybody in it begins alike."""
    first = len(score.recording.entries) + 1
    stages: list[_Stage] = []
    for number, (pipeline, setting) in enumerate(parts):
        stage = next((s for s in stages if s.session.setting == setting), None)
        if stage is None:
            stage = _Stage(score, SimulatedSession(setting, index, first))
            stages.append(stage)
        stage.players.append(_Player(number, pipeline, DecisionTimer(watch)))
    return stages


@dataclass(frozen=True, slots=True)
class _Player:
    """Who takes part."""

    number: int
    """Its place among all who do."""
    pipeline: Sequence[Strategy]
    timer: DecisionTimer


@dataclass(slots=True)
class _Stage:
    """A play under way, the same one for all its players."""

    score: Score
    session: SimulatedSession
    players: list[_Player] = field(default_factory=list[_Player])
    calls: list[Call] = field(default_factory=list[Call])
    edits: list[RecordedEdit] = field(default_factory=list[RecordedEdit])
    violations: list[str] = field(default_factory=list[str])
    fates: list[Fate] = field(default_factory=list[Fate])
    summaries: list[float | None] = field(default_factory=list[float | None])
    cache: PromptCache = field(init=False)
    requests: RequestSeries = field(init=False)
    sight: VisibleWords = field(init=False)
    rare: VisibleRareWords = field(init=False)

    def __post_init__(self) -> None:
        setting = self.session.setting
        self.cache = PromptCache(setting.info.min_cache, setting.ttl)
        self.requests = RequestSeries(setting.info.name, self.score.weigher)
        self.sight = VisibleWords(self.score.shown_names.of)
        self.rare = self.score.rare.watch()

    def look(self, now: float) -> "Iterator[_Stage]":
        """Every player looks; whoever acts goes on alone.

        Args:
            now: When the last entry came, in seconds since the epoch.
        """
        alike: list[_Player] = []
        for player in self.players:
            session = self.session.branch()
            events = tuple(session.look(player.pipeline, player.timer, now))
            if events:
                stage = self if len(self.players) == 1 else self._fork(player)
                yield stage.gone_on(session, events)
            else:
                alike.append(player)
        if alike:
            self.players = alike
            yield self

    def take(self, entry: Entry, place: int, now: float) -> None:
        """The next entry of the recording.

        Args:
            entry: It.
            place: Its index in the recording.
            now: When the entry before it came, in seconds since the epoch.
        """
        if isinstance(entry.event, Replied):
            self._answer(entry, entry.event, place, now)
        else:
            self.session.take(entry)

    def results(self, now: float) -> Iterator[tuple[int, Play]]:
        """How it went for every player, questions asked at the end."""
        self.session.due = True
        self.session.learn(self.score.recording.entries)
        graded = [tuple(self._graded(question, now)) for question in self.score.exam.questions]
        for n, player in enumerate(self.players):
            yield player.number, self._result(player, tuple(answers[n] for answers in graded))

    def _fork(self, player: _Player) -> "_Stage":
        """The same play, for this player alone."""
        stage = forked(self)
        stage.players = [player]
        stage.cache, stage.requests = forked(self.cache), forked(self.requests)
        stage.sight, stage.rare = forked(self.sight), self.rare.branch()
        return stage

    def gone_on(self, session: SimulatedSession, events: Iterable[Condensed | Held]) -> "_Stage":
        """The play after what was done in its session."""
        self.session = session
        self.summaries += (event.cost for event in events if event.usage.context)
        for event in events:
            if isinstance(event, Condensed):
                calls = event.worth.calls if event.worth else None
                sizes = (event.before, event.after)
                self.edits.append(RecordedEdit(len(self.calls), event.by, event.why, *sizes, calls))
        return self

    def _answer(self, entry: Entry, event: Replied, place: int, now: float) -> None:
        """The request goes out, and the recorded reply comes back."""
        self.session.learn(self.score.recording.entries[:place])
        # Before its first edit there is nothing to recall: so it does not matter who recalls.
        self.session.recall(self.players[0].pipeline, now)
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

    def _result(self, player: _Player, answers: tuple[Answerable, ...]) -> Play:
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
            answers,
            player.timer,
        )

    def _graded(self, question: Question, now: float) -> Iterator[Answerable]:
        """The question as the next prompt, in a session of its own for each player."""
        asked = Prompted((Text(question.text),))
        prompt = Entry(self.session.fresh, now, weigh(asked), asked)
        before = self.session.branch()
        before.fresh += 1
        before.take(prompt)
        for player in self.players:
            session = before.branch()
            for _ in session.look(player.pipeline, DecisionTimer(player.timer.watch), now):
                pass
            session.recall(player.pipeline, now)
            shown = tuple(unit for unit in session.state.view.units if unit.id != prompt.id)
            yield self.score.exam.grade(question, shown)

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
