"""Carries out what the strategies decide, and what a person or a full window asks for.

Every change is measured before it is committed, and every change, every failure that was paid for
and every hold that sets the watermark is an entry of the log.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from octochat.context.plans import ladder
from octochat.context.plans.commit import Refused, commit
from octochat.context.plans.expected import as_measured
from octochat.context.plans.note_source import NoteSource
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import considered
from octochat.context.session.edits import Hold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Entry, Event, Held, Hinted, Trigger
from octochat.engine.compact_hooks import with_hooks
from octochat.engine.note_ahead import BegunNote, NoteAhead
from octochat.engine.note_writer import Bill, NoteWriter, SummaryError, WrittenNote
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import LiveSession, Stream
from octochat.engine.stopping import Stopped
from octochat.hooks.hooks import Hooks
from octochat.models.port import Compressing, ModelError, Notice

UNUSED = "another one is needed now"
"""Why a note that was written ahead is given up."""
FITTING = 0.9
"""After the API counted more than octochat did: the share of the context to come down to."""


class Compressor:
    """The engine's `ContextKeeper`."""

    def __init__(
        self,
        rules: ContextPolicy,
        writer: NoteWriter,
        weigh: Callable[[Event], int],
        measure: Callable[[str], int],
    ) -> None:
        self.rules: ContextPolicy = rules
        self._writer: NoteWriter = writer
        self._weigh: Callable[[Event], int] = weigh
        self._measure: Callable[[str], int] = measure
        self._failures: set[tuple[str, str]] = set()
        self.bill: Bill = Bill()
        """Of the note under way, or else of the last one."""
        self.ahead: NoteAhead = NoteAhead(rules.ahead, writer)
        self.hooks: Hooks = Hooks()
        """Asked before a compression, and told of it."""

    def situation(self, session: LiveSession, trigger: Trigger = "auto") -> Situation:
        """What a strategy gets to look at now."""
        info = session.terms.info
        return Situation(
            session.state,
            self._measure,
            now=session.now(),
            window=info.window,
            reserve=min(self.rules.reserve, info.max_output),
            margin=self.rules.margin,
            max_session=self.rules.max_session,
            prices=info.prices,
            writers=self.rules.writers(info.name),
            summary_ignored=self.rules.ignore_cost,
            trigger=trigger,
            compaction=info.compaction,
        )

    async def look(self, session: LiveSession) -> Stream:
        """Let every strategy have one look and at most one change; then see that it fits."""
        for strategy in self.rules.strategies:
            situation = self.situation(session)
            match considered(strategy, situation):
                case Hold(futile=True, why=why):
                    yield session.append(Held(strategy.name, why, watermark=situation.size))
                case Hold(broken=True, why=why) if (strategy.name, why) not in self._failures:
                    self._failures.add((strategy.name, why))
                    yield Notice(f"The strategy {strategy.name} is left out: {why}", "warning")
                case Hold():
                    continue
                case Plan() as plan:
                    async with aclosing(self.carry_out(session, plan, strategy.name)) as stream:
                        async for item in stream:
                            yield item
        rule = self.rules.hints
        if rule and (hint := rule.due(self.situation(session))):
            yield session.append(Hinted(hint))
        self.begin_ahead(session)
        async with aclosing(self.climb(session, self.situation(session).limit)) as stream:
            async for item in stream:
                yield item

    def begin_ahead(self, session: LiveSession) -> None:
        """Begin the note that will be needed soon: the model is at work, or the person types."""
        if self.ahead.due(session.state) and not session.spent:
            self.ahead.begin(self.situation(session), self.rules.strategies, session.log.surviving)

    async def discard_ahead(self, session: LiveSession, why: str) -> Entry | None:
        """Give up the note that is under way; the entry that bills it, if it has cost anything."""
        held = await self.ahead.discard(why, ignored=self.rules.ignore_cost, now=session.now())
        return session.append(held) if held else None

    async def fit(self, session: LiveSession, over: str) -> Stream:
        """The API counted more than octochat did: come down by a tenth, and below the limit."""
        situation = self.situation(session)
        yield Notice(
            f"{over or 'The window cut the answer off.'} Making room and asking again.", "warning"
        )
        target = min(situation.limit, int(situation.size * FITTING))
        async with aclosing(self.climb(session, target)) as stream:
            async for item in stream:
                yield item
        if self.situation(session).size >= situation.size:
            raise ModelError(
                "too_long",
                f"The request does not fit: {ladder.biggest(session.state)} is too big. Take it "
                "back with /undo, or use a model with a larger window.",
            )

    async def climb(self, session: LiveSession, target: int) -> Stream:
        """The ladder: each step only if it is still needed; none where `target` is kept already."""
        for rung in ladder.rungs(self.rules.note_max, self.rules.strategies):
            situation = self.situation(session, "overflow")
            if situation.size <= target:
                return
            plan = rung(situation, target)
            if plan is None:
                continue
            async with aclosing(self.carry_out(session, plan, "ladder", "overflow")) as stream:
                async for item in stream:
                    yield item
        if self.situation(session).size > self.situation(session).limit:
            raise ModelError(
                "too_long",
                f"The context does not fit the window: {ladder.biggest(session.state)} is too big. "
                "Take it back with /undo, or use a model with a larger window.",
            )

    async def carry_out(
        self, session: LiveSession, plan: Plan, by: str, trigger: Trigger = "auto"
    ) -> Stream:
        """Have the note written if there is one to write, measure, and commit or say why not."""
        now = self.situation(session, trigger)
        stream = with_hooks(
            self.hooks, session, now, plan, by, lambda p: self._carried_out(session, p, by, trigger)
        )
        async with aclosing(stream):
            async for item in stream:
                yield item

    async def _carried_out(
        self, session: LiveSession, plan: Plan, by: str, trigger: Trigger
    ) -> Stream:
        situation = self.situation(session, trigger)
        if not isinstance(plan.fold, NoteRequest):
            result = self._committed(situation, plan, by)
            if isinstance(result, Condensed):
                seconds = session.now() - situation.now
                paid = self._paid(result, WrittenNote(()), seconds)
                yield session.append(as_measured(paid, situation))
            return
        begun = self.ahead.take(session.state, by, plan.fold) if trigger == "auto" else None
        if begun is None and (vain := await self.discard_ahead(session, UNUSED)):
            yield vain
        request = begun[1] if begun else plan.fold
        source = NoteSource(situation, request, session.log.surviving)
        self.bill = begun[0].bill if begun else Bill()
        yield Compressing(by, plan.why, situation.size, plan.level, plan.ratio)
        try:
            event = await self._noted(session, plan, source, by, begun and begun[0])
        except SummaryError as error:
            event = self._failed(by, situation, error, session.now())
        yield session.append(event)
        if isinstance(event, Held) and (fallback := plan.fallback):
            async with aclosing(self._carried_out(session, fallback, by, trigger)) as stream:
                async for item in stream:
                    yield item

    async def _noted(
        self,
        session: LiveSession,
        plan: Plan,
        source: NoteSource,
        by: str,
        begun: BegunNote | None,
    ) -> Condensed:
        """The plan with its note, measured; without a model where that must be had.

        Raises:
            SummaryError: there is no note, or none that is smaller than what it replaces.
        """
        written = await self._write(session, source, by, begun)
        result = self._folded(source, plan, written, by)
        if isinstance(result, Refused) and source.situation.trigger != "auto" and self.bill.writer:
            written = self._extracted(source, result.why)
            result = self._folded(source, plan, written, by)
        if isinstance(result, Refused):
            raise SummaryError.owing(self.bill, result.why)
        paid = self._paid(result, written, session.now() - source.situation.now)
        return as_measured(paid, source.situation)

    def _folded(
        self, source: NoteSource, plan: Plan, written: WrittenNote, by: str
    ) -> Condensed | Refused:
        fold = source.request.noted(written.blocks)
        return self._committed(source.situation, replace(plan, fold=fold), by)

    def _committed(self, situation: Situation, plan: Plan, by: str) -> Condensed | Refused:
        return commit(
            situation.state,
            plan,
            self._weigh,
            by=by,
            margin=situation.margin,
            trigger=situation.trigger,
        )

    async def _write(
        self, session: LiveSession, source: NoteSource, by: str, begun: BegunNote | None
    ) -> WrittenNote:
        """The note; the extractive one if the model refuses.

        Where the note must be had (not in `auto`), also if it fails.

        Raises:
            SummaryError: there is none, and the history is as it was.
        """
        trigger = source.situation.trigger
        if session.spent and trigger != "auto":
            return self._extracted(source, "the session's cost limit is reached")
        try:
            writing = begun.task if begun else self._writer.write(source, self.bill)
            return await session.stopper.wait(writing)
        except Stopped:
            session.stopper.begin()
            if trigger == "overflow":  # the request must fit: rather this than units dropped
                return self._extracted(source, "you stopped it")
            raise SummaryError.owing(self.bill, "you stopped it") from None
        except asyncio.CancelledError:
            if self.bill.usage.context:
                error = SummaryError.owing(self.bill, "it was stopped")
                session.append(self._failed(by, source.situation, error, session.now()))
            raise
        except SummaryError as error:
            if trigger == "auto" and not error.refused:
                raise
            return self._extracted(source, str(error))

    def _extracted(self, source: NoteSource, why: str) -> WrittenNote:
        """The note without a model, and what the tries to have one written have cost."""
        return replace(
            self._writer.extract(source),
            usage=self.bill.usage,
            cost=self.bill.cost,
            why=f"{why}; written without a model",
        )

    def _paid(self, event: Condensed, written: WrittenNote, seconds: float) -> Condensed:
        return replace(
            event,
            why=f"{event.why} ({written.why})" if written.why else event.why,
            learned=written.learned,
            outdated=written.outdated,
            answer=written.answer,
            writer=written.writer,
            usage=written.usage,
            cost=written.cost,
            ignored=self.rules.ignore_cost,
            seconds=max(seconds, 0.0),
        )

    def _failed(self, by: str, situation: Situation, error: SummaryError, now: float) -> Held:
        """What was paid for and came to nothing: the watermark is the size now."""
        return Held(
            by,
            str(error),
            situation.trigger,
            watermark=None if situation.trigger in ("done", "compact") else situation.size,
            writer=error.writer,
            usage=error.usage,
            cost=error.cost,
            ignored=self.rules.ignore_cost,
            seconds=max(now - situation.now, 0.0),
        )
