"""The loop: ask the model, run its tools, keep the context in shape.

An async generator of `Entry | Delta`. The TUI, the headless mode and the tests are three consumers
of the same stream; an entry is on disk before it is yielded.
"""

from collections.abc import Iterator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path

from octochat.context.session.content import Said, ToolCall
from octochat.context.session.events import (
    BlockRefused,
    Entry,
    Event,
    Prompted,
    Reminded,
    Replied,
)
from octochat.context.session.state import State, advance
from octochat.engine.ask import Terms, ask, drafted
from octochat.engine.call_ids import CallIds
from octochat.engine.hooking import Hooking, logged, refused
from octochat.engine.ports import Ports, Stream
from octochat.engine.refused_block import refused_kind
from octochat.engine.rounds import Rounds
from octochat.engine.run_tool import HALTED, NOT_RUN, run, skipped
from octochat.engine.stopping import Stopped, Stopper
from octochat.engine.stream_items import ends_turn, folds, heard
from octochat.engine.tool_hooks import ToolHooks
from octochat.models.port import ModelError, Notice
from octochat.storage.log import Log
from octochat.text.figures import dollars


class Engine:
    """One session at work. Not to be used by two tasks at a time."""

    def __init__(
        self,
        log: Log,
        ports: Ports,
        *,
        max_tokens: int,
        ttl: int,
        max_cost: float = 0.0,
        max_turns: int = 0,
    ) -> None:
        """Go on where the log ends.

        Args:
            log: the session; it has been opened (its first entry is `Opened`).
            ports: what the engine works with.
            max_tokens: the most that one answer may take.
            ttl: how long the prompt cache is asked to keep what is sent, in seconds.
            max_cost: dollars after which no further call is made; 0: no limit.
            max_turns: requests that may be made for one message; 0: no limit.
        """
        self.log: Log = log
        self.ports: Ports = ports
        self.state: State = log.state()
        self.stopper: Stopper = Stopper()
        self.hooking: Hooking = Hooking(ports.hooks, self)
        self._max_tokens: int = max_tokens
        self._ttl: int = ttl
        self.max_cost: float = max_cost
        self._max_turns: int = max_turns
        self._call_ids: CallIds = CallIds()
        self._halted: bool = False
        """A hook has ended the turn."""
        self._doubts: bool = False
        """The person was told that the server's counts are not believed."""

    @property
    def terms(self) -> Terms:
        """How the session's model is asked now."""
        info = self.ports.info(self.state.model)
        return Terms(info, min(self._max_tokens, info.max_output), self._ttl)

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.ports.clock()

    def append(self, event: Event) -> Entry:
        """Log an event and take it into the state.

        Raises:
            LogError: it could not be written; nothing has changed.
        """
        entry = self.log.append(event)
        self.state = advance(self.state, entry, self.log.entries)
        return entry

    def interrupt(self) -> None:
        """Stop the model or the tool at once; the stream ends with what came."""
        self.stopper.stop()

    async def turn(self, blocks: tuple[Said, ...]) -> Stream:
        """Say something, and let the model work until it has nothing left to call.

        Raises:
            ModelError: a call failed; what was said is in the log, `go_on` tries again.
            LogError: the session could not be written.
        """
        self.stopper.begin()
        asked = await self.hooking.before_prompt(blocks)
        if no := asked.blocked or asked.stop:
            for item in refused(self, asked, no):
                yield item
            return
        yield self.append(Prompted(blocks))
        for entry in logged(self, asked):
            yield entry
        async with aclosing(self._work()) as work:
            async for item in work:
                yield item

    async def go_on(self) -> Stream:
        """Work on where the last turn was cut off, without saying anything new."""
        self.stopper.begin()
        if self.unfinished:
            async with aclosing(self._work()) as work:
                async for item in work:
                    yield item

    @property
    def unfinished(self) -> bool:
        """Whether the model still owes an answer: the last turn failed or was cut off."""
        return self.state.unfinished

    async def _work(self) -> Stream:
        fitted, rounds = 0, Rounds(self._max_turns)
        due = True  # automatic recall: once a prompt, and after a fold, which takes it away
        while True:
            self._check_cost()  # a compression may cost something, too
            rounds.check()
            for event in await self._news():
                yield self.append(event)
            for notice in self.warnings():
                yield notice
            async with aclosing(self.ports.keeper.look(self)) as look:
                async for item in look:
                    due = due or folds(item)
                    yield item
            if self.stopper.stopped:
                return
            if due and (remembered := await self._remembered()):
                yield remembered
            due = False
            for event in self.ports.untold(self.state):
                yield self.append(event)
            reply: Replied | None = None
            over = ""
            try:
                async with aclosing(self._ask()) as answer:
                    async for item in answer:
                        yield item
                        if isinstance(item, Entry) and isinstance(item.event, Replied):
                            reply = item.event
            except ModelError as error:
                if kind := refused_kind(error, drafted(self.state, self.terms).messages):
                    yield self.append(BlockRefused(kind))
                    continue
                if error.kind != "too_long" or fitted >= MOST_FITS:
                    raise
                over = str(error)
            if over or (reply and reply.void):
                if fitted >= MOST_FITS:
                    raise ModelError("too_long", CUT_AGAIN)
                fitted += 1
                async with aclosing(self.ports.keeper.fit(self, over)) as fit:
                    async for item in fit:
                        yield item
                continue
            reminders: list[Reminded] = []
            calls = tuple(b for b in reply.blocks if isinstance(b, ToolCall)) if reply else ()
            if reply is None:
                return
            if not calls:
                ending = await self.hooking.before_end(reply)
                for item in self.hooking.goes_on(ending):
                    yield item
                if ending.blocked:
                    continue
                return
            async with aclosing(self._run(calls)) as results:
                async for item in results:
                    yield item
                    if told := heard(rounds, calls, item):
                        reminders.append(told)
            if self.stopper.stopped or self._halted:
                return
            for told in reminders:
                yield self.append(told)

    async def _news(self) -> Sequence[Event]:
        """What the model must know that changed around the session."""
        with suppress(Stopped):
            return await self.stopper.wait(self.ports.news(self.state)) if self.ports.news else ()
        return ()

    async def _remembered(self) -> Entry | None:
        """What of the folded part has to do with the prompt being answered, if anything has."""
        if self.ports.remember is None:
            return None
        now = self.ports.keeper.situation(self)
        event = await self.ports.remember(now, tuple(self.log.surviving))
        return self.append(event) if event else None

    @property
    def spent(self) -> str:
        """That the session has cost all it may, so that no model is called any more; else empty."""
        cost = self.state.ledger.total_cost
        if not self.max_cost or cost < self.max_cost:
            return ""
        return (
            f"The session has cost {dollars(cost)}, and no more than {dollars(self.max_cost)} is "
            "allowed (max_cost)."
        )

    def _check_cost(self) -> None:
        if self.spent:
            raise ModelError(
                "cost",
                f"{self.spent} To go on, raise the limit: /max-cost DOLLARS here, or "
                "--max-cost DOLLARS at the start.",
            )

    async def _ask(self) -> Stream:
        before = self.state
        self._check_cost()
        stream = ask(
            before,
            self.terms,
            self.ports.model,
            log=self.log.entries,
            call_ids=self._call_ids.of(self.log.entries),
            append=self.append,
            stopper=self.stopper,
            clock=self.ports.clock,
        )
        async with aclosing(stream):
            async for item in stream:
                if isinstance(item, Entry) and isinstance(item.event, Replied):
                    self.ports.used(before, item.event)
                    if told := self._doubted(before, item.event):
                        yield told
                yield item

    def _doubted(self, before: State, event: Replied) -> Notice | None:
        """That the server counts too little to be true, the first time."""
        if self._doubts or not event.usage.context or event.usage.plausible(before.context):
            return None
        self._doubts = True
        return Notice(
            f"The server counts {event.usage.prompt:,} tokens for a request of about "
            f"{before.context:,}. octochat goes by its own count.",
            "warning",
        )

    async def _run(self, calls: Sequence[ToolCall]) -> Stream:
        self._halted = False
        for call in calls:
            if self.stopper.stopped or self._halted:
                yield self.append(skipped(call, HALTED if self._halted else NOT_RUN))
                continue
            results = run(
                call,
                self.ports.tools,
                self.ports.permission,
                append=self.append,
                stopper=self.stopper,
                clock=self.ports.clock,
                hooks=ToolHooks(self.ports.hooks, Path(self.state.folder)),
                mask_secrets=self.ports.mask_secrets,
            )
            async with aclosing(results):
                async for item in results:
                    yield item
                    self._halted = self._halted or ends_turn(item)
            for notice in self.warnings():
                yield notice

    def warnings(self) -> Iterator[Notice]:
        """What a person should know that came up meanwhile, each said once."""
        while self.ports.warnings:
            yield Notice(self.ports.warnings.popleft(), "warning")


MOST_FITS = 3
"""How often one answer may be asked for again because the API counted more than octochat did."""
CUT_AGAIN = (
    f"The window cut the answer off {MOST_FITS + 1} times, whatever was compressed. Ask for less "
    "at a time, or use a model with a larger window."
)
"""What a person is told once it is not asked for again."""
