"""Builders for the tests of summaries: what a note is written from, and a summariser at work."""

import json
from dataclasses import replace

from octochat.config.compression import DecisionModel
from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import Writer
from octochat.context.plans.note_source import NoteSource
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import NoteRequest, NoteStyle
from octochat.context.session.events import (
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    Trigger,
    Usage,
)
from octochat.context.session.state import replay, surviving
from octochat.engine.note_writer import Bill, WrittenNote
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Model, Reply
from octochat.models.scripted import Scripted
from octochat.summaries.summariser import Summariser

PRICES = Prices.flat(Rates(1.0, 5.0, 1.25, 2.0, 0.1))
USAGE = Usage(fresh=1_000_000, output=100_000)
GOOD = {
    "should_compress": True,
    "reason": "old",
    "goal": "Mend the parser.",
    "progress": ["The lexer works now."],
    "decisions": [],
    "constraints": [],
    "questions": [],
    "next_steps": ["Write the test."],
    "knowledge": [{"kind": "fact", "text": "The port is 8080."}],
}


def measure(text: str) -> int:
    return (len(text) + 3) // 4


def answer(text: str = "", **changes: object) -> Reply:
    return Reply((Text(text or json.dumps(GOOD | changes)),), USAGE, "end_turn")


def weigh(event: Event) -> int:
    return measure(repr(event))


def entries(*events: Event) -> tuple[Entry, ...]:
    opened = Opened("main", "You are an agent.")
    return tuple(Entry(i, float(i), weigh(e), e) for i, e in enumerate((opened, *events), 1))


def session(rounds: int = 6) -> tuple[Entry, ...]:
    events: list[Event] = []
    for i in range(rounds):
        call = ToolCall(f"c{i}", "Edit", {"file_path": f"src/f{i}.py", "new_string": "x"})
        events += [
            Prompted((Text(f"Please do part {i}."),)),
            Replied((Text(f"I edit part {i}."), call), "tool_use", model="main"),
            Returned(call.id, (Text(f"edited {i}\n" + "detail " * 100),)),
            Replied((Text(f"Part {i} of the machine is done."),), model="main"),
        ]
    return entries(*events)


def info(name: str) -> ModelInfo:
    return ModelInfo(name, prices=PRICES, window=200_000, compaction=name == "main")


async def no_wait(_: float) -> None:
    pass


async def write(
    model: Model,
    source: NoteSource,
    *writers: Writer,
    bill: Bill | None = None,
    retention: int = 10,
    retries: int = 1,
    patience: float = 5.0,
    decision: DecisionModel | None = None,
    guidance: str = "",
) -> WrittenNote:
    decision = decision or DecisionModel(max_retries=retries, retry_timeout=patience)
    summariser = Summariser(
        model, info, decision, measure, retention=retention, guidance=guidance, sleep=no_wait
    )
    offered = replace(source, situation=replace(source.situation, writers=writers))
    return await summariser.write(offered, bill or Bill())


def extract(source: NoteSource) -> WrittenNote:
    return Summariser(Scripted([]), info, DecisionModel(), measure, retention=10).extract(source)


CHEAP = Writer("cheap", PRICES, shares_cache=False)
OWN = Writer("main", PRICES, shares_cache=True)


def source(
    log: tuple[Entry, ...],
    request: NoteRequest | None = None,
    *,
    trigger: Trigger = "auto",
    style: NoteStyle = "work",
    focus: str = "",
) -> NoteSource:
    state = replay(log)
    units = state.view.units
    usual = NoteRequest(units[0].id, units[-4].id, 800, focus=focus, style=style)
    situation = Situation(state, measure, now=1_000.0, trigger=trigger)
    return NoteSource(situation, request or usual, surviving(log))


def note(written: WrittenNote) -> str:
    (block,) = written.blocks
    assert isinstance(block, Text)
    return block.text
