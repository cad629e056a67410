"""Keeps the prompt cache warm while the person is away: one cheap call before it dies, if it pays.

Never while a turn is at work: who runs the session begins it after a turn and stops it before one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from octochat.context.plans.keep_warm import Beat, next_beat
from octochat.context.session.events import Entry, KeptWarm, Usage
from octochat.engine.ask import drafted, follows
from octochat.engine.loop import Engine
from octochat.models.port import ModelError, Notice, Reply, Request, Retrying, Started

Tell: TypeAlias = Callable[[Entry | Notice], object]


@dataclass
class WarmKeeper:
    """Makes the calls for one session."""

    engine: Engine
    minutes: int
    """For how long after a turn the person is expected back; 0: no call is ever made."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Waits so many seconds."""
    begun: bool = False
    """Somebody has it make calls: a front end that stays awake between turns."""
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def next(self) -> Beat | None:
        """The next call, if one is to be made.

        A model that thinks within a budget is left out: where the budget does not fit, as with one
        token of answer, the API keeps another cache.
        """
        engine = self.engine
        if not self.minutes or engine.spent or engine.terms.info.thinking == "budget":
            return None
        return next_beat(engine.ports.keeper.situation(engine), self.minutes)

    def begin(self, tell: Tell) -> None:
        """Keep the cache warm from now on; `tell` hears of each call. Needs a running loop."""
        self.begun = bool(self.minutes)
        if self.begun and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self.keep(tell))

    async def stop(self) -> None:
        """Make no further call, and cut off one that is under way; what it has cost is billed."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def keep(self, tell: Tell) -> None:
        """Make every call that is due, each in its time, until there are no more."""
        while beat := self.next:
            await self.sleep(max(beat.at - self.engine.now(), 0.0))
            if beat != self.next:
                continue  # something was changed meanwhile, or the machine was asleep
            told = await self._call()
            tell(told)
            if isinstance(told, Notice):
                self.begun = False
                return

    async def _call(self) -> Entry | Notice:
        usage, why = Usage(), "the answer broke off"
        try:
            async with aclosing(self.engine.ports.model.reply(self._request())) as stream:
                async for item in stream:
                    match item:
                        case Started(usage=paid) | Reply(usage=paid):
                            usage = paid
                        case Retrying(why=why):
                            break
                        case _:
                            pass
        except ModelError as error:
            why = str(error)
        except asyncio.CancelledError:
            self._bill(usage)
            raise
        return self._bill(usage) or Notice(f"The cache is not kept warm: {why}", "warning")

    def _bill(self, usage: Usage) -> Entry | None:
        if not usage.context:
            return None
        info = self.engine.terms.info
        return self.engine.append(KeptWarm(info.name, usage, info.prices.cost(usage)))

    def _request(self) -> Request:
        """The last request as it was sent, with one token of answer."""
        engine, state = self.engine, self.engine.state
        made = drafted(replace(state, view=state.sent), engine.terms)
        before = follows(state, engine.log.entries, engine.now())
        return replace(made, max_tokens=1, follows=before)
