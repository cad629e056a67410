"""Has notes written: one call that decides and summarises, and the note put together around it.

It knows the `Model` port and who may write; when to compress is decided elsewhere.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import Writer, cheapest
from octochat.context.notes.artifacts import harvest
from octochat.context.notes.fitting import Measure
from octochat.context.notes.note import Material, asked, assemble, originals, plain
from octochat.context.notes.sections import render
from octochat.context.plans.runs import run_of, without_model
from octochat.context.session.content import Opaque, Text, ToolCall, plain_text
from octochat.context.session.events import Knowledge, Usage
from octochat.context.session.knowledge import merged, retained
from octochat.context.session.state import surviving
from octochat.context.strategies.base import Situation
from octochat.context.strategies.pressure import transcript_size
from octochat.engine.note_writer import Bill, Job, SummaryError, Written
from octochat.models.catalogue import ModelInfo
from octochat.models.port import (
    Model,
    ModelError,
    Reply,
    Request,
    Retrying,
    Started,
    TextDelta,
    ThinkingDelta,
)
from octochat.summaries.answers import SummaryAnswer, UnusableError, read_answer, read_paragraph
from octochat.summaries.requests import Wish, by_compaction, by_instruction, by_transcript

EXTRACTIVE: Final = "extractive"
"""Who wrote a note that no model wrote."""
_LONGEST_WAIT = 10.0
"""Seconds between two tries, whatever the API asks for: a person is waiting."""


@dataclass(frozen=True, slots=True)
class Models:
    """Who can write."""

    model: Model
    """Answers for every name."""
    info: Callable[[str], ModelInfo]
    """What is known of a model by its name."""
    writers: Callable[[str], tuple[Writer, ...]]
    """Those that may write for a session with this model; none: the extractive summariser."""


class Summariser:
    """The engine's `NoteWriter`."""

    def __init__(
        self,
        models: Models,
        decision: DecisionModel,
        measure: Measure,
        *,
        retention: int,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._models: Models = models
        self._decision: DecisionModel = decision
        self._measure: Measure = measure
        self._retention: int = retention
        self._sleep: Callable[[float], Awaitable[None]] = sleep

    def extract(self, job: Job) -> Written:
        """Write the note without any model."""
        wish = self._wish(job)
        text = without_model(wish.run, wish.entries, wish.known, job.brief, self._measure)
        return Written((Text(text),), writer=EXTRACTIVE)

    async def write(self, job: Job) -> Written:
        """Have the note written, by the cheaper of those who may.

        Raises:
            SummaryError: it failed, or (in `auto`) it was advised against.
        """
        wish = self._wish(job)
        writer = self._cheapest(job, wish)
        if writer is None:
            return self.extract(job)
        bill = job.bill
        bill.writer = writer.model
        own = Writer(job.state.model, self._models.info(job.state.model).prices, shares_cache=True)
        if job.brief.style == "server":
            written = await self._compacted(job, wish, bill)
            if written:
                return written
        try:
            return await self._by(job, wish, writer, bill)
        except ModelError as error:
            if writer.shares_cache:
                raise SummaryError.owing(bill, str(error)) from error
        try:  # "If that model can't be had, the conversation's own."
            return await self._by(job, wish, own, bill)
        except ModelError as error:
            raise SummaryError.owing(bill, str(error)) from error

    def _wish(self, job: Job) -> Wish:
        return Wish(
            job.state,
            run_of(job.state, job.brief, job.trigger),
            surviving(job.entries),
            "plain" if job.brief.style == "plain" else "work",
            job.brief.budget,
            job.brief.focus,
            retained(job.state.knowledge, self._retention),
        )

    def _cheapest(self, job: Job, wish: Wish) -> Writer | None:
        """Weighed with the terms of the economics, so that what was promised is what is done."""
        situation = Situation(job.state, self._measure, now=job.now)
        chosen = cheapest(
            self._models.writers(job.state.model),
            context=situation.size,
            cached=situation.cached,
            transcript=transcript_size(wish.run.units),
            note=job.brief.answer,
        )
        return chosen[0] if chosen else None

    async def _by(self, job: Job, wish: Wish, writer: Writer, bill: Bill) -> Written:
        info = self._models.info(writer.model)
        request = (
            by_instruction(wish, info, self._decision)
            if writer.shares_cache
            else by_transcript(wish, info, self._decision, self._measure)
        )
        text, read = await self._tried(request, info, bill, wish)
        if isinstance(read, str):
            note = plain(read, wish.budget, self._measure)
            return self._written(note, (), bill)
        if not read.should_compress and job.trigger == "auto":
            why = read.reason or "no reason given"
            raise SummaryError.owing(bill, f"{info.name} advised against it: {why}")
        if not read.sections:
            raise SummaryError.owing(bill, f"{info.name} gave no summary: {text[:100]}")
        return self._written(self._note(wish, read), self._learned(read), bill)

    async def _tried(
        self, request: Request, info: ModelInfo, bill: Bill, wish: Wish
    ) -> tuple[str, SummaryAnswer | str]:
        """The answer, asked for again where it fails or is of no use.

        Raises:
            ModelError: the last try's.
            SummaryError: the last answer was of no use.
        """
        left = self._decision.max_retries
        while True:
            try:
                text = await self._asked(request, info, bill)
                return text, self._read(text, wish)
            except UnusableError as error:
                if left <= 0:
                    raise SummaryError.owing(bill, f"{info.name}: {error}") from error
            except ModelError as error:
                if left <= 0 or not error.retryable:
                    raise
                await self._sleep(min(error.retry_after or 1.0, _LONGEST_WAIT))
            left -= 1

    async def _asked(self, request: Request, info: ModelInfo, bill: Bill) -> str:
        reply = await self._reply(request, info, bill)
        if any(isinstance(block, ToolCall) for block in reply.blocks):
            raise UnusableError("it called a tool instead of answering")
        if reply.stop == "refusal":
            raise UnusableError("it refused")
        return plain_text(reply.blocks)

    async def _reply(self, request: Request, info: ModelInfo, bill: Bill) -> Reply:
        billed = Usage()
        try:
            async with (
                asyncio.timeout(self._decision.retry_timeout),
                aclosing(self._models.model.reply(request)) as stream,
            ):
                async for item in stream:
                    match item:
                        case Started(usage=usage):
                            billed, bill.characters = usage, 0
                        case TextDelta(text=text) | ThinkingDelta(text=text):
                            bill.characters += len(text)
                        case Retrying():
                            bill.add(info.name, billed, info.prices.cost(billed))
                            billed = Usage()
                        case Reply():
                            billed = item.usage
                            return item
                        case _:
                            pass
        except TimeoutError:
            seconds = self._decision.retry_timeout
            raise ModelError(
                "timeout", f"{info.name} took longer than {seconds:g} s for the summary."
            ) from None
        finally:
            bill.add(info.name, billed, info.prices.cost(billed))
        raise ModelError("stream", f"{info.name} broke off before the summary was complete.")

    def _read(self, text: str, wish: Wish) -> SummaryAnswer | str:
        read = read_paragraph(text) if wish.style == "plain" else read_answer(text)
        said = read if isinstance(read, str) else render(read.sections)
        if self._measure(said) >= wish.run.size:
            raise UnusableError("the summary is longer than what it would replace")
        return read

    def _note(self, wish: Wish, answer: SummaryAnswer) -> str:
        entries = originals(wish.entries, wish.run.covers)
        known = retained(merged(wish.state.knowledge, self._learned(answer)), self._retention)
        material = Material(
            asked(entries), answer.sections, known, harvest(entries), wish.run.covers
        )
        return assemble(material, wish.budget, self._measure)

    def _learned(self, answer: SummaryAnswer) -> tuple[Knowledge, ...]:
        return retained(answer.knowledge, self._retention)

    async def _compacted(self, job: Job, wish: Wish, bill: Bill) -> Written | None:
        """The API's own block; None where the model has none to give."""
        info = self._models.info(job.state.model)
        if not info.compaction:
            return None
        request = by_compaction(wish, info, self._decision, job.brief.last)
        try:
            reply = await self._reply(request, info, bill)
        except ModelError:
            return None
        blocks = tuple(block for block in reply.blocks if isinstance(block, Opaque))
        return self._written(blocks, (), bill) if blocks else None

    def _written(
        self, note: str | tuple[Opaque, ...], learned: tuple[Knowledge, ...], bill: Bill
    ) -> Written:
        blocks = (Text(note),) if isinstance(note, str) else note
        return Written(blocks, learned, bill.writer, bill.usage, bill.cost)
