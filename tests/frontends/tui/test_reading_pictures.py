"""What is read in the transcript, at its best and at its longest, as pictures; each looked at."""

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from octochat.context.session.content import Text, Thinking, ToolCall
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, HookRan, Returned
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.compression import CompressionCard
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.models.port import Notice
from tests.frontends.tui.canvas import Draw
from tests.frontends.tui.told import Told

EDIT = ToolCall(
    "e",
    "edit",
    {
        "file_path": "tests/test_retry.py",
        "old_string": "    start(port)\n    sleep(0.05)\n    assert get(port)",
        "new_string": "    start(port)\n    wait_until_up(port, limit=5)\n    assert get(port)",
    },
)


DIFF = """--- tests/test_retry.py
+++ tests/test_retry.py
@@ -11,5 +11,5 @@
 def test_retry(port):
     start(port)
-    sleep(0.05)
+    wait_until_up(port, limit=5)
     assert get(port)
"""


def working() -> Told:
    """A question, a compression, and work that goes on behind it."""
    told = Told()
    told.opened()
    told.asks("Why does test_retry fail now and then?")
    told.calls(
        ToolCall("r", "read", {"file_path": "tests/test_retry.py"}),
        ToolCall("b", "bash", {"command": "pytest -q tests/test_retry.py --count 200"}),
        text="I read the test and run it 200 times.",
    )
    told.returns("r", "def test():\n" * 60, took=0.1)
    told.returns("b", "E  ConnectionRefusedError\n9 failed, 191 passed in 31.2s", failed=True)
    told.says(Text("It sleeps **50 ms** and takes the server to be up by then."))
    folded = told.condensed(2, 3)
    assert isinstance(folded.event, Condensed)
    note = Text(
        "## Goal\nMake test_retry **steady**.\n\n- start() returns before the server listens"
    )
    event = replace(folded.event, fold=Fold(2, 3, (note,), (2,)), trims=())
    told.entries[-1] = replace(folded, event=event)
    told.asks("Then make it wait until the server listens.")
    told.says(Text("A wait with a limit takes the place of the sleep."), EDIT, stop="tool_use")
    edited = Text("edited tests/test_retry.py in 1 place")
    told.add(Returned("e", (edited,), diff=DIFF))
    return told


def test_work_behind_a_compression(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(working().entries)
        for card in shown.cards:
            if isinstance(card, CompressionCard) or (
                isinstance(card, CallCard) and card.call.id == EDIT.id
            ):
                card.toggle()
                shown.model.touched.add(card)
        shown.follow()

    draw(act)


def test_what_a_hook_did(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("Make the retry test steady, and clean up.")
        told.says(Text("I change it and run it."), EDIT, stop="tool_use")
        told.add(Returned("e", (Text("edited tests/test_retry.py in 1 place"),), diff=DIFF))
        form = "jq -r .tool_input.file_path | xargs npx prettier --write"
        mine, project = "~/.config/octochat/config.toml", ".claude/settings.json"
        told.add(HookRan("PostToolUse", form, "Edit", "", "test_retry.py 41ms", 0, 0.7, 0, mine))
        why = "denied: rm -rf is not for you. Move it to .trash/ and say what you moved"
        guard = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/block-rm.sh'
        told.add(HookRan("PreToolUse", guard, "Bash", why, "not for you", 2, 0.03, 24, project))
        shown.show_all(told.entries)
        shown.cards[-1].toggle()
        shown.model.touched.add(shown.cards[-1])
        shown.follow()

    draw(act)


def test_an_error_in_full(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("Hello?")
        shown.show_all(told.entries)
        detail = (
            "HTTP 400 invalid_request_error: messages.3: `tool_use` ids were found without "
            "`tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a "
            "corresponding `tool_result` block in the next message.\nrequest id: req_011CSHoEeqs"
        )
        shown.show(Notice(f"The API refused the request.\n{detail}", "error"))
        shown.update()
        shown.focus()
        await pilot.press("enter")

    draw(act)


def test_long_lines(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("Show me " + "a prompt that goes on and on, " * 6 + "to its end.")
        told.says(
            Thinking("A thought that goes on and on, " * 8, "signed"),
            Text(
                "```python\nresult = compute("
                + ", ".join(f"argument_{n}" for n in range(16))
                + ")\n```\n\n"
                "| a column | another column that has much to say | a third |\n|--|--|--|\n"
                "| short | " + "words that are wrapped in their cell " * 3 + "| `code_here` |\n\n"
                "- an item " + "that is longer than its line " * 5 + "\n  - and one below it\n"
            ),
        )
        told.calls(ToolCall("b", "bash", {"command": "grep -rn " + "pattern_" * 20 + " src tests"}))
        told.returns("b", "x" * 300 + "\n" + "short")
        shown.show_all(told.entries)
        shown.update()
        shown.focus()
        await pilot.press("enter")

    draw(act)
