"""What a summariser is told: the range, what stays, what the person wants, and the numbers."""

from dataclasses import replace

import pytest

from octochat.config.compression import DecisionModel
from octochat.context.economics.worth import Writer
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Request
from octochat.models.scripted import Scripted
from octochat.summaries.requests import Wanted, by_transcript
from tests.summaries.builders import (
    CHEAP,
    OWN,
    answer,
    info,
    measure,
    note,
    session,
    source,
    write,
)

DECISION = DecisionModel()
LONG = "Now the release notes, please. " + "And mind the details. " * 120
"""A request longer than any line."""


def at_work() -> tuple[Entry, ...]:
    """A session whose last request is being worked on."""
    log = session()
    events = (
        Prompted((Text(LONG + "the very end"),)),
        Replied(
            (Text("I read them first. " * 30), ToolCall("r", "Read", {"path": "NEWS"})), "tool_use"
        ),
        Returned("r", (Text("no such file"),), failed=True),
    )
    return (*log, *(Entry(len(log) + n, 99.0, 40, e) for n, e in enumerate(events, 1)))


def words(request: Request) -> str:
    (message,) = request.messages
    (block,) = message.blocks
    assert isinstance(block, Text)
    return block.text


async def test_a_transcript_shows_the_current_request_whole_and_a_line_for_each_newer_message() -> (
    None
):
    model = Scripted([answer()])
    work = source(at_work())
    await write(model, work, CHEAP)
    older, newer = words(model.requests[0]).split("</transcript>")
    assert "the very end" not in older
    assert LONG.strip() in newer
    assert "the very end" in newer
    lines = newer.partition("[the newer messages]\n")[2].partition("\n</staying>")[0].split("\n")
    rest = [unit for unit in work.staying if unit is not work.working_on]
    assert [line.split(" ")[0] for line in lines] == [f"#{unit.id}" for unit in rest]
    assert lines[-1].startswith("#27 agent | I read them first.")
    assert lines[-1].endswith("| Read NEWS (failed)")
    assert max(map(len, lines)) < 300
    assert "<staying>" in model.requests[0].system


async def test_where_nothing_stays_nothing_is_said_of_a_newer_part() -> None:
    log = session(3)
    whole = source(log)
    everything = replace(whole.request, last=whole.situation.state.view.units[-1].id)
    model = Scripted([answer()])
    await write(model, source(log, everything, trigger="done"), CHEAP)
    assert words(model.requests[0]).endswith("</transcript>")
    assert "staying" not in model.requests[0].system


def test_what_stays_takes_no_more_than_its_share_of_a_small_window() -> None:
    small = ModelInfo("small", window=4_000, max_output=1_000)
    from_decision = by_transcript(source(at_work()), Wanted(), small, DECISION, measure)
    older, newer = words(from_decision).split("</transcript>")
    assert measure(newer) < 0.4 * (measure(older) + measure(newer))
    assert "Now the release notes" in newer
    assert "the very end" in newer
    assert measure(words(from_decision)) < small.window - small.max_output


@pytest.mark.parametrize("writer", [CHEAP, OWN])
async def test_what_the_person_wants_of_every_note_is_in_every_request(writer: Writer) -> None:
    model = Scripted([answer(), answer("All is done.")])
    guidance = "Keep the ticket numbers; $5 is no placeholder."
    await write(model, source(session()), writer, guidance=guidance)
    await write(model, source(session(), style="paragraph"), writer, guidance=guidance)
    for request in model.requests:
        assert guidance in request.system + str(request.messages)


async def test_the_own_model_is_told_the_numbers_that_it_cannot_see() -> None:
    model = Scripted([answer()])
    work = source(session())
    await write(model, work, OWN)
    last = model.requests[0].messages[-1].blocks[-1]
    assert isinstance(last, Text)
    for unit in work.units:
        assert f"\n#{unit.id} " in last.text
    assert f"#{work.units[-1].id + 3} " not in last.text
    assert "#3 agent | I edit part 0. | Edit src/f0.py" in last.text


async def test_a_statement_keeps_the_numbers_that_recall_understands_and_loses_the_others() -> None:
    said = ["It works (#3).", "It fails (#4, #999)", "Issue (#999)", "See (#77) there."]
    known = [{"kind": "fact", "text": "The port is 80 (#3)."}]
    model = Scripted([answer(progress=said, knowledge=known)])
    written = await write(model, source(session()), CHEAP)
    text = note(written)
    assert "- It works (#3).\n- It fails (#4)\n- Issue\n- See (#77) there." in text
    assert [entry.text for entry in written.learned] == ["The port is 80."]


EIGHT = [f"Statement {n}: part {n} of it was done by hand and holds." for n in range(8)]


@pytest.mark.parametrize("budget", [400, 1_500, 4_000])
async def test_what_a_model_wrote_within_its_length_all_stands_in_the_note(budget: int) -> None:
    given = budget // 2
    length = measure("\n".join(EIGHT))
    filled = [f"{each} {'More. ' * max((given - length - 120) // 16, 0)}".strip() for each in EIGHT]
    log = session(60)
    work = source(log)
    work = source(log, replace(work.request, budget=budget))
    written = await write(Scripted([answer(goal="", next_steps=[], progress=filled)]), work, CHEAP)
    assert [each for each in filled if each not in note(written)] == []
    if budget > 1_000:
        assert measure(note(written)) <= budget


async def test_of_what_a_model_wrote_beyond_its_length_the_best_stays() -> None:
    log = session(60)
    work = source(log)
    work = source(log, replace(work.request, budget=400))
    chatter = [f"Chatter {n}: " + "and so on " * 30 for n in range(20)]
    written = await write(Scripted([answer(progress=chatter)]), work, CHEAP)
    assert "Mend the parser." in note(written)
    assert "Write the test." in note(written)
    assert measure(note(written)) < 1_000


def test_a_model_without_a_window_to_speak_of_is_no_crash() -> None:
    tiny = replace(info("cheap"), window=2_000, max_output=1_500)
    request = by_transcript(source(at_work()), Wanted(), tiny, DECISION, measure)
    assert words(request)


@pytest.mark.parametrize("writer", [CHEAP, OWN], ids=["transcript", "instruction"])
async def test_the_messages_that_matter_most_are_pointed_out_those_on_one_file_together(
    writer: Writer,
) -> None:
    log, numbers = session(), list[int]()
    for n in range(2):
        call = ToolCall(f"e{n}", "Edit", {"file_path": "a.py"})
        said = f"We decided to use the {n}th table because the tests failed without it."
        numbers.append(len(log) + 1)
        for event in (Replied((Text(said), call), "tool_use"), Returned(call.id, (Text("ok"),))):
            log = (*log, Entry(len(log) + 1, 99.0, 40, event))
    for event in (Replied((Text("Done."),)), *(Prompted((Text(f"and {n}"),)) for n in range(4))):
        log = (*log, Entry(len(log) + 1, 99.0, 40, event))
    model = Scripted([answer()])
    await write(model, source(log), writer)
    request = model.requests[0]
    last = request.messages[-1].blocks[-1]
    assert isinstance(last, Text)
    told = request.system + last.text
    assert "matter most" in told
    assert f"(#{numbers[0]}, #{numbers[1]})" in told
