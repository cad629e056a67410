"""Has notes written: one call that decides and summarises, and the note put together around it.

It knows the `Model` port and who may write; when to compress is decided elsewhere.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import Writer, cheapest
from octochat.context.notes.artifacts import harvest
from octochat.context.notes.fitting import Measure
from octochat.context.notes.guidance import guidance
from octochat.context.notes.note import NoteParts, assemble, one_paragraph
from octochat.context.notes.requests import user_requests
from octochat.context.notes.sections import render, secured, with_sources
from octochat.context.notes.transcript import transcript_size
from octochat.context.plans.note_source import NoteSource, without_model
from octochat.context.session.content import Opaque, Text, ToolCall, plain_text
from octochat.context.session.events import Knowledge, Usage
from octochat.context.session.knowledge import merged, retained, without
from octochat.context.session.tags import escaped
from octochat.engine.note_writer import Bill, SummaryError, WrittenNote
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
from octochat.summaries.answers import SummaryAnswer, read_answer, read_paragraph
from octochat.summaries.refusals import RefusedError, UnusableError
from octochat.summaries.requests import (
    Wanted,
    by_compaction,
    by_instruction,
    by_transcript,
)

EXTRACTIVE: Final = "extractive"
"""Who wrote a note that no model wrote."""
_LONGEST_WAIT = 10.0
"""Seconds between two tries, whatever the API asks for: a person is waiting."""

OVER = 1.5
"""How far what a model writes may go over the length it was given: models count otherwise than the
ruler does, and what they say longest is often an error, word for word."""


class Summariser:
    """The engine's `NoteWriter`."""

    def __init__(
        self,
        model: Model,
        info: Callable[[str], ModelInfo],
        decision: DecisionModel,
        measure: Measure,
        *,
        retention: int,
        guidance: str = "",
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._model: Model = model
        self._info: Callable[[str], ModelInfo] = info
        self._decision: DecisionModel = decision
        self._measure: Measure = measure
        self._retention: int = retention
        self._guidance: str = guidance
        self._sleep: Callable[[float], Awaitable[None]] = sleep

    def extract(self, source: NoteSource) -> WrittenNote:
        """Write the note without any model."""
        text = without_model(source, self._known(source), self._measure)
        return WrittenNote((Text(text),), writer=EXTRACTIVE)

    async def write(self, source: NoteSource, bill: Bill) -> WrittenNote:
        """Have the note written, by the cheaper of those who may.

        Raises:
            SummaryError: it failed, or (in `auto`) it was advised against.
        """
        writer = _cheapest(source)
        if writer is None:
            return self.extract(source)
        bill.writer = writer.model
        model = source.situation.state.model
        own = Writer(model, self._info(model).prices, shares_cache=True)
        if source.request.style == "server":
            written = await self._compacted(source, bill)
            if written:
                return written
        try:
            return await self._by(writer, source, bill)
        except ModelError as error:
            if writer.shares_cache:
                raise SummaryError.owing(bill, str(error)) from error
        try:  # "If that model can't be had, the conversation's own."
            return await self._by(own, source, bill)
        except ModelError as error:
            raise SummaryError.owing(bill, str(error)) from error

    def _known(self, source: NoteSource) -> tuple[Knowledge, ...]:
        return retained(source.situation.state.knowledge, self._retention)

    async def _by(self, writer: Writer, source: NoteSource, bill: Bill) -> WrittenNote:
        info, ask = (
            self._info(writer.model),
            by_instruction if writer.shares_cache else by_transcript,
        )
        said = guidance(self._guidance, source.situation.state.instructions)
        wanted = Wanted(self._known(source), said)
        request = ask(source, wanted, info, self._decision, self._measure)
        text, read = await self._tried(request, info, bill, source)
        if isinstance(read, str):
            return _written(one_paragraph(read, source.request.budget, self._measure), (), bill)
        if not read.should_compress and source.situation.trigger == "auto":
            why = read.reason or "no reason given"
            raise SummaryError.owing(bill, f"{info.name} advised against it: {why}")
        if not read.sections:
            raise SummaryError.owing(bill, f"{info.name} gave no summary: {text[:100]}")
        read = replace(read, sections=with_sources(read.sections, source.logged))
        outdated = _named(self._known(source), read)
        note = self._note(source, read, outdated)
        whole = all(escaped(line.text) in note for line in read.sections)
        return replace(
            _written(note, self._learned(read), bill),
            outdated=outdated,
            answer="" if whole else render(read.sections),
        )

    async def _tried(
        self, request: Request, info: ModelInfo, bill: Bill, source: NoteSource
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
                return text, self._read(text, source)
            except UnusableError as error:
                if left <= 0:
                    refused = isinstance(error, RefusedError)
                    why = f"{info.name}: {error}"
                    raise SummaryError.owing(bill, why, refused=refused) from error
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
            raise RefusedError("it refused")
        return plain_text(reply.blocks)

    async def _reply(self, request: Request, info: ModelInfo, bill: Bill) -> Reply:
        billed, patience = Usage(), self._decision.retry_timeout
        clock = asyncio.get_running_loop().time
        try:
            async with (
                asyncio.timeout(patience) as limit,
                aclosing(self._model.reply(request)) as stream,
            ):
                async for item in stream:
                    limit.reschedule(clock() + patience)
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
            raise ModelError(
                "timeout", f"{info.name} was silent for {patience:g} s while it wrote the summary."
            ) from None
        finally:
            bill.add(info.name, billed, info.prices.cost(billed))
        raise ModelError("stream", f"{info.name} broke off before the summary was complete.")

    def _read(self, text: str, source: NoteSource) -> SummaryAnswer | str:
        paragraph = source.request.style == "paragraph"
        read = read_paragraph(text) if paragraph else read_answer(text)
        said = read if isinstance(read, str) else render(read.sections)
        if self._measure(said) >= source.size:
            raise UnusableError("the summary is longer than what it would replace")
        return read

    def _note(
        self, source: NoteSource, answer: SummaryAnswer, outdated: tuple[Knowledge, ...]
    ) -> str:
        before, originals = without(source.situation.state.knowledge, outdated), source.originals
        known = retained(merged(before, self._learned(answer)), self._retention)
        most = int(source.request.answer * OVER)
        sections = secured(answer.sections, most, self._measure)
        parts = NoteParts(
            user_requests(originals),
            sections,
            known,
            harvest(originals),
            source.covers,
            source.ended,
        )
        return assemble(parts, source.request.budget, self._measure)

    def _learned(self, answer: SummaryAnswer) -> tuple[Knowledge, ...]:
        return retained(answer.knowledge, self._retention)

    async def _compacted(self, source: NoteSource, bill: Bill) -> WrittenNote | None:
        """The API's own block; None where the model has none to give."""
        info = self._info(source.situation.state.model)
        if not info.compaction:
            return None
        request = by_compaction(source, info, self._decision)
        try:
            reply = await self._reply(request, info, bill)
        except ModelError:
            return None
        blocks = tuple(block for block in reply.blocks if isinstance(block, Opaque))
        return _written(blocks, (), bill) if blocks else None


def _cheapest(source: NoteSource) -> Writer | None:
    """Weighed with the terms of the economics, so that what was promised is what is done."""
    chosen = cheapest(
        source.situation.writers,
        context=source.situation.size,
        cached=source.situation.cached,
        transcript=transcript_size(source.units),
        note=source.request.answer,
    )
    return chosen[0] if chosen else None


def _named(known: Sequence[Knowledge], answer: SummaryAnswer) -> tuple[Knowledge, ...]:
    """The entries that the answer says hold no longer, by their numbers in the request."""
    return tuple(entry for n, entry in enumerate(known, 1) if n in answer.outdated)


def _written(
    note: str | tuple[Opaque, ...], learned: tuple[Knowledge, ...], bill: Bill
) -> WrittenNote:
    blocks = (Text(note),) if isinstance(note, str) else note
    return WrittenNote(blocks, learned, bill.writer, bill.usage, bill.cost)
