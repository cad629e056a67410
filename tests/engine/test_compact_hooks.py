"""What the hooks around a compression are told: docs/hooks.md#compressions."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from octochat.context.session.edits import Plan, ResultTrim
from octochat.context.session.view import Step
from octochat.hooks.hook import EventName, Hook
from octochat.hooks.hooks import Hooks
from tests.stage import Stage, calls, long_talk, note_text, notes, talked

MOMENTS: tuple[EventName, ...] = ("PreCompact", "PostCompact")


def hooked(stage: Stage, folder: Path) -> None:
    """From now on what the hooks of compressions are given is kept in the folder."""
    made = [Hook(moment, f"cat > {moment}") for moment in MOMENTS]
    stage.compressor.hooks = Hooks(made, folder=folder, env=os.environ)


def told(folder: Path) -> set[str]:
    """The moments whose hooks have run."""
    return {file.name for file in folder.iterdir()}


def given(folder: Path) -> list[dict[str, Any]]:
    return [json.loads((folder / moment).read_text()) for moment in MOMENTS]


def test_they_are_told_what_the_person_asked_for_and_what_came_of_it(tmp_path: Path) -> None:
    stage = Stage(long_talk(9))
    talked(stage, 9)
    hooked(stage, tmp_path)
    asyncio.run(stage.say("/compact mind the mast"))
    (note,) = notes(stage)
    assert told(tmp_path) == {*MOMENTS}
    before, after = given(tmp_path)
    assert (before["trigger"], before["custom_instructions"]) == ("manual", "mind the mast")
    assert after["compact_summary"] == note_text(note)
    assert after["dropped"] == list(note.covers)
    assert after["kept"] == [unit.id for unit in stage.state.view.units if unit != note]


async def test_what_is_only_shortened_is_no_matter_of_theirs(tmp_path: Path) -> None:
    stage = Stage(calls(900))
    await stage.say("read it")
    hooked(stage, tmp_path)
    step = next(unit for unit in stage.state.view.units if isinstance(unit, Step))
    plan = Plan("test", trims=(ResultTrim(step.calls[0].id, "short"),))
    _ = [item async for item in stage.compressor.carry_out(stage.engine, plan, "test")]
    assert len(stage.condensed) == 1
    assert told(tmp_path) == set()
