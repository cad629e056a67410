"""Random sessions through the real engine: a world to play them in, and what happened there."""

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from octochat.context.codec.trees import canonical
from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import Writer
from octochat.context.plans.note_source import NoteSource
from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Block, Message, Opaque, Text, Thinking, ToolCall
from octochat.context.session.events import (
    Entry,
    Event,
    Instructed,
    Knowledge,
    ModelChanged,
    Opened,
    Recalled,
    Replied,
    SkillForgotten,
    SkillLoaded,
    ToolDefinition,
    Usage,
)
from octochat.context.session.state import State
from octochat.context.session.view import Note
from octochat.engine import tasks
from octochat.engine.compress import Compressor
from octochat.engine.loop import Engine
from octochat.engine.note_writer import Bill, SummaryError, WrittenNote
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import Ports
from octochat.memory.all_sessions import Where
from octochat.memory.session_memory import SessionMemory
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Delta, ModelError, Reply, Request, Started, TextDelta
from octochat.project.changes import changes
from octochat.storage.log import Log
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError

PRICES = Prices.flat(Rates(2, 10, 2.5, 4, 0.1))
WINDOW, RESERVE, MARGIN = 4_000, 200, 50


def weigh(event: Event) -> int:
    """Tokens of an event: a quarter of its characters, and what was billed for a reply."""
    blocks: tuple[Block, ...] = ()
    match event:
        case Opened(system=system):
            return len(system) // 4
        case Replied() as reply:
            blocks = reply.blocks
        case SkillLoaded(body=body) | Recalled(text=body) | Instructed(text=body):
            return len(body) // 4
        case _:
            content: object = getattr(event, "content", None) or getattr(event, "blocks", None)
            fold = getattr(event, "fold", None)
            blocks = content or (fold.note if fold else ())  # pyright: ignore[reportAssignmentType]
    return len(canonical(tuple(blocks), tuple[Block, ...])) // 4 if blocks else 0


@dataclass
class Heard:
    """A request, with the log as it stood when it was made."""

    request: Request
    entries: int
    state: State


@dataclass
class World:
    """One random session."""

    seed: int
    strategies: Sequence[Strategy]
    binds: bool = True
    heard: list[Heard] = field(default_factory=list[Heard])
    log: Log = field(init=False)
    engine: Engine = field(init=False)

    def __post_init__(self) -> None:
        self.now: float = 1_000.0
        self.random: random.Random = random.Random(self.seed)
        self.calls: int = 0
        self.births: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.stands_for: dict[str, str] = {}
        self.log = Log(None, weigh=weigh, clock=lambda: self.now)
        tools = (ToolDefinition("echo", "says it again", {"type": "object"}),)
        self.log.append(Opened("a", "be kind " * 10, tools))
        self.compressor: Compressor = Compressor(
            ContextPolicy(
                tuple(self.strategies), MARGIN, 0, RESERVE, 300, self._writers, False, 1.0
            ),
            NoteScript(self.random, self.stands_for),
            weigh,
            lambda text: len(text) // 4,
        )
        self.compressor.ahead.share, self.compressor.ahead.between_turns = 0.7, True
        self.memory: SessionMemory = SessionMemory(
            None, tokens=150, strategies=self.strategies, earlier=Where(), warn=print
        )
        ports = Ports(
            model=self,
            tools={"echo": Echo()},
            permission=Willing(),
            keeper=self.compressor,
            clock=lambda: self.now,
            info=lambda name: ModelInfo(
                name,
                PRICES,
                WINDOW,
                RESERVE,
                binds_thinking=self.binds and name == "a",
                compaction=True,
            ),
            used=lambda before, event: None,
            mask_secrets=True,
            remember=self.memory.remember,
            news=self._news,
        )
        self.engine = Engine(self.log, ports, max_tokens=100, ttl=300)

    async def _news(self, state: State) -> Sequence[Event]:
        """Now and then a file with instructions appears, changes or goes."""
        if self.random.random() < 0.9:
            return ()
        file = self.random.choice(("AGENTS.md", "web/AGENTS.md"))
        text = self.random.choice(("", "use tabs\n" * 9, "use tabs\n" * 9 + "use spaces"))
        known = {each.file: each.text for each in state.instructions}
        return tuple(changes(state.instructions, known | {file: text}))

    def _writers(self, model: str) -> tuple[Writer, ...]:
        return (Writer(model, PRICES, shares_cache=True),)

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """The model: random words, thoughts and calls; now and then it fails or is cut off."""
        self.heard.append(Heard(request, len(self.log.entries), self.engine.state))
        self.now += self.random.choice((0.5, 2, 20))
        chance = self.random.random()
        if chance < 0.04:
            raise ModelError("invalid", "no")
        usage = Usage(cache_write=self._count(request.messages), output=self.random.randint(1, 90))
        yield Started(usage)
        yield TextDelta("well ")
        if chance < 0.07:
            self.engine.interrupt()
            await asyncio.sleep(0)
        blocks, stop = self._blocks(request)
        if chance > 0.97:
            stop = self.random.choice(("max_tokens", "refusal"))
        yield Reply(blocks, usage, stop)  # pyright: ignore[reportArgumentType]

    def _count(self, messages: Sequence[Message]) -> int:
        flat = tuple(block for message in messages for block in message.blocks)
        return len(canonical(flat, tuple[Block, ...])) // 4 + 30

    def _blocks(self, request: Request) -> tuple[tuple[Block, ...], str]:
        blocks: list[Block] = []
        if self.random.random() < 0.6:
            blocks.append(self._thought(request))
        if self.random.random() < 0.8:
            blocks.append(Text("x" * self.random.choice((1, 40, 400)) if self.seed % 7 else " "))
        if self.random.random() < 0.6:
            for _ in range(self.random.randint(1, 3)):
                self.calls += 1
                size = self.random.choice((0, 5, 200, 3_000))
                name = "echo" if self.random.random() < 0.95 else "nothing"
                blocks.append(ToolCall(f"t{self.calls}", name, {"n": size}))
            return tuple(blocks), "tool_use"
        return tuple(blocks), "end_turn"

    def _thought(self, request: Request) -> Thinking:
        signature = f"s{len(self.births)}"
        self.births[signature] = prefix(request, None, self.stands_for)
        return Thinking("hm", signature)

    def play(self, acts: Sequence[str]) -> None:
        """Do what a person does, one thing after the other."""
        asyncio.run(self._play(acts))

    async def _play(self, acts: Sequence[str]) -> None:
        for act in acts:
            self.now += self.random.choice((1, 30))
            await self._do(act)

    async def _do(self, act: str) -> None:
        engine, compressor = self.engine, self.compressor
        units = engine.state.view.units
        match act:
            case "say":
                size = self.random.choice((1, 50, 900))
                await drain(engine.turn((Text("z" * size),)))
            case "done":
                await drain(tasks.done(engine, compressor, "next", keep_turns=0))
            case "compact":
                await drain(tasks.compact(engine, compressor, "names"))
            case "go on":
                await drain(engine.go_on())
            case "undo":
                tasks.undo(engine)
            case "restore":
                tasks.restore(engine, compressor)
            case "edit note":
                notes = [unit.id for unit in units if isinstance(unit, Note)]
                text = "mine " * self.random.choice((1, 100, 900))
                tasks.edit_note(engine, self.random.choice(notes or [0]), text)
            case "pin" if units:
                tasks.pin(engine, self.random.choice(units).id)
            case "unpin" if engine.state.pins:
                tasks.unpin(engine, min(engine.state.pins))
            case "skill":
                engine.append(SkillLoaded("s", "a skill " * 20))
            case "permanent":
                engine.append(SkillLoaded("p", "for ever " * 10, permanent=True))
            case "forget":
                engine.append(SkillForgotten("s"))
            case "switch":
                to, scale = ("b", 1.3) if engine.state.model == "a" else ("a", 1 / 1.3)
                engine.append(ModelChanged(to, scale))
            case "idle":
                self.now += 1_000
            case "resume":
                self.engine.state = Engine(self.log, engine.ports, max_tokens=100, ttl=300).state
            case _:
                pass


