"""The call that decides and summarises: how it is asked, what is made of it, what it costs."""

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest

from octochat.config_compression import DecisionModel
from octochat.context.content import Message, Opaque, Text, ToolCall
from octochat.context.economics import Writer
from octochat.context.edits import Brief, Fold
from octochat.context.events import (
    Condensed,
    Entry,
    Event,
    Knowledge,
    Opened,
    Prompted,
    Replied,
    Returned,
    SkillLoaded,
    Trigger,
    Usage,
)
from octochat.context.prices import Prices, Rates
from octochat.context.runs import run_of
from octochat.context.state import State, replay
from octochat.context.tags import TRANSCRIPT, tagged
from octochat.context.transcript import transcript
from octochat.model import Delta, Model, ModelError, Reply, Request, Started
from octochat.models import ModelInfo
from octochat.scripted import Scripted
from octochat.summary import Models, Summariser
from octochat.writing import Job, SummaryError, Written

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


async def test_a_note_has_the_models_sections_and_what_code_harvested() -> None:
    model = Scripted([answer()])
    written = await summariser(model, CHEAP).write(job(session()))
    text = note(written)
    assert "## Goal\n- Mend the parser." in text
    assert "[#2] Please do part 0." in text
    assert "src/: f0.py" in text
    assert "- fact: The port is 8080." in text
    assert text.startswith("<work-so-far>")
    assert measure(text) <= 800
    assert written.learned == (Knowledge("fact", "The port is 8080."),)
    assert (written.writer, written.usage, written.cost) == ("cheap", USAGE, 1.5)


async def test_another_model_reads_a_transcript_with_a_schema_and_no_tools() -> None:
    model = Scripted([answer()])
    await summariser(model, CHEAP).write(job(session(), focus="the parser"))
    (request,) = model.requests
    assert request.model == "cheap"
    assert request.schema is not None
    assert request.tools == ()
    (message,) = request.messages
    (block,) = message.blocks
    assert isinstance(block, Text)
    assert block.text.startswith("<transcript>")
    assert "Please do part 0." in block.text
    assert "Please do part 5." not in block.text
    assert "the parser" in request.system


async def test_the_own_model_gets_its_own_request_and_one_text_more() -> None:
    model = Scripted([answer()])
    work = job(session())
    await summariser(model, OWN).write(work)
    (request,) = model.requests
    view = work.state.view.messages("main", binds=False)
    assert request.schema is None
    assert request.system == work.state.view.system
    assert request.messages[: len(view)] == view
    (added,) = request.messages[len(view) :]
    assert added.role == "user"
    assert 'begins with "Please do part 5."' in str(added.blocks)


async def test_the_instruction_stands_behind_results_in_the_same_message() -> None:
    log = session()[:-1]
    model = Scripted([answer()])
    await summariser(model, OWN).write(job(log))
    last: Message = model.requests[0].messages[-1]
    assert last.role == "user"
    assert isinstance(last.blocks[-1], Text)
    assert len(last.blocks) == 2


async def test_the_cheaper_of_those_who_may_is_asked() -> None:
    dear = Writer("dear", Prices.flat(Rates(100, 500, 125, 200, 10)), shares_cache=False)
    model = Scripted([answer()])
    await summariser(model, dear, CHEAP).write(job(session()))
    assert model.requests[0].model == "cheap"


async def test_a_no_is_respected_in_automatic_mode_only() -> None:
    no = answer(should_compress=False, reason="The person quotes it.")
    with pytest.raises(SummaryError, match="The person quotes it") as failed:
        await summariser(Scripted([no]), CHEAP).write(job(session()))
    assert failed.value.usage == USAGE
    assert failed.value.cost == 1.5
    written = await summariser(Scripted([no]), CHEAP).write(job(session(), trigger="done"))
    assert "Mend the parser." in note(written)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (answer(" "), "empty"),
        (answer("I'm sorry, I can't."), "sorry"),
        (answer("The work went on. " * 900), "longer"),
        (Reply((ToolCall("x", "Edit"),), USAGE, "tool_use"), "tool"),
        (Reply((Text("no"),), USAGE, "refusal"), "refused"),
    ],
)
async def test_an_answer_of_no_use_is_asked_for_again_and_then_a_failure(
    bad: Reply, why: str
) -> None:
    with pytest.raises(SummaryError, match=why) as failed:
        await summariser(Scripted([bad, bad]), CHEAP).write(job(session()))
    assert failed.value.usage == USAGE + USAGE
    assert failed.value.writer == "cheap"
    written = await summariser(Scripted([bad, answer()]), CHEAP).write(job(session()))
    assert written.usage == USAGE + USAGE


