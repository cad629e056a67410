"""Where the loop asks hooks, and how often: docs/hooks.md#when-hooks-run."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from octochat.commands.base import Shown
from octochat.context.session.events import Entry, HookRan, Reminded
from octochat.engine.hooking import MOST_STOPS, Hooking
from octochat.hooks.hook import EventName, Hook
from octochat.hooks.hooks import Hooks
from octochat.models.port import ModelError, Notice
from tests.root import ROOT
from tests.stage import Stage, long_talk, text

KEPT = "cat >> {0}; echo >> {0}"
"""A command that keeps what it is given."""
NO = "echo the tests fail >&2; exit 2"


def hooked(stage: Stage, folder: Path, **commands: str) -> None:
    """From now on these hooks run; each keeps what it is given in a file of its name."""
    moments: Sequence[EventName] = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
    made = [Hook(m, f"{KEPT.format(m)}; {commands[m]}") for m in moments if m in commands]
    hooks = Hooks(made, folder=folder, env=os.environ)
    stage.engine.ports = replace(stage.engine.ports, hooks=hooks)
    stage.engine.hooking = Hooking(hooks, stage.engine)


def given(folder: Path, moment: EventName) -> list[dict[str, Any]]:
    """What the hooks of this moment were given so far."""
    file = folder / moment
    return [json.loads(li) for li in file.read_text().splitlines() if li] if file.exists() else []


def reminded(shown: Sequence[Shown]) -> list[str]:
    events = [item.event for item in shown if isinstance(item, Entry)]
    return [event.text for event in events if isinstance(event, Reminded)]


def warned(shown: Sequence[Shown]) -> list[str]:
    return [item.text for item in shown if isinstance(item, Notice)]


async def test_the_start_is_told_with_the_first_prompt_only_and_whether_it_is_one(
    tmp_path: Path,
) -> None:
    stage = Stage(long_talk(3))
    hooked(stage, tmp_path, SessionStart="echo Use bun.")
    told = [reminded(await stage.say(words)) for words in ("one", "two")]
    assert [len(texts) for texts in told] == [1, 0]
    again = Stage(long_talk(3), entries=stage.log.entries)
    hooked(again, tmp_path, SessionStart="true")
    await again.say("three")
    assert [each["source"] for each in given(tmp_path, "SessionStart")] == ["startup", "resume"]


async def test_the_end_is_told_only_where_something_was_said(tmp_path: Path) -> None:
    stage = Stage(long_talk(1))
    hooked(stage, tmp_path, SessionEnd="true")
    await stage.engine.hooking.end("other")
    assert given(tmp_path, "SessionEnd") == []
    await stage.say("one")
    await stage.engine.hooking.end("clear")
    assert [each["reason"] for each in given(tmp_path, "SessionEnd")] == ["clear"]


async def test_stop_hooks_keep_each_turn_going_so_often_and_the_person_is_told_once(
    tmp_path: Path,
) -> None:
    stage = Stage(long_talk(99))
    hooked(stage, tmp_path, Stop=NO)
    for turn in (1, 2):
        shown = await stage.say("work")
        assert len(reminded(shown)) == MOST_STOPS
        (told,) = warned(shown)
        assert f"{MOST_STOPS} times" in told
        assert len(stage.heard) == turn * (MOST_STOPS + 1)
    active = [each["stop_hook_active"] for each in given(tmp_path, "Stop")]
    assert active == [False, *[True] * (MOST_STOPS - 1)] * 2


def test_the_page_on_hooks_says_how_often_a_turn_is_kept_going() -> None:
    page = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    assert f"After {MOST_STOPS} times in one turn Stop hooks are not asked again" in page


async def test_a_stop_hook_that_is_content_the_second_time_lets_the_turn_end(
    tmp_path: Path,
) -> None:
    stage = Stage(long_talk(9))
    hooked(stage, tmp_path, Stop=f"test -e once || {{ touch once; {NO}; }}")
    shown = await stage.say("work")
    (why,) = reminded(shown)
    assert "the tests fail" in why
    assert warned(shown) == []
    assert len(stage.heard) == 2


async def test_a_turn_that_failed_and_goes_on_in_another_run_was_not_kept_going_by_a_hook(
    tmp_path: Path,
) -> None:
    failed = Stage([ModelError("auth", "The key is wrong.")])
    try:
        await failed.say("work")
    except ModelError:
        assert failed.engine.unfinished
    stage = Stage([text("done")], entries=failed.log.entries)
    hooked(stage, tmp_path, Stop="true")
    assert [item async for item in stage.engine.go_on()]
    (told,) = given(tmp_path, "Stop")
    assert (told["stop_hook_active"], told["last_assistant_message"]) == (False, "done")


async def test_a_hook_refuses_a_prompt_by_a_no_and_by_an_end_of_the_turn(tmp_path: Path) -> None:
    for command in (NO, """echo '{"continue": false, "stopReason": "enough"}'"""):
        stage = Stage(long_talk(1))
        hooked(stage, tmp_path, UserPromptSubmit=command)
        shown = await stage.say("work")
        (told,) = warned(shown)
        assert told.startswith("Not sent, a hook said no: ")
        assert stage.heard == []
        assert [type(item.event) for item in shown if isinstance(item, Entry)] == [HookRan]
