"""A session through the real engine with a scripted model: what talks, what writes notes."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from octochat.commands.base import Shown
from octochat.commands.execute import execute, understood
from octochat.config.compression import DecisionModel
from octochat.config.load import Config, config_of
from octochat.context.economics.prices import Prices
from octochat.context.economics.worth import Writer
from octochat.context.plans.hints import HintRule
from octochat.context.plans.strategy import Level, Strategy
from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Held,
    NoteEdited,
    Opened,
    Returned,
    ToolDefinition,
    Usage,
)
from octochat.context.session.state import State
from octochat.context.session.view import Note
from octochat.context.strategies.pressure import Pressure
from octochat.engine.compress import Compressor
from octochat.engine.loop import Engine
from octochat.engine.policy import ContextPolicy
from octochat.engine.ports import Ports
from octochat.memory.all_sessions import Where
from octochat.memory.session_memory import SessionMemory
from octochat.models.catalogue import ModelInfo
from octochat.models.offline import Offline
from octochat.models.port import Delta, Reply, Request
from octochat.models.routing import Routed
from octochat.models.scripted import Line, Scripted
from octochat.models.tokens.ruler import Ruler
from octochat.permissions.ask import Headless, Permissions
from octochat.permissions.rules import Rules
from octochat.session.dials import Dials
from octochat.session.session import Session
from octochat.skills.skills import Skills
from octochat.storage.log import Log
from octochat.summaries.summariser import Summariser
from octochat.tools.base import Access, Arguments, Output, Progress
from tests.build import SONNET

LEVELS = (
    Level(10_000, 2.0),
    Level(20_000, 4.0),
    Level(30_000, 8.0),
)
EAGER = Pressure(pressure_levels=LEVELS, require_benefit=False)
SUMMARY: dict[str, object] = {
    "should_compress": True,
    "reason": "it is long",
    "goal": "build a boat",
    "progress": ["the hull is done"],
    "decisions": ["oak, because it lasts"],
    "constraints": ["no nails"],
    "questions": [],
    "next_steps": ["the mast"],
    "knowledge": [{"kind": "decision", "text": "the hull is oak"}],
}


def answer(**changes: object) -> Reply:
    """A summariser's answer."""
    return text(json.dumps(SUMMARY | changes))


def text(said: str, **usage: int) -> Reply:
    """A plain reply."""
    return Reply((Text(said),), Usage(**usage), "end_turn")


class Reader:
    """A tool that returns as many words as it is asked for."""

    spec = ToolDefinition("read", "reads", {"type": "object", "properties": {}})

    def access(self, arguments: Arguments) -> Access:
        return Access("none", str(arguments.get("file_path")))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        words = arguments.get("words", 10)
        return Output((Text(" ".join(f"w{n}" for n in range(int(str(words))))),))

    async def close(self) -> None:
        return


class Willing:
    """Permits everything."""

    async def check(self, tool: str, call: ToolCall, access: Access, hook: object = None) -> None:
        return

    def may_show(self, tool: str, access: Access) -> bool:
        return True


