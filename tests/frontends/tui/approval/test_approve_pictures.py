"""What a question for permission looks like where there is little room; each was looked at."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from octochat.frontends.tui.approval.panel import EARLY, ApprovalPanel
from octochat.permissions.ask import Approval
from octochat.permissions.danger import dangers
from tests.frontends.tui.approval.test_approve import FOLDER, Watch, edit, past, run
from tests.frontends.tui.widget_stage import THEMES, Snap, Stage, prompt
from tests.waiting import until

PAST = past("git commit -m a", "git status", "git log --oneline", "git diff", "ls")
LONG = 'git commit -m "[bold]日本語 🎉" && git push origin main && echo "done [/red]"'
PREVIEW = """--- src/app.py
+++ src/app.py
@@ -1,4 +1,4 @@
 import os
-print("old [bold]")
+print("日本語 🎉 new")
 x = 1
 y = 2
@@ -40,3 +40,4 @@
 def f():
-    return [1]
+    return [1,
+        2]
 # end
"""
OLD = 'import os\nprint("old [bold]")\nx = 1\ny = 2\ndef f():\n    return [1]\n# end\n'
NEW = (
    'import os\nprint("日本語 🎉 new")\nx = 1\ny = 2\ndef f():\n    return [1,\n        2]\n# end\n'
)


def shown(snap: Snap, folder: Path, one: Approval, keys: Sequence[str], *, theme: str) -> bool:
    watch = Watch()
    line = prompt(folder, clock=watch)
    panel = ApprovalPanel(folder=FOLDER, past=lambda: PAST, clock=watch)

    async def before(pilot: Pilot[None]) -> None:
        line.editor.put("a draft that stays")
        task = asyncio.ensure_future(panel.ask(one))
        await until(pilot, lambda: panel.has_focus)
        await pilot.pause()
        watch.now += 1
        await until(pilot, lambda: EARLY not in str(panel.border_subtitle))
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        pilot.app.set_timer(3600, task.cancel)

    app = Stage(panel, line, theme=theme, above="The transcript stands here.")
    return snap(app, terminal_size=(60, 15), run_before=before)


@pytest.mark.parametrize("theme", THEMES)
def test_a_command(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    assert shown(snap_compare, tmp_path, run(LONG), [], theme=theme)


@pytest.mark.parametrize("theme", THEMES)
def test_a_change(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = edit(OLD, NEW, PREVIEW)
    assert shown(snap_compare, tmp_path, one, [], theme=theme)


@pytest.mark.parametrize("theme", THEMES)
def test_three_widths(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = run("git commit -m x")
    assert shown(snap_compare, tmp_path, one, ["a", "down"], theme=theme)


def test_a_line_that_cannot_be_told_for_sure(snap_compare: Snap, tmp_path: Path) -> None:
    one = run("for f in *; do eval $f; done")
    assert shown(snap_compare, tmp_path, one, [], theme=THEMES[0])


def test_a_pattern_that_is_none(snap_compare: Snap, tmp_path: Path) -> None:
    keys = ["a", "e", "backspace"]
    one = run("ls -l")
    assert shown(snap_compare, tmp_path, one, keys, theme=THEMES[0])


@pytest.mark.parametrize("theme", THEMES)
def test_parts_of_a_change(snap_compare: Snap, tmp_path: Path, theme: str) -> None:
    one = edit(OLD, NEW, PREVIEW)
    assert shown(snap_compare, tmp_path, one, ["p", "down", "space"], theme=theme)


def test_a_reason(snap_compare: Snap, tmp_path: Path) -> None:
    assert shown(snap_compare, tmp_path, run("ls"), ["n"], theme=THEMES[0])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("keys", ["", "s down"])
def test_what_may_do_harm(snap_compare: Snap, tmp_path: Path, theme: str, keys: str) -> None:
    one = run("ls -la && rm -rf build; git push --force")
    warned = replace(one, dangers=dangers(one.access))
    assert shown(snap_compare, tmp_path, warned, keys.split(), theme=theme)
