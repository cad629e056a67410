"""One call of the model: from the view to a `Replied`, however it ends."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from octochat.context.session.content import Block, Message, Text, Thinking, ToolCall
from octochat.context.session.events import Entry, Event, Replied, Usage
from octochat.context.session.state import State
from octochat.context.session.survivors import newest_first
from octochat.context.session.tool_definition import declared
from octochat.context.session.validity import problems
from octochat.context.session.view import Note, View
from octochat.engine.call_ids import unique
from octochat.engine.stopping import Stopped, Stopper
from octochat.models.catalogue import ModelInfo
from octochat.models.port import (
    Delta,
    Model,
    ModelError,
    Reply,
    Request,
    Retrying,
    Started,
    TextDelta,
    ThinkingDelta,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How the model is asked."""

    info: ModelInfo
    max_tokens: int
    """The most it may write, in tokens."""
    ttl: int
    """How long what is cached lives, in seconds."""


def request(state: State, terms: Terms) -> Request:
    """The request that the view makes now.

    Raises:
        ModelError: the API would refuse it (`invalid`); the view makes that impossible.
    """
    made = drafted(state, terms)
    if wrong := problems(made.messages):
        raise ModelError(
            "invalid", f"The conversation can't be sent: {wrong[0]}. /undo takes a prompt back."
        )
    return made


def drafted(state: State, terms: Terms) -> Request:
    """The request as it stands, before anything is asked: it may end with the model's own words."""
    view, info = state.view, terms.info
    messages = _messages(view, info)
    folds = [i for i, u in enumerate(view.units) if isinstance(u, Note) and u.kind == "summary"]
    folded = replace(view, units=view.units[: folds[-1] + 1]) if folds else None
    return Request(
        model=info.name,
        system=view.system,
        tools=declared(view.tools, defers=info.loads_tools),
        messages=messages,
        max_tokens=terms.max_tokens,
        folded=len(_messages(folded, info)) if folded else 0,
        effort=view.effort if view.effort in info.efforts else "",
    )


def _messages(view: View, info: ModelInfo) -> tuple[Message, ...]:
    return view.messages(
        info.name,
        binds=info.binds_thinking,
        compacts=info.compaction,
        efforts=info.turns_effort,
        defers=info.loads_tools,
    )


def follows(state: State, log: Sequence[Entry], now: float) -> str:
    """The id of the last answer, if the cache holds its request and this one only adds to it."""
    if not state.ledger.warm(now) or not state.view.begins_with(state.sent):
        return ""
    replies = (e.event for e in newest_first(log) if isinstance(e.event, Replied))
    last = next((event for event in replies if event.usage.context), None)
    return last.id if last and last.model == state.model else ""


async def ask(
    state: State,
    terms: Terms,
    model: Model,
    *,
    log: Sequence[Entry],
    call_ids: Collection[str],
    append: Callable[[Event], Entry],
    stopper: Stopper,
    clock: Callable[[], float],
) -> AsyncGenerator[Delta | Entry, None]:
    """Stream the answer; the last item is the entry that holds it.

    What a person interrupts is kept as far as it came. Nothing of a call that failed is.
    `call_ids` are those of the session so far: a tool call never gets one of them again.

    Raises:
        ModelError: the call failed.
    """
    begun = clock()
    made = replace(request(state, terms), follows=follows(state, log, begun))
    draft = _Draft(state, terms.info, terms.ttl, begun)
    async with aclosing(model.reply(made)) as stream:
        while True:
            try:
                item = await stopper.wait(anext(stream, None))
            except Stopped:
                yield append(draft.interrupted(clock()))
                return
            except (asyncio.CancelledError, GeneratorExit):
                append(draft.interrupted(clock()))
                raise
            except ModelError:
                if draft.billed:
                    yield append(draft.failed(clock()))
                raise
            if item is None:
                raise ModelError(
                    "stream", "The answer ended before it was complete. /retry goes on."
                )
            if isinstance(item, Retrying) and draft.billed:
                yield append(draft.failed(clock()))
            if isinstance(item, Reply):
                yield append(draft.whole(item, call_ids, clock()))
                return
            draft.hear(item)
            try:
                yield item
            except GeneratorExit:
                append(draft.interrupted(clock()))
                raise


class _Draft:
    """What has come of an answer so far."""

    def __init__(self, state: State, info: ModelInfo, ttl: int, begun: float) -> None:
        self._state: State = state
        self._info: ModelInfo = info
        self._begun: float = begun
        self._ttl: int = ttl
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._usage: Usage = Usage()

    def hear(self, delta: Delta) -> None:
        """Note what would be kept if it ended here."""
        match delta:
            case TextDelta(text=text):
                self._texts.append(text)
            case ThinkingDelta(text=text):
                self._thoughts.append(text)
            case Started(usage=usage):
                self._usage = usage
            case Retrying():
                self._texts.clear()
                self._thoughts.clear()
                self._usage = Usage()
            case _:
                pass

    @property
    def billed(self) -> bool:
        """Whether the API took the request: what it announced is billed even if the call fails."""
        return bool(self._usage.context)

    def failed(self, now: float) -> Replied:
        """What a call that broke off costs: nothing of it is kept."""
        return self._replied(Reply((), self._usage, "failed"), now)

    def interrupted(self, now: float) -> Replied:
        """What came: without unfinished calls, and thinking only for the person."""
        text = "".join(self._texts).rstrip()
        blocks = (Text(text),) if text else ()
        replied = self._replied(Reply(blocks, self._usage, "interrupted"), now)
        return replace(replied, thought="".join(self._thoughts).strip())

    def whole(self, reply: Reply, call_ids: Collection[str], now: float) -> Replied:
        """The answer as it goes into the view."""
        return self._replied(replace(reply, blocks=settled(reply, call_ids)), now)

    def _replied(self, reply: Reply, now: float) -> Replied:
        return Replied(
            blocks=reply.blocks,
            stop=reply.stop,
            usage=reply.usage,
            model=self._info.name,
            digest=self._state.view.digest,
            cost=self._info.prices.cost(reply.usage),
            ttl=self._ttl,
            seconds=max(now - self._begun, 0.0),
            id=reply.id,
            void=reply.stop in ("failed", "model_context_window_exceeded"),
        )


def settled(reply: Reply, call_ids: Collection[str]) -> tuple[Block, ...]:
    """The blocks that can be sent back: no empty text, no call that won't run, thinking never last.

    Ids of calls are unique in a session, what is folded or undone included, for it may come back;
    those of servers that count them from one in every reply get a suffix.
    """
    new: set[str] = set()
    blocks: list[Block] = []
    for block in reply.blocks:
        match block:
            case Text(text=text) if not text.strip():
                continue
            case ToolCall() if reply.stop != "tool_use":
                continue
            case ToolCall():
                call = replace(block, id=unique(block.id, call_ids, new))
                new.add(call.id)
                blocks.append(call)
            case _:
                blocks.append(block)
    while blocks and isinstance(blocks[-1], Thinking):
        blocks.pop()
    return tuple(blocks)
