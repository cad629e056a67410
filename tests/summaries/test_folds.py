"""Notes over several folds: what they keep, what they cover, what a summariser gets to read."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from octochat.context.economics.worth import Writer
from octochat.context.notes.transcript import transcript
from octochat.context.plans.note_source import NoteSource
from octochat.context.session.content import Opaque, Text, ToolCall
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import (
    Condensed,
    Entry,
    Knowledge,
    KnowledgeChanged,
    Prompted,
    Replied,
    Returned,
    SkillLoaded,
)
from octochat.context.session.state import State, replay
from octochat.context.session.tags import TRANSCRIPT, tagged
from octochat.context.session.view import Note
from octochat.models.port import Reply
from octochat.models.scripted import Scripted
from tests.summaries.builders import (
    CHEAP,
    OWN,
    USAGE,
    answer,
    entries,
    extract,
    measure,
    note,
    session,
    source,
    write,
)


@pytest.mark.parametrize(("retention", "known"), [(10, True), (0, False)])
async def test_knowledge_goes_into_the_request_and_the_note_as_far_as_it_is_retained(
    retention: int, known: bool
) -> None:
    log = session()
    old = Condensed("x", "", 10, 10, learned=(Knowledge("constraint", "Never on Fridays."),))
    log = (*log, Entry(len(log) + 1, 99.0, 1, old))
    model = Scripted([answer()])
    written = await write(model, source(log), CHEAP, retention=retention)
    assert ("Never on Fridays." in model.requests[0].system) is known
    assert ("Never on Fridays." in note(written)) is known
    assert bool(written.learned) is known


async def test_what_a_model_finds_outdated_is_in_the_note_no_more_but_for_the_persons() -> None:
    log = session()
    known = (
        Knowledge("fact", "The port is 8080."),
        Knowledge("constraint", "Never on Fridays.", "person"),
        Knowledge("fact", "The hull is oak."),
    )
    log = (*log, Entry(len(log) + 1, 99.0, 1, KnowledgeChanged(known)))
    model = Scripted([answer(knowledge=[], outdated=[1, 2, 9])])
    written = await write(model, source(log), CHEAP)
    assert (
        "1. fact: The port is 8080.\n2. constraint: Never on Fridays." in model.requests[0].system
    )
    assert written.outdated == known[:2]
    assert "8080" not in note(written)
    assert "- constraint: Never on Fridays." in note(written)
    assert "- fact: The hull is oak." in note(written)


async def test_three_folds_in_a_row_keep_the_first_request_and_merge_the_knowledge() -> None:
    log = session(12)
    text = ""
    for number in range(3):
        work = source(log)
        fact = [{"kind": "fact", "text": f"The value {i}."} for i in (0, number)]
        written = await write(Scripted([answer(knowledge=fact)]), work, CHEAP)
        text = note(written)
        assert "[#2] Please do part 0." in text
        assert text.count("The value 0.") == 1
        fold = work.request.noted(written.blocks)
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
    work = source(log)
    assert 90 not in {unit.id for unit in work.units}
    assert 90 not in work.covers
    assert "Do it." not in note(extract(work))


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


def folded_once() -> NoteSource:
    """A session with a note, whose id is higher than those of the units behind it."""
    log = session()
    work = source(log)
    written = extract(work)
    event = Condensed("x", "", 9_000, 4_000, work.request.noted(written.blocks))
    log = (*log, Entry(len(log) + 1, 99.0, 300, event))
    return source(log)


CHATTER = [f"Chatter {n}: " + "and so on " * 30 for n in range(12)]


async def cut_once() -> NoteSource:
    """A session with a model's note that had no room for all of the answer."""
    log = session()
    work = source(log)
    work = replace(work, request=replace(work.request, budget=400))
    written = await write(Scripted([answer(progress=CHATTER)]), work, CHEAP)
    fold = work.request.noted(written.blocks)
    event = Condensed("x", "", 9_000, 4_000, fold, writer="cheap", answer=written.answer)
    return source((*log, Entry(len(log) + 1, 99.0, 300, event)))


@pytest.mark.parametrize("writer", [CHEAP, OWN])
async def test_the_next_note_is_written_from_the_whole_answer_before_not_from_what_was_cut(
    writer: Writer,
) -> None:
    work = await cut_once()
    earlier = work.situation.state.view.units[0]
    assert isinstance(earlier, Note)
    assert CHATTER[-1].strip() not in str(earlier.blocks)
    model = Scripted([answer()])
    await write(model, work, writer)
    last = model.requests[0].messages[-1].blocks[-1]
    assert isinstance(last, Text)
    assert all(each.strip() in last.text for each in CHATTER)


async def test_what_a_note_has_whole_is_not_logged_twice() -> None:
    written = await write(Scripted([answer()]), source(session()), CHEAP)
    assert written.answer == ""


def renamed(log: tuple[Entry, ...], n: int) -> Iterator[Entry]:
    """The entries with ids of calls of their own."""
    for entry in log:
        match entry.event:
            case Replied(blocks=blocks) as event:
                calls = (
                    replace(b, id=f"{b.id}-{n}") if isinstance(b, ToolCall) else b for b in blocks
                )
                yield replace(entry, event=replace(event, blocks=tuple(calls)))
            case Returned(call_id=call_id) as event:
                yield replace(entry, event=replace(event, call_id=f"{call_id}-{n}"))
            case _:
                yield entry


async def test_where_code_writes_after_a_model_it_keeps_what_the_model_found_but_no_old_plans() -> (
    None
):
    found = ["The lexer works (#3).", "The port was <work-so-far> wrong."]
    log, written = session(), None
    for n in range(3):
        work = source(log)
        steps = answer(progress=found, decisions=["Oak, because it lasts."])
        first = await write(Scripted([steps]), work, CHEAP)
        written = extract(work) if n else first
        fold = work.request.noted(written.blocks)
        event = Condensed("x", "", 9_000, 4_000, fold, writer=written.writer)
        more = tuple(replace(e, id=e.id + 100 * (n + 1)) for e in renamed(session()[1:], n))
        log = (*log, Entry(100 * (n + 1), 99.0, 300, event), *more)
    assert written
    text = note(written)
    assert "- The lexer works (#3)." in text
    assert "- Oak, because it lasts." in text
    assert text.count("The lexer works") == 1
    assert "Write the test." not in text


def test_what_stays_behind_a_run_is_found_by_its_place_not_by_its_id() -> None:
    work = folded_once()
    units = work.situation.state.view.units
    assert units[0].id > units[-1].id
    two = replace(work, request=NoteRequest(units[0].id, units[1].id, 500))
    assert two.units == units[:2]
    assert two.behind == units[2]
    assert two.covers[0] == 2


async def test_a_second_compaction_by_the_api_gets_the_first_note_and_no_more_than_the_run() -> (
    None
):
    work = folded_once()
    units = work.situation.state.view.units
    request = NoteRequest(units[0].id, units[1].id, 500, style="server")
    model = Scripted([Reply((Opaque({"type": "compaction"}),), USAGE, "end_turn")])
    await write(model, replace(work, request=request), CHEAP)
    sent = str(model.requests[0].messages)
    assert "<work-so-far>" in sent
    assert len(model.requests[0].messages) < len(
        work.situation.state.view.messages("main", binds=False)
    )


def test_a_plain_summary_of_next_to_nothing_still_says_something() -> None:
    log = entries(
        Prompted((Text("Hi."),)), Prompted((Text("You?"),)), *[Prompted((Text("."),))] * 4
    )
    work = source(log, style="paragraph")
    assert note(extract(work)).endswith(": Hi. You? .")
