"""When the model is told that it may forget a skill."""

from pathlib import Path

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import (
    Entry,
    Event,
    Opened,
    Prompted,
    Reminded,
    Replied,
    SkillLoaded,
)
from octochat.context.session.state import State, replay
from octochat.session.news import IDLE, reminders
from octochat.skills.skill_file import Skill
from octochat.skills.skills import skill_text

LOADED = SkillLoaded("pdf", skill_text(Skill("pdf", "d", Path("/skills/pdf"), "Do it.")))
SAID = Prompted((Text("and?"),))


def state(*events: Event) -> State:
    every = (Opened("m", "s"), SAID, *events)
    return replay([Entry(n, 0.0, 1, event) for n, event in enumerate(every, 1)])


def used(**arguments: object) -> Replied:
    return Replied((ToolCall("c", "read", arguments),), "tool_use")


def test_after_some_prompts_without_a_use_it_is_told_once() -> None:
    assert list(reminders(state(LOADED, *[SAID] * (IDLE - 1)))) == []
    (told,) = reminders(state(LOADED, *[SAID] * IDLE))
    assert told.skill == "pdf"
    assert "was last used 3 requests ago" in told.text
    assert list(reminders(state(LOADED, *[SAID] * IDLE, told, SAID))) == []


def test_what_reads_or_runs_something_of_it_is_a_use() -> None:
    reads = used(file_path="/skills/pdf/forms.md")
    assert list(reminders(state(LOADED, *[SAID] * IDLE, reads, SAID))) == []
    again = used(action="use", name="pdf")
    assert list(reminders(state(LOADED, *[SAID] * IDLE, again))) == []
    assert len(list(reminders(state(LOADED, SAID, reads, *[SAID] * IDLE)))) == 1


def test_one_that_is_permanent_or_taken_up_again_has_no_reminder_behind_it() -> None:
    permanent = SkillLoaded("pdf", LOADED.body, permanent=True)
    assert list(reminders(state(permanent, *[SAID] * IDLE))) == []
    told = Reminded("t", "pdf")
    assert len(list(reminders(state(LOADED, told, LOADED, *[SAID] * IDLE)))) == 1
