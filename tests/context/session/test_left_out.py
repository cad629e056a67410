"""What a line of the log leaves out: it means what it has always meant, so old sessions open."""

import json

import pytest

from octochat.context.codec.trees import from_tree
from octochat.context.session.content import Thinking, ToolResult
from octochat.context.session.edits import PromptTrim, ResultTrim
from octochat.context.session.events import (
    Condensed,
    Event,
    Held,
    HookRan,
    Instructed,
    KeptWarm,
    ModelChanged,
    Opened,
    Recalled,
    Replied,
    Returned,
    Reverted,
    SkillLoaded,
    Usage,
)
from octochat.context.session.steering import EffortChanged
from octochat.context.session.tool_definition import ToolDefinition

NOTHING = Usage(0, 0, 0, 0, 0)
TOOL = '{"name": "read", "description": "Reads.", "schema": {}}'
THOUGHT = '{"kind": "thinking", "text": "hm", "signature": "s"}'
RESULT = '{"kind": "tool_result", "call_id": "c", "content": []}'
CUTS = '"trims": [{"call_id": "c", "text": "so"}, {"call_id": "", "text": "so", "unit": 4}]'
WHY = '"by": "x", "why": "so"'


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (
            f'{{"kind": "opened", "model": "m", "system": "s", "tools": [{TOOL}]}}',
            Opened("m", "s", (ToolDefinition("read", "Reads.", {}, "always"),), "", ""),
        ),
        (
            f'{{"kind": "replied", "blocks": [{THOUGHT}, {RESULT}]}}',
            Replied(
                (Thinking("hm", "s", redacted=False), ToolResult("c", (), failed=False)),
                "end_turn",
                NOTHING,
                "",
                "",
                None,
                300,
                0.0,
                "",
                "",
                void=False,
            ),
        ),
        (
            '{"kind": "returned", "call_id": "c", "content": []}',
            Returned("c", (), failed=False, seconds=0.0, waited=0.0, note="", diff=""),
        ),
        (
            f'{{"kind": "condensed", "before": 9, "after": 5, {WHY}, {CUTS}}}',
            Condensed(
                "x",
                "so",
                9,
                5,
                None,
                (ResultTrim("c", "so", 0), PromptTrim(4, "so", 0, bare=False, results=0)),
                "auto",
                None,
                None,
                None,
                (),
                "",
                (),
                "",
                NOTHING,
                0.0,
                ignored=False,
                seconds=0.0,
            ),
        ),
        (
            f'{{"kind": "held", {WHY}}}',
            Held("x", "so", "auto", None, "", NOTHING, 0.0, ignored=False, seconds=0.0),
        ),
        ('{"kind": "reverted", "condensed": 4, "task": null, "after": 9}', Reverted(4, None, 9, 0)),
        ('{"kind": "recalled", "text": "oak"}', Recalled("oak", (), 0, None)),
        (
            '{"kind": "skill_loaded", "name": "a", "body": "b"}',
            SkillLoaded("a", "b", permanent=False),
        ),
        (
            '{"kind": "instructed", "file": "a", "text": "b"}',
            Instructed("a", "b", "", "added", partly=False),
        ),
        ('{"kind": "model_changed", "model": "n"}', ModelChanged("n", 1.0, only_now=False)),
        ('{"kind": "effort_changed", "effort": "low"}', EffortChanged("low", top_level=False)),
        ('{"kind": "kept_warm", "model": "m"}', KeptWarm("m", NOTHING, None)),
        (
            '{"kind": "hook_ran", "event": "Stop", "command": "c"}',
            HookRan("Stop", "c", "", "", "", 0, 0.0, 0, "", ends=False),
        ),
    ],
    ids=lambda case: "" if isinstance(case, str) else type(case).__name__,
)
def test_a_field_that_is_left_out_has_the_value_that_it_always_had(line: str, event: Event) -> None:
    assert from_tree(Event, json.loads(line)) == event
