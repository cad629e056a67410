"""The screens as pictures, in two sizes, dark and light. Each one was looked at."""

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from octochat.context.plans.context_parts import parts
from octochat.context.session.content import Image, Text, Thinking, ToolCall
from octochat.context.session.events import (
    Held,
    ModelChanged,
    Opened,
    Prompted,
    Replied,
    Reverted,
    Rewound,
    SkillLoaded,
    TaskEnded,
    Titled,
)
from octochat.context.session.state import replay
from octochat.frontends.tui.app import Octochat
from octochat.frontends.tui.screens.context import ContextScreen
from octochat.frontends.tui.status.gauge import Share
from octochat.frontends.tui.transcript.find_bar import FindBar
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.models.claude.credentials import NO_KEY
from octochat.models.port import (
    CallDelta,
    Compressing,
    Notice,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolOutput,
    ToolStarted,
)
from octochat.session.opening import offline_notice
from tests.frontends.tui.canvas import GAUGE, Draw
from tests.frontends.tui.told import Told, day, session
from tests.waiting import until

RATE_LIMIT = "The API's rate limit is reached (too many requests)."


def test_the_first_start(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        assert app.pane
        app.pane.begin([Told().add(Opened("offline", "Be octochat.", (), "~/shop"))])
        shown.show(Notice(offline_notice(NO_KEY), "warning"))

    draw(act)


def test_a_turn_with_calls(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1)[:-1])

    draw(act)


def test_an_answer(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))

    draw(act)


def test_an_opened_edit(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1)[:-1])
        shown.update()
        shown.focus()
        await pilot.press("k", "enter")

    draw(act)


def test_an_opened_failure_and_thought(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1)[:-1])
        shown.update()
        shown.focus()
        await pilot.press("enter", "k", "k", "k", "k", "enter")

    draw(act)


def test_work_under_way(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("Run the tests, please.")
        call = ToolCall("t", "bash", {"command": "pytest -q --maxfail=1"})
        for item in (
            *told.entries,
            told.calls(call, text="I run them."),
            ToolStarted(call),
            ToolOutput("t", "collected 120 items\n"),
            ThinkingDelta("What if one of them fails?"),
            TextDelta("Meanwhile: the suite has **120** tests"),
            CallDelta("n", "write", '{"file_path": "notes.md", "content": "..."}'),
        ):
            shown.show(item)
        app.prompt.busy = True

    draw(act)


def test_a_retry_and_errors(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("Hello?")
        for item in (
            *told.entries,
            Retrying("The API is overloaded.", "overloaded", 60, 2, 5),
            Notice("The session file can't be written: no space left on the device.", "error"),
            Notice("The API refused the key.\nHTTP 401: invalid x-api-key", "error"),
            Retrying(f"{RATE_LIMIT} It asks to wait until 14:05.", "rate_limit", 155, 3, 5),
        ):
            shown.show(item)

    draw(act)


def test_a_compression_under_way(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(1))
        why = "152.3k tokens are over level 2"
        shown.model.written = lambda: 2_380
        shown.show(Compressing("pressure", why, 152_300, 1, 4.0))

    draw(act)


def test_a_compression(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told(session(1))
        told.condensed(2, 3, keep=(2,))
        shown.show_all(told.entries)
        shown.update()
        shown.focus()
        await pilot.press("enter")

    draw(act)


def test_events_of_the_session(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.opened()
        told.asks("Use the debugging skill.")
        told.says(Text("Loaded."))
        told.add(SkillLoaded("debugging", "# Debugging\nLook first."))
        told.add(Titled("The flaky retry test"))
        told.add(ModelChanged("claude-opus"))
        folded = told.condensed(2, 3)
        told.add(Reverted(folded.id, None, 152_300))
        told.add(Held("pressure", "it would not pay", writer="claude-haiku", cost=0.01))
        told.asks("Never mind.", after=7_300)
        told.says(Text("As you like."), stop="interrupted")
        told.add(Rewound(told.entries[-3].id))
        told.add(TaskEnded())
        shown.show_all(told.entries)

    draw(act)


def test_the_context(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        entries = day()
        state = replay(entries)
        shares = tuple(Share(x.name, x.tokens) for x in parts(state.view, state.context + 1_000))
        gauge = replace(GAUGE, size=state.context + 1_000, parts=shares)
        await app.push_screen(ContextScreen(gauge, state, entries))
        await pilot.pause()

    draw(act)


def test_a_search(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        shown.show_all(session(3))
        shown.update()
        app.query_one(FindBar).begin("line [30]")
        count = app.query_one("#find-count", Static)
        await until(pilot, lambda: "of" in str(count.content))

    draw(act)


def test_looking_back(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told(session(3))
        shown.show_all(told.entries[:])
        shown.update()
        shown.scroll_relative(y=-12, animate=False)
        told.turn(9, "Something new")
        shown.show_all(told.entries[-6:])

    draw(act)


def test_scripts_of_the_world(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        told.asks("テストが不安定な理由は何ですか？ 👩‍💻 [red]赤[/red]")
        told.calls(
            ToolCall("a", "read", {"file_path": "テスト/とても長い名前のファイル" * 3 + ".py"}),
            ToolCall("b", "bash", {"command": "echo '[bold]x[/bold] \x1b[31mred\x1b[0m'"}),
            text="日本語の文章が折り返されるかどうかを確かめるために、ここに長い段落を書きます。"
            * 2,
        )
        told.returns("a", "行\n" * 3)
        told.returns("b", "\x1b[31m[bold]not red[/bold]\x1b[0m")
        told.says(
            Text(
                "| 名前 | emoji | عربى |\n|--|--|--|\n"
                "| 値段 | 🐙🎉 | مرحبا بالعالم |\n| é̂ | ✅ | שלום |\n\n"
                "مرحبا، هذا نص من اليمين إلى اليسار.\n\n"
                "`" + "a_very_long_name_without_any_space_" * 5 + "`"
            )
        )
        shown.show_all(told.entries)

    draw(act)


def test_images_and_long_prompts(draw: Draw) -> None:
    async def act(app: Octochat, shown: Transcript, pilot: Pilot[Any]) -> None:
        told = Told()
        lines = "\n".join(f"line {n} of what was pasted" for n in range(40))
        told.add(Prompted((Image("image/png", "A" * 160_000), Text(f"What is this?\n{lines}"))))
        told.says(Thinking("", "x"), Text("A picture of an **octopus**.\n\n> It has eight arms.\n"))
        listed = Text("- [x] seen\n- [ ] named\n\n---\n\n1. one\n   - two\n")
        told.add(Replied((listed,), seconds=6.0))
        shown.show_all(told.entries)

    draw(act)
