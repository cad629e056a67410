"""Builders for the tests of summaries: a session, a job, a summariser with a script."""

import json

from octochat.config.compression import DecisionModel
from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import Writer
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Brief
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
from octochat.context.session.state import replay
from octochat.engine.note_writer import Job, Written
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Model, Reply
from octochat.summaries.summariser import Models, Summariser

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


def summariser(
    model: Model, *writers: Writer, retention: int = 10, retries: int = 1, timeout: float = 5.0
) -> Summariser:
    decision = DecisionModel(max_retries=retries, retry_timeout=timeout)
    return Summariser(
        Models(model, info, lambda _: writers),
        decision,
        measure,
        retention=retention,
        sleep=no_wait,
    )


CHEAP = Writer("cheap", PRICES, shares_cache=False)
OWN = Writer("main", PRICES, shares_cache=True)


def job(
    log: tuple[Entry, ...], *, trigger: Trigger = "auto", style: str = "work", focus: str = ""
) -> Job:
    state = replay(log)
    units = state.view.units
    brief = Brief(units[0].id, units[-4].id, 800, focus=focus, style=style)
    return Job(state, brief, log, trigger, now=1_000.0)


def note(written: Written) -> str:
    (block,) = written.note
    assert isinstance(block, Text)
    return block.text
