"""The input at work, as pictures. Each one was looked at."""

from typing import Any

from textual import events
from textual.pilot import Pilot

from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Prompted
from octochat.context.session.ran import Ran
from octochat.frontends.shared.ran_words import attached
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.history_search import HistorySearch
from octochat.frontends.tui.input.queue import Queue
from octochat.frontends.tui.transcript.transcript import Transcript
from tests.frontends.tui.canvas import Draw
from tests.frontends.tui.told import NOON, Told, session
from tests.waiting import until


async def written(app: Octochat, pilot: Pilot[Any], text: str) -> None:
    """Type, and wait for what is offered."""
    app.prompt.editor.focus()
    await pilot.press(*text)
    await until(pilot, lambda: app.prompt.query_one(Choices).rows)


def test_commands_are_offered(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        await written(app, pilot, "/")
        await pilot.press("down", "down")

    draw(act)


def test_a_command_says_what_may_follow(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        app.prompt.editor.insert("/compact the parser, not the tests")
        await pilot.pause()

    draw(act)


def test_files_are_offered(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        names = ("src/parser.py", "src/printer.py", "tests/test_parser.py", "日本語 の/メモ.md")
        for name in names:
            path = app.options.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", "utf-8")
        await written(app, pilot, "Compare @pa")

    draw(act)


def test_what_waits_while_the_model_works(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.turn(1)
        shown.show_all(told.entries[:-4])
        app.prompt.busy = True
        app.prompt.editor.focus()
        for text in (
            "[bold]not markup[/bold]",
            "日本語のテキスト 🎉 " * 8,
            "Then commit.",
            "Then push.",
        ):
            app.prompt.editor.insert(text)
            await pilot.press("enter")
        app.prompt.editor.insert("見て 👩‍👩‍👧 [/red] and another thing that is " + "long " * 30)
        app.prompt.editor.post_message(events.Paste("x\n" * 120))
        await pilot.pause()

    draw(act)


def test_searching_what_was_sent(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        app.prompt.busy = True
        app.prompt.editor.focus()
        for text in ("fix the parser", "run the tests [all]", "日本語で説明して"):
            app.prompt.editor.insert(text)
            await pilot.press("enter")
        app.prompt.query_one(Queue).drafts = ()
        await pilot.press("ctrl+r", *"the")
        for line in app.prompt.query(HistorySearch):
            rows = line.query_one(Choices).rows
            line.query_one(Choices).rows = tuple(
                type(row)(row.insert, row.label, "21 Nov 09:30 · shop") for row in rows
            )
        await pilot.pause()

    draw(act)


def test_commands_that_go_along(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        failed = Ran("pytest -q tests/parser", "exit 1 in 2.3 s", "E assert 1 == 2\n1 failed")
        shown.show_all(session(1))
        shown.show(Entry(90, NOON, 9, Prompted((Text(failed.text()), Text("Why does it fail?")))))
        for ran in (failed, Ran("git log --oneline " + "x" * 120, "exit 0 in 0.1 s", "a\nb")):
            app.prompt.attach(attached(ran))
        await pilot.pause()

    draw(act)
