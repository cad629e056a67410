"""The note that `/done` leaves: what came of the task and what lasts, in a third of the room."""

from dataclasses import replace
from typing import Any

from octochat.context.plans.note_source import NoteSource
from octochat.context.plans.ranges import NOTE_MIN, of_a_task_that_is_done
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import Entry, Prompted, Replied, Returned
from octochat.models.scripted import Scripted
from octochat.summaries.answers import OUTCOME_SCHEMA
from tests.summaries.builders import CHEAP, answer, entries, extract, measure, note, source, write

DONE: dict[str, Any] = {
    "goal": "Mend it.",
    "outcomes": ["It is mended (#3)."],
    "verified": ["pytest passes."],
}


def finished() -> tuple[Entry, ...]:
    """A task from its request to its end."""
    write = ToolCall("w", "Write", {"file_path": "src/pool.py", "content": "x"})
    read = ToolCall("r", "Read", {"file_path": "src/other.py"})
    return entries(
        Prompted((Text("Mend the pool. Never touch vendor/."),)),
        Replied(
            (Text("I look at the other module first, to see how it is done."), read), "tool_use"
        ),
        Returned("r", (Text("detail " * 3_000),)),
        Replied((Text("Now I write the fix into the pool module."), write), "tool_use"),
        Returned("w", (Text("written"),)),
        Replied((Text("All 12 tests of the pool passed with pytest -q."),)),
        Prompted((Text("Fine."),)),
        Replied((Text("The pool closes its connections now. Next I would look at the cache."),)),
    )


def done() -> NoteSource:
    log = finished()
    everything = NoteRequest(2, 9, 1_200)
    return source(log, of_a_task_that_is_done(everything), trigger="done")


async def test_a_model_is_asked_for_outcomes_and_rules_and_for_no_next_steps() -> None:
    model = Scripted([answer(**DONE, progress=["Some steps."])])
    written = await write(model, done(), CHEAP)
    (request,) = model.requests
    assert request.schema is OUTCOME_SCHEMA
    assert "- outcomes:" in request.system
    assert "- next_steps:" not in request.system
    assert "At most 200 tokens" in request.system
    text = note(written)
    assert "## Outcomes\n- It is mended (#3)." in text
    assert "## Verified\n- pytest passes." in text
    assert "- Mend the pool. Never touch vendor/. (#2)" in text
    assert "An earlier task, which is done" in text


def test_code_keeps_what_came_of_it_how_it_was_checked_the_rules_and_the_changed_files() -> None:
    text = note(extract(done()))
    assert "## Outcomes" in text
    assert "The pool closes its connections now." in text
    assert "## Verified\n- #7 All 12 tests of the pool passed with pytest -q." in text
    assert "Never touch vendor/." in text
    assert "Files changed:\nsrc/: pool.py" in text
    for gone in ("Next steps", "I look at the other module", "Files read", "src/other.py"):
        assert gone not in text, gone


def test_it_takes_a_third_of_the_room_but_never_less_than_a_note_needs() -> None:
    assert of_a_task_that_is_done(NoteRequest(1, 2, 4_000)).budget == 1_333
    assert of_a_task_that_is_done(NoteRequest(1, 2, 600)).budget == NOTE_MIN
    work = replace(done(), request=NoteRequest(2, 9, 1_200))
    assert measure(note(extract(done()))) < measure(note(extract(work)))