@dataclass
class Stage:
    """What a test plays on."""

    talk: Iterable[Line]
    """What the model says in the conversation, one item a call."""
    notes: Iterable[Line] = ()
    """What it says when it is asked for a summary; without any, an answer that serves."""
    strategies: tuple[Strategy, ...] = (EAGER,)
    prices: Prices = SONNET
    head: str = "be kind"
    window: int = 200_000
    writers: bool = True
    now: float = 1_000.0
    entries: Iterable[Entry] = ()
    """A log to go on with."""
    skills: Skills = Skills(())
    asked: list[Request] = field(default_factory=list[Request])
    """Summary requests."""

    def __post_init__(self) -> None:
        self._talk = Scripted(self.talk)
        given = list(self.notes)
        self._notes = Scripted(given) if given else Scripted(_forever(answer()))
        ruler = Ruler()
        self.log = Log(None, weigh=lambda event: weigh(ruler, event), clock=lambda: self.now)
        tools = {"read": Reader()}
        if not list(self.entries):
            specs = tuple(
                ToolDefinition(t.spec.name, "reads", t.spec.schema) for t in tools.values()
            )
            self.log.append(Opened("m", self.head, specs))
        for entry in self.entries:
            self.log.append(entry.event)
        info = ModelInfo("m", self.prices, self.window, 1_000)
        self.compressor = Compressor(
            ContextPolicy(
                self.strategies,
                margin=0,
                max_session=0,
                reserve=1_000,
                note_max=4_000,
                writers=self._writers,
                ignore_cost=False,
                ahead=1.0,
                hints=HintRule(EAGER, 0.7, 5),
            ),
            Summariser(
                self,
                lambda _: info,
                DecisionModel(model="m", max_retries=1),
                measure,
                retention=10,
                sleep=_no_sleep,
            ),
            lambda event: weigh(ruler, event),
            measure,
        )
        ports = Ports(
            self,
            tools,
            Willing(),
            self.compressor,
            lambda: self.now,
            lambda _: info,
            lambda before, event: None,
            mask_secrets=True,
        )
        self.engine = Engine(self.log, ports, max_tokens=1_000, ttl=300)
        self.session = Session(
            self.engine,
            self.compressor,
            Dials(Permissions(Rules(Path("/work")), Headless()), lambda _: info),
            CONFIG,
            self.skills,
            (),
            lambda _: info,
            Routed((Offline(),)),
            ruler,
            SessionMemory(None, tokens=0, strategies=(), earlier=Where(), warn=print),
        )

    def _writers(self, model: str) -> tuple[Writer, ...]:
        return (Writer("m", self.prices, shares_cache=True),) if self.writers else ()

    def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Talk, or write a note: a summary request has octochat's instruction in it."""
        if wants_note(request):
            self.asked.append(request)
            return self._notes.reply(request)
        return self._talk.reply(request)

    @property
    def heard(self) -> list[Request]:
        """What the model was asked in the conversation."""
        return self._talk.requests

    @property
    def state(self) -> State:
        return self.engine.state

    async def say(self, words: str) -> list[Shown]:
        """Say it and gather what is shown; a model's error is the last item's business."""
        async with aclosing(execute(self.session, understood(words))) as stream:
            return [item async for item in stream]

    @property
    def condensed(self) -> list[Condensed]:
        return [e.event for e in self.log.entries if isinstance(e.event, Condensed)]

    @property
    def held(self) -> list[Held]:
        return [e.event for e in self.log.entries if isinstance(e.event, Held)]


CONFIG: Config = config_of({})


def measure(said: str) -> int:
    """A word is a token."""
    return len(said.split())


def weigh(ruler: Ruler, event: Event) -> int:
    """Words, for everything that has any."""
    match event:
        case Opened(system=system):
            return measure(system)
        case NoteEdited(text=said):
            return measure(said)
        case Returned(content=content):
            return sum(measure(b.text) for b in content if isinstance(b, Text))
        case Condensed(fold=fold):
            return sum(measure(b.text) for b in fold.note if isinstance(b, Text)) if fold else 0
        case _:
            blocks: tuple[object, ...] = getattr(event, "blocks", ())
            body: str = getattr(event, "body", "")
            return sum(measure(b.text) for b in blocks if isinstance(b, Text)) + measure(body) + 5


def wants_note(request: Request) -> bool:
    last = request.messages[-1].blocks[-1]
    return isinstance(last, Text) and "octochat" in last.text and "should_compress" in last.text


def calls(*sizes: int, path: str = "/src/boat.py") -> Iterator[Line]:
    """Replies that each read so many words, and a last one that ends the turn."""
    for n, size in enumerate(sizes):
        arguments: dict[str, object] = {"words": size, "file_path": path}
        call = ToolCall(f"c{n}_{size}_{id(sizes)}", "read", arguments)
        yield Reply((Text("look"), call), Usage(), "tool_use")
    yield text("done")


def _forever(line: Line) -> Iterator[Line]:
    while True:
        yield line


async def _no_sleep(seconds: float) -> None:
    return


LONG = " ".join(["word"] * 700)


def long_talk(turns: int) -> Iterator[Line]:
    return repeat(text(LONG), turns)


def talked(stage: Stage, turns: int) -> None:
    for n in range(turns):
        asyncio.run(stage.say(f"request number {n} is to build part {n} of the boat"))


def notes(stage: Stage) -> list[Note]:
    return [u for u in stage.state.view.units if isinstance(u, Note) and u.kind == "summary"]


def note_text(note: Note) -> str:
    return plain_text(note.blocks)