class NoteScript:
    """Writes notes of random lengths, learns things, and fails now and then."""

    def __init__(self, rng: random.Random, stands_for: dict[str, str]) -> None:
        self._random = rng
        self._stands_for = stands_for

    async def write(self, source: NoteSource, bill: Bill) -> WrittenNote:
        chance = self._random.random()
        usage = Usage(fresh=100, output=20)
        bill.add("a", usage, 0.001)
        if chance < 0.2:
            raise SummaryError.owing(bill, "it said no")
        if source.request.style == "server" and chance < 0.8:
            return WrittenNote((self._compacted(source),), (), "a", usage, 0.001)
        text = "n" * self._random.choice((10, 100, 3_000))
        fact = Knowledge("fact", f"fact {self._random.randint(1, 5)}")
        return WrittenNote((Text(text),), (fact,), "a", usage, 0.001)

    def _compacted(self, source: NoteSource) -> Opaque:
        """A block as the API signs it: it stands for all the words that it was given."""
        view = source.situation.state.view
        run = view.split(view.units[0].id, source.request.last)[1]
        messages = replace(view, units=run).messages("a", binds=True)
        name = f"c{len(self._stands_for)}"
        request = Request("a", view.system, (), messages, 1)
        self._stands_for[name] = prefix(request, None, self._stands_for)[0]
        return Opaque({"type": "compaction", "content": name})

    def extract(self, source: NoteSource) -> WrittenNote:
        return WrittenNote((Text("the gist"),), writer="extractive")


class Echo:
    """A tool that says as much as it is asked to, and fails when that is nothing."""

    spec = ToolDefinition("echo", "says it again", {"type": "object"})

    def access(self, arguments: Arguments) -> Access:
        return Access("none", "echo")

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        size = arguments["n"]
        if not isinstance(size, int) or not size:
            raise ToolError("nothing to say")
        progress("...")
        return Output((Text("y" * size),))

    async def close(self) -> None:
        return


class Willing:
    """Permits everything."""

    async def check(
        self, tool: str, call: ToolCall, access: Access, hook: object = None
    ) -> str | None:
        return None

    def may_show(self, tool: str, access: Access) -> bool:
        return True


async def drain(stream: AsyncGenerator[Entry | Delta, None]) -> None:
    """Consume a stream; a model that fails is part of life."""
    try:
        async with aclosing(stream):
            async for _ in stream:
                pass
    except ModelError:
        return


def prefix(
    request: Request, until: str | None, stands_for: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """What stands before a thought: everything but thinking, and the signatures, in order.

    `until` is the thought's signature; None takes the whole request. A compaction at the very
    beginning counts as the words that it stands for.
    """
    words: list[str] = [request.system]
    thoughts: list[str] = []
    for message in request.messages:
        for block in message.blocks:
            if isinstance(block, Thinking):
                if block.signature == until:
                    return "".join(words), tuple(thoughts)
                thoughts.append(block.signature)
            elif isinstance(block, Opaque) and len(words) == 1:
                words = [stands_for[str(block.raw["content"])]]
            else:
                words.append(f"{message.role}:{canonical((block,), tuple[Block, ...])}")
    return "".join(words), tuple(thoughts)