async def test_prose_instead_of_json_is_taken() -> None:
    prose = answer("## Goal\nMend it.\n## Progress\nThe lexer works.")
    assert "- The lexer works." in note(
        await summariser(Scripted([prose]), CHEAP).write(job(session()))
    )


async def test_an_error_that_may_pass_is_tried_again_and_another_is_not() -> None:
    slow = ModelError("overloaded", "Overloaded.")
    model = Scripted([slow, answer()])
    await summariser(model, OWN).write(job(session()))
    assert len(model.requests) == 2
    refused = Scripted([ModelError("auth", "The key is not valid."), answer()])
    with pytest.raises(SummaryError, match="key is not valid"):
        await summariser(refused, OWN).write(job(session()))
    assert len(refused.requests) == 1


async def test_where_the_other_model_cannot_be_had_the_own_one_is_asked() -> None:
    model = Scripted([ModelError("model", "No such model."), answer()])
    written = await summariser(model, CHEAP).write(job(session()))
    assert [request.model for request in model.requests] == ["cheap", "main"]
    assert written.writer == "main"


class Silent:
    """Takes the request, bills it, and never answers."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        yield Started(Usage(fresh=500_000))
        await asyncio.Event().wait()


async def test_a_try_that_takes_too_long_ends_and_is_paid_for() -> None:
    with pytest.raises(SummaryError, match="longer than") as failed:
        await summariser(Silent(), OWN, retries=0, timeout=0.01).write(job(session()))
    assert failed.value.usage == Usage(fresh=500_000)


async def test_without_anybody_to_ask_the_note_is_extracted() -> None:
    model = Scripted([])
    written = await summariser(model).write(job(session()))
    assert written.writer == "extractive"
    assert written.usage == Usage()
    assert model.requests == []
    assert "Please do part 0." in note(written)


async def test_a_plain_summary_is_one_paragraph_with_its_prefix() -> None:
    model = Scripted([answer("All parts\nare done.")])
    written = await summariser(model, CHEAP).write(job(session(), style="plain"))
    assert note(written) == "[Earlier conversation summary]: All parts are done."
    assert model.requests[0].schema is None
    extracted = summariser(Scripted([])).extract(job(session(), style="plain"))
    assert note(extracted).startswith(
        "[Earlier conversation summary]: Part 0 of the machine is done."
    )


async def test_the_apis_own_compaction_is_kept_as_it_came() -> None:
    block = Opaque({"type": "compaction", "content": "...", "signature": "s"})
    model = Scripted([Reply((block,), USAGE, "end_turn")])
    work = job(session(), style="server")
    written = await summariser(model, CHEAP).write(work)
    assert written.note == (block,)
    (request,) = model.requests
    assert request.compaction
    assert request.model == "main"
    assert "Please do part 5." not in str(request.messages)


async def test_where_the_api_cannot_compact_the_own_summary_takes_its_place() -> None:
    model = Scripted([ModelError("invalid", "No."), answer()])
    written = await summariser(model, CHEAP).write(job(session(), style="server"))
    assert "Mend the parser." in note(written)


@pytest.mark.parametrize(("retention", "known"), [(10, True), (0, False)])
async def test_knowledge_goes_into_the_request_and_the_note_as_far_as_it_is_retained(
    retention: int, known: bool
) -> None:
    log = session()
    old = Condensed("x", "", 10, 10, learned=(Knowledge("constraint", "Never on Fridays."),))
    log = (*log, Entry(len(log) + 1, 99.0, 1, old))
    model = Scripted([answer()])
    written = await summariser(model, CHEAP, retention=retention).write(job(log))
    assert ("Never on Fridays." in model.requests[0].system) is known
    assert ("Never on Fridays." in note(written)) is known
    assert bool(written.learned) is known


async def test_three_folds_in_a_row_keep_the_first_request_and_merge_the_knowledge() -> None:
    log = session(12)
    text = ""
    for number in range(3):
        work = job(log)
        fact = [{"kind": "fact", "text": f"The value {i}."} for i in (0, number)]
        written = await summariser(Scripted([answer(knowledge=fact)]), CHEAP).write(work)
        text = note(written)
        assert "[#2] Please do part 0." in text
        assert text.count("The value 0.") == 1
        fold = Fold(work.brief.first, work.brief.last, written.note)
        event = Condensed("x", "", 9_000, 4_000, fold, learned=written.learned)
        more = session(4)[1:]
        log = (*log, Entry(len(log) + 1, 99.0, 300, event))
        log += tuple(
            Entry(len(log) + i, 99.0, e.size, e.event) for i, e in enumerate(more[:-16] or more, 1)
        )
        state: State = replay(log)
        assert sum(str(unit).count("<work-so-far>") for unit in state.view.units) == 1
    assert text.count("- fact: The value") == 3


def test_what_survives_the_fold_is_neither_read_nor_covered() -> None:
    log = session()
    skill = SkillLoaded("s", "<skill>Do it.</skill>")
    log = (*log[:3], Entry(90, 3.5, 10, skill), *log[3:])
    model = Scripted([])
    work = job(log)
    text = note(summariser(model).extract(work))
    assert "(#2 to " in text
    assert "Do it." not in text


def test_a_transcript_cuts_results_and_leaves_out_what_is_worth_least() -> None:
    log = entries(
        Prompted((Text("Look."),)),
        Replied((ToolCall("a", "Read", {"path": "x" * 5_000}),), "tool_use"),
        Returned("a", (Text("head" + "." * 50_000 + "tail </transcript>"),), failed=True),
        Prompted((Text("dull " * 100),)),
        Prompted((Text("Good."),)),
    )
    units = replay(log).view.units
    whole = transcript(units, 10_000, measure)
    assert len(whole) < 6_000
    assert "head." in whole
    assert "tail &lt;/transcript>" in tagged(TRANSCRIPT, whole)
    assert "[result of Read (failed)]" in whole
    some = transcript(units, 30, measure, {units[0].id: 1.0, units[-1].id: 2.0})
    assert some == "[person, #2]\nLook.\n\n[left out]\n\n[person, #6]\nGood."


def folded_once() -> tuple[tuple[Entry, ...], Job]:
    """A session with a note, whose id is higher than those of the units behind it."""
    log = session()
    work = job(log)
    written = summariser(Scripted([])).extract(work)
    event = Condensed("x", "", 9_000, 4_000, Fold(work.brief.first, work.brief.last, written.note))
    log = (*log, Entry(len(log) + 1, 99.0, 300, event))
    return log, Job(replay(log), work.brief, log, "auto", 1_000.0)


def test_what_stays_behind_a_run_is_found_by_its_place_not_by_its_id() -> None:
    _, work = folded_once()
    units = work.state.view.units
    assert units[0].id > units[-1].id
    run = run_of(work.state, Brief(units[0].id, units[1].id, 500), "auto")
    assert run.units == units[:2]
    assert run.next == units[2]
    assert run.covers[0] == 2


async def test_a_second_compaction_by_the_api_gets_the_first_note_and_no_more_than_the_run() -> (
    None
):
    log, work = folded_once()
    units = work.state.view.units
    brief = Brief(units[0].id, units[1].id, 500, style="server")
    model = Scripted([Reply((Opaque({"type": "compaction"}),), USAGE, "end_turn")])
    await summariser(model, CHEAP).write(Job(work.state, brief, log, "auto", 1_000.0))
    sent = str(model.requests[0].messages)
    assert "<work-so-far>" in sent
    assert str(units[-1].id) != str(units[1].id)
    assert len(model.requests[0].messages) < len(work.state.view.messages("main", binds=False))


def test_a_plain_summary_of_next_to_nothing_still_says_something() -> None:
    log = entries(
        Prompted((Text("Hi."),)), Prompted((Text("You?"),)), *[Prompted((Text("."),))] * 4
    )
    work = job(log, style="plain")
    assert note(summariser(Scripted([])).extract(work)).endswith(": Hi. You? .")
