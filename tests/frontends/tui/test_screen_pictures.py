"""The screens over the chat, and the pages that commands give, as pictures. Each was looked at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Held, ModelChanged, Prompted, Replied, Returned, Usage
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.screens.picker import PickerScreen
from octochat.frontends.tui.screens.sessions import SessionsScreen
from octochat.frontends.tui.transcript.transcript import Transcript
from tests.frontends.tui.canvas import Draw, Size, ready
from tests.frontends.tui.screens.test_sessions import ALL, NOW
from tests.frontends.tui.stage import built
from tests.frontends.tui.told import Told, session
from tests.frontends.tui.widget_stage import settle
from tests.offline_session import at_home
from tests.waiting import until

USED = Usage(fresh=1_200, cache_read=61_000, cache_write=4_000, output=900)
DIFF = """\
--- src/shop.py
+++ src/shop.py
@@ -1,2 +1,2 @@
 def total(items):
-    return sum(item.price for item in items)
+    return sum(item.price * item.count for item in items)
"""
CALLS = (
    ToolCall("d1", "edit", {"file_path": "src/shop.py", "old_string": "a", "new_string": "b"}),
    ToolCall("d2", "write", {"file_path": "tests/test_shop.py", "content": "def test(): ...\n"}),
)
LOG = (
    Replied(CALLS, usage=USED, model="claude-sonnet-5-5", cost=0.02),
    Returned("d1", (Text("done"),), diff=DIFF),
    Returned("d2", (Text("done"),), note="new file"),
    Replied((Text("Done."),), usage=USED, model="claude-sonnet-5-5", cost=0.03),
    Held("pressure", "not yet", writer="claude-haiku-4-5", usage=USED, cost=0.004),
)
FILES = {
    "src/shop.py": "def total(items):\n    return sum(item.price * item.count for item in items)\n",
    "tests/test_shop.py": "def test(): ...\n",
}
"""What the two calls have left."""
EDITS = (
    ("shop.py", "-two\n+deux\n three"),
    ("gone.py", "-two\n+zwei\n three"),
    ("shop.py", " deux\n-three\n+trois"),
    ("gone.py", " zwei\n-three\n+drei"),
)
"""A file and what an edit did between its first and its last line."""


def test_the_help(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        assert app.chat
        app.chat.dialogs.help()
        await pilot.pause()

    draw(act)


def test_the_sessions(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        one = SessionsScreen(lambda: ALL, folder=Path("/work/octo"), now=lambda: NOW)
        await app.push_screen(one)
        await settle(pilot)
        await pilot.press("tab", "down")
        await pilot.pause()

    draw(act)


async def paged(app: Octochat, shown: Transcript, pilot: Pilot[Any], command: str) -> None:
    """A session of 64,000 tokens whose cache is cold, and what a command says of it."""
    assert app.session
    engine = app.session.engine
    engine.append(ModelChanged("claude-sonnet-5-5", 1.0))
    engine.append(Prompted((Text("Why is the retry test flaky?"),)))
    used = Usage(fresh=1_000, cache_read=61_000, output=1_000)
    engine.append(Replied((Text("It sleeps."),), usage=used, cost=0.02, ttl=0))
    shown.show_all(session(1))
    before = len(shown.cards)
    app.submit(command)
    await until(pilot, lambda: len(shown.cards) > before and not app.prompt.busy)


@pytest.mark.parametrize("command", ["model", "theme", "skill"])
def test_a_list_to_choose_from(draw: Draw, command: str) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        assert app.session
        app.session.engine.append(ModelChanged("claude-sonnet-5-5", 1.0))
        shown.show_all(session(1))
        app.submit(f"/{command}")
        await until(pilot, lambda: isinstance(app.screen, PickerScreen))
        to_the_dark_one = command == "theme" and not app.current_theme.dark
        await pilot.press("up" if to_the_dark_one else "down")
        await pilot.pause()

    draw(act)


def test_a_list_in_which_nothing_is_found(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        app.submit("/mode")
        await until(pilot, lambda: isinstance(app.screen, PickerScreen))
        await pilot.press(*"zzz")
        await pilot.pause()

    draw(act)


def test_the_palette(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        await pilot.press("ctrl+p")
        app.screen.query_one(Input).cursor_blink = False
        await settle(pilot)
        found = app.screen.query_one(OptionList)
        await until(pilot, lambda: found.option_count >= len(app.palette_commands()))
        await pilot.pause()

    draw(act)


def test_a_list_on_a_small_screen(tmp_path: Path, snap_compare: Callable[..., bool]) -> None:
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")

        async def before(pilot: Pilot[Any]) -> None:
            await ready(app, pilot)
            assert app.pane
            app.pane.transcript.show_all(session(1))
            app.submit("/model")
            await until(pilot, lambda: isinstance(app.screen, PickerScreen))
            await pilot.press("s", "o", "n")
            await pilot.pause()

        assert snap_compare(app, run_before=before, terminal_size=(60, 15))


def test_the_strategies(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        await paged(app, shown, pilot, "/strategies")

    draw(act)


def test_without_colour(
    size: Size, tmp_path: Path, snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("NO_COLOR", "1")
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")

        async def before(pilot: Pilot[Any]) -> None:
            await ready(app, pilot)
            assert app.pane
            told = Told(session(1))
            told.condensed(2, 3)
            app.pane.transcript.show_all(told.entries)
            app.pane.transcript.update()
            await pilot.pause()

        assert snap_compare(app, run_before=before, terminal_size=size)


@pytest.mark.parametrize("command", ["diff", "cost"])
def test_what_was_changed_and_paid(draw: Draw, command: str) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        assert app.session
        for event in LOG:
            app.session.engine.append(event)
        for name, text in FILES.items():
            (app.options.folder / name).parent.mkdir(exist_ok=True)
            (app.options.folder / name).write_text(text, "utf-8")
        shown.show_all(session(1))
        before = len(shown.cards)
        app.submit(f"/{command}")
        await until(pilot, lambda: len(shown.cards) > before)

    draw(act)


def test_what_several_changes_come_to(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        assert app.session
        (app.options.folder / "shop.py").write_text("one\ndeux\ntrois\nfour\n", "utf-8")
        for number, (path, change) in enumerate(EDITS):
            name = f"e{number}"
            app.session.engine.append(Replied((ToolCall(name, "edit", {"file_path": path}),)))
            diff = f"@@ -1,4 +1,4 @@\n one\n{change}\n four\n"
            app.session.engine.append(Returned(name, (Text("done"),), diff=diff))
        shown.show_all(session(1))
        before = len(shown.cards)
        app.submit("/diff")
        await until(pilot, lambda: len(shown.cards) > before)

    draw(act)
