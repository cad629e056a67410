"""One look of every strategy at a recorded moment, and what came of it, as entries.

The same plans, ladder, commit and state as in the engine; only the clock, the model and the disk
are missing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from octochat.context.plans import ladder
from octochat.context.plans.commit import Refused, commit
from octochat.context.plans.expected import as_measured
from octochat.context.plans.room import room_for_recall
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, considered
from octochat.context.session.edits import Hold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Entry, Held, Prompted, Trigger
from octochat.context.session.state import State, advance
from octochat.context.session.view import Note
from octochat.memory.automatic import recalled
from octochat.memory.searching import Searchable
from octochat.replay.play_setting import PlaySetting
from octochat.replay.weights import measure, weigh

Watch: TypeAlias = Callable[[], float]
"""Seconds of some steady clock."""


@dataclass(slots=True)
class DecisionTimer:
    """Decisions that were asked for, and how long they took."""

    watch: Watch
    count: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    failures: dict[str, str] = field(default_factory=dict[str, str])
    """Why strategies failed, by their names; the first time only."""

    def decide(self, strategy: Strategy, situation: Situation) -> Plan | Hold:
        """Ask, and take the time."""
        begun = self.watch()
        decision = considered(strategy, situation)
        took = self.watch() - begun
        if isinstance(decision, Hold) and decision.broken:
            self.failures.setdefault(strategy.name, decision.why)
        self.count += 1
        self.seconds += took
        self.slowest = max(self.slowest, took)
        return decision


@dataclass(slots=True)
class SimulatedSession:
    """A conversation under way: its log, and the state that the log leads to."""

    setting: PlaySetting
    index: Searchable
    """Of what was said; others may search it, too."""
    fresh: int
    """The first id that the recording does not use; compressions count on from it."""
    entries: list[Entry] = field(default_factory=list[Entry])
    state: State = State()
    due: bool = False
    """Whether a prompt, or a fold, has come since the last recall."""

    def take(self, entry: Entry) -> None:
        """One more entry."""
        self.state = advance(self.state, entry, self.entries)
        self.entries.append(entry)
        folds = isinstance(entry.event, Condensed) and entry.event.fold is not None
        self.due = self.due or folds or isinstance(entry.event, Prompted)

    def recall(self, pipeline: Sequence[Strategy], now: float) -> None:
        """Put what was folded and is asked about behind the prompt, as the engine does.

        What the index holds can be recalled; `learn` brings it up to date.
        """
        due, self.due = self.due and self._folded, False
        if not due:
            return
        seen = self.situation(now)
        tokens = min(self.setting.recall, room_for_recall(seen, pipeline))
        if event := recalled(seen, self.entries, self.index, tokens):
            self.take(Entry(self.fresh, now, weigh(event), event))
            self.fresh += 1

    def learn(self, said: Sequence[Entry]) -> None:
        """Bring the index up to date, if anything was folded that it could bring back.

        `said` is what the recording has so far: nothing else of the session is in the index.
        """
        if self.due and self._folded:
            self.index.update(said)

    @property
    def _folded(self) -> bool:
        notes = (unit for unit in self.state.view.units if isinstance(unit, Note))
        return bool(self.setting.recall) and any(note.kind == "summary" for note in notes)

    def branch(self) -> "SimulatedSession":
        """The same session, to go on by itself."""
        return replace(self, entries=list(self.entries))

    def look(
        self, pipeline: Sequence[Strategy], timer: DecisionTimer, now: float
    ) -> Iterator[Condensed | Held]:
        """Let every strategy have its one look, then see that the request fits."""
        for strategy in pipeline:
            seen = self.situation(now)
            match timer.decide(strategy, seen):
                case Hold(futile=True, why=why):
                    yield self._log(Held(strategy.name, why, watermark=seen.size), now)
                case Hold():
                    pass
                case Plan() as plan:
                    yield from self._carry_out(plan, strategy.name, now)
        yield from self._climb(pipeline, now)

    def situation(self, now: float, trigger: Trigger = "auto") -> Situation:
        """What a strategy gets to look at."""
        setting = self.setting
        return Situation(
            self.state,
            measure,
            now=now,
            window=setting.info.window,
            reserve=min(setting.reserve, setting.info.max_output),
            margin=setting.margin,
            max_session=setting.max_session,
            prices=setting.info.prices,
            writers=setting.writers,
            trigger=trigger,
            compaction=setting.info.compaction,
        )

    def _climb(self, pipeline: Sequence[Strategy], now: float) -> Iterator[Condensed | Held]:
        """The ladder of a request that must fit; each step only if it is still needed."""
        for rung in ladder.rungs(self.setting.note_max, pipeline):
            seen = self.situation(now, "overflow")
            if seen.size > seen.limit and (plan := rung(seen, seen.limit)):
                yield from self._carry_out(plan, "ladder", now, "overflow")

    def _carry_out(
        self, plan: Plan, by: str, now: float, trigger: Trigger = "auto"
    ) -> Iterator[Condensed | Held]:
        written, seen = None, self.situation(now, trigger)
        if isinstance(plan.fold, NoteRequest):
            written = self.setting.write(seen, plan.fold, self.entries)
            plan = replace(plan, fold=plan.fold.noted(written.blocks))
        margin = self.setting.margin
        made = commit(self.state, plan, weigh, by=by, margin=margin, trigger=trigger)
        if written is None:
            if isinstance(made, Condensed):
                yield self._log(as_measured(made, seen), now)
            return
        event = (
            Held(by, made.why, trigger, watermark=self.state.context + margin)
            if isinstance(made, Refused)
            else replace(made, learned=written.learned, outdated=written.outdated)
        )
        event = replace(event, writer=written.writer, usage=written.usage, cost=written.cost)
        yield self._log(as_measured(event, seen) if isinstance(event, Condensed) else event, now)
        if isinstance(event, Held) and (fallback := plan.fallback):
            yield from self._carry_out(fallback, by, now, trigger)

    def _log(self, event: Condensed | Held, now: float) -> Condensed | Held:
        self.take(Entry(self.fresh, now, weigh(event), event))
        self.fresh += 1
        return event
