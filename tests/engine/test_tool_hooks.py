"""What the hooks around one tool call are given, and what the model hears of them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from octochat.context.session.content import Text, ToolCall, plain_text
from octochat.engine.tool_hooks import LONGEST_INPUT, ToolHooks, advice
from octochat.hooks.hook import EventName, Hook
from octochat.hooks.hooks import Hooks, Verdict
from octochat.tools.base import Access, HookAdvice, Output

CALL = ToolCall("c", "bash", {"command": "ls"})
ACCESS = Access("none", "ls")
DONE = Output((Text("two files"),))


def hooked(folder: Path, event: EventName, command: str) -> ToolHooks:
    return ToolHooks(Hooks([Hook(event, command)], folder=folder, env=os.environ), folder)


def changes(**given: str) -> str:
    """A command that puts this in place of a call's arguments."""
    said = {"hookEventName": "PreToolUse", "updatedInput": given}
    return f"cat <<'END'\n{json.dumps({'hookSpecificOutput': said}, ensure_ascii=False)}\nEND"


@pytest.mark.parametrize(("more", "cut"), [(0, False), (1, True)])
async def test_the_model_is_told_a_changed_input_up_to_a_length_and_in_its_own_letters(
    tmp_path: Path, more: int, *, cut: bool
) -> None:
    room = LONGEST_INPUT - len('{"command": ""}')
    command = "ü" * (room + more)
    hooks = hooked(tmp_path, "PreToolUse", changes(command=command))
    await hooks.before(CALL, ACCESS)
    whole = f'{{"command": "{command}"}}'
    shown = f"{whole[:LONGEST_INPUT]} …" if cut else whole
    assert [said.text for said in hooks.told] == [f"[A hook changed the input: {shown}]"]


@pytest.mark.parametrize("path", [None, Path("/work/a.txt")])
async def test_after_a_call_they_are_given_its_result_and_the_file_if_it_was_one(
    tmp_path: Path, path: Path | None
) -> None:
    hooks = hooked(tmp_path, "PostToolUse", "cat > given; echo it is generated >&2; exit 2")
    output = await hooks.after(CALL, Access("none", "ls", path=path), DONE)
    told: dict[str, Any] = json.loads((tmp_path / "given").read_text())
    file = {"filePath": str(path)} if path else {}
    assert told["tool_response"] == {"content": "two files", "success": True, **file}
    assert plain_text(output.content).endswith("[A hook says of this call: it is generated]")
    assert len(hooks.runs) == 1


async def test_without_a_hook_for_the_moment_a_result_is_as_it_was(tmp_path: Path) -> None:
    hooks = hooked(tmp_path, "PreToolUse", "echo no >&2; exit 2")
    assert await hooks.after(CALL, ACCESS, DONE) == DONE
    assert hooks.runs == []


def test_allow_and_ask_are_advice_and_a_refusal_or_no_word_is_none() -> None:
    for decision in ("allow", "ask"):
        assert advice(Verdict(decision=decision, reason="so")) == HookAdvice(decision, "so")
    assert advice(Verdict(decision="deny", reason="no")) is None
    assert advice(Verdict()) is None
