"""The app as a person uses it, with the offline model."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from textual.widgets import Static

from octochat.context.session.events import Prompted, Replied, TaskEnded
from octochat.frontends.shared.drafts import Draft
from octochat.frontends.tui.approval.panel import ApprovalPanel
from octochat.frontends.tui.input.history_search import HistorySearch
from octochat.frontends.tui.input.queue import Queue
from octochat.frontends.tui.screens.context import ContextScreen
from octochat.frontends.tui.screens.help import HelpScreen
from octochat.frontends.tui.screens.sessions import SessionsScreen
from octochat.frontends.tui.transcript.find_bar import FindBar
from octochat.models.port import Retrying
from octochat.storage.fork import prompts
from octochat.text.figures import tokens
from tests.frontends.tui.approval.test_approve import run
from tests.frontends.tui.stage import Stage, built, on_stage
from tests.offline_session import at_home


async def test_reading_a_file_needs_no_question(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        text = stage.text()
        assert "✓ read  README.md" in text
        assert "Sells [things]." in text


async def test_running_a_command_asks_first_and_keeps_the_draft(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("run echo hello > made.txt")
        panel = stage.app.query_one(ApprovalPanel)
        await stage.until(lambda: panel.has_class("-asking"))
        assert not (stage.folder / "made.txt").exists()
        await stage.types("a draft", send=False)
        panel.focus()
        await stage.until(lambda: stage.app.focused is panel)
        await stage.until(lambda: panel.listening)
        await stage.pilot.press("y")
        await stage.rest()
        assert (stage.folder / "made.txt").read_text("utf-8") == "hello\n"
        assert stage.app.prompt.editor.text == "a draft"


async def test_a_no_reaches_the_model_and_the_call_is_shown_as_failed(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("write notes.txt: hello")
        panel = stage.app.query_one(ApprovalPanel)
        await stage.until(lambda: panel.has_class("-asking"))
        panel.focus()
        await stage.until(lambda: panel.listening)
        await stage.pilot.press("escape", "escape")
        await stage.rest()
        assert not (stage.folder / "notes.txt").exists()
        assert "✗ write  notes.txt" in stage.text()


async def test_escape_stops_the_answer_and_keeps_what_came(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("count to 20000")
        await stage.until(lambda: stage.app.prompt.busy and "12" in stage.text())
        await stage.pilot.press("escape")
        await stage.rest()
        assert "■ You stopped it" in stage.text()
        last = [e.event for e in stage.session.engine.log.entries if isinstance(e.event, Replied)]
        assert last[-1].stop == "interrupted"


async def test_what_was_sent_before_the_session_was_open_can_be_stopped(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")
        async with app.run_test(size=(100, 40)) as pilot:
            stage = Stage(app, pilot, work)
            app.submit("count to 20000")
            assert app.session is None
            await stage.until(lambda: app.session and app.prompt.busy and "12" in stage.text())
            await pilot.press("escape")
            await stage.rest()
            assert "■ You stopped it" in stage.text()


async def test_what_is_sent_while_the_model_works_waits_its_turn(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        model = stage.hold()
        await stage.types("count to 60")
        await stage.until(lambda: stage.app.prompt.busy)
        await stage.types("read README.md")
        await stage.until(lambda: stage.app.query_one(Queue).drafts)
        model.go.set()
        await stage.until(lambda: "Sells [things]." in stage.text())
        await stage.rest()
        said = [e.event for e in stage.session.engine.log.entries if isinstance(e.event, Prompted)]
        assert len(said) == 2


def in_turns(stage: Stage) -> bool:
    """Whether every prompt was answered before the next one."""
    kinds = [
        type(e.event)
        for e in stage.session.engine.log.entries
        if isinstance(e.event, Prompted | Replied)
    ]
    return all(a is not b or a is Replied for a, b in pairwise(kinds))


async def test_prompts_sent_in_one_burst_are_answered_one_after_the_other(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        for name in ("README.md", "README.md", "README.md"):
            stage.app.submit(f"read {name}")
        await stage.until(lambda: stage.text().count("Sells [things].") == 3)
        await stage.rest()
        assert in_turns(stage)


async def test_prompts_sent_before_the_session_is_open_wait_in_sight_for_turns_of_their_own(
    tmp_path: Path,
) -> None:
    with at_home(tmp_path) as work:
        app = built(work, tmp_path / "data")
        async with app.run_test(size=(100, 40)) as pilot:
            stage = Stage(app, pilot, work)
            app.submit("read README.md")
            assert app.session is None
            assert app.prompt.busy, "what is sent now waits above the input"
            for _ in range(2):
                await stage.types("read README.md")
            await stage.until(lambda: app.session)
            await stage.until(lambda: stage.text().count("Sells [things].") == 3)
            await stage.rest()
            assert in_turns(stage)


async def test_looking_at_info_while_the_model_works_lets_nothing_overtake_it(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        model = stage.hold()
        await stage.types("count to 60")
        await stage.until(lambda: stage.app.prompt.busy)
        await stage.types("read README.md")
        await stage.types("/info")
        await stage.until(lambda: "Compression Statistics" in stage.text())
        assert stage.app.prompt.busy
        model.go.set()
        await stage.until(lambda: "Sells [things]." in stage.text())
        await stage.rest()
        assert in_turns(stage)


async def test_done_typed_in_the_middle_of_tools_waits_for_the_end_of_the_turn(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("run /bin/echo hello")
        panel = stage.app.query_one(ApprovalPanel)
        await stage.until(lambda: panel.has_class("-asking"))
        await stage.types("/done")
        log = stage.session.engine.log
        assert not any(isinstance(entry.event, TaskEnded) for entry in log.entries)
        panel.focus()
        await stage.until(lambda: stage.app.focused is panel)
        await stage.until(lambda: panel.listening)
        await stage.pilot.press("y")
        await stage.until(lambda: any(isinstance(e.event, TaskEnded) for e in log.entries))
        await stage.rest()
        ended = next(e.id for e in log.entries if isinstance(e.event, TaskEnded))
        assert ended > max(e.id for e in log.entries if isinstance(e.event, Replied))


@pytest.mark.parametrize("line", ["!echo from the shell", "/copy", "/info", "/theme nord"])
async def test_the_queue_goes_on_behind_what_gives_the_model_nothing_to_do(
    tmp_path: Path, line: str
) -> None:
    async with on_stage(tmp_path) as stage:
        model = stage.hold()
        await stage.types("count to 60")
        await stage.until(lambda: stage.app.prompt.busy)
        prompt = stage.app.prompt
        for text in (line, "read README.md"):
            prompt.drafts.queue(Draft(text))
        model.go.set()
        await stage.until(lambda: "Sells [things]." in stage.text())
        await stage.rest()


async def test_the_context_is_shown_and_a_unit_pinned_there(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("read README.md")
        await stage.types("/context")
        await stage.until(lambda: isinstance(stage.app.screen, ContextScreen))
        await stage.pilot.pause()
        screen = stage.screen()
        assert tokens(stage.session.situation.size) in screen
        assert "you: read README.md" in screen
        for section in ("tools", "How to work", "Where you are", "list of skills"):
            assert section in screen.partition("among them ")[2]
        await stage.pilot.press("home", "p", "down", "p")
        await stage.until(lambda: len(stage.session.engine.state.pins) == 2)
        assert isinstance(stage.app.screen, ContextScreen)
        await stage.until(lambda: stage.screen().count("⚑") >= 2)
        await stage.pilot.press("p")
        await stage.until(lambda: len(stage.session.engine.state.pins) == 1)
        await stage.pilot.press("escape")
        await stage.rest()
        assert "Pinned #" in stage.text()


async def test_a_question_takes_the_place_of_the_line_that_moves(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        assert stage.app.pane
        line, approvals = stage.app.pane.activity, stage.app.pane.approvals
        assert approvals
        line.begin()
        assert line.has_class("-open")
        task = asyncio.ensure_future(approvals.ask(run("make")))
        await stage.until(lambda: approvals.has_class("-asking"))
        assert not line.has_class("-open")
        task.cancel()


async def test_whoever_sends_something_sees_what_comes_of_it(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("count to 1000")
        for said in ("list files", "/pin"):
            stage.app.action_first()
            await stage.until(lambda: not stage.transcript.following)
            await stage.types("/help")  # shows nothing in the transcript
            await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))
            await stage.pilot.press("escape")
            assert not stage.transcript.following
            await stage.says(said)
            assert stage.transcript.following


async def test_what_had_to_wait_does_not_scroll_the_page(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("count to 1000")
        model = stage.hold()
        await stage.types("hello")
        await stage.until(lambda: stage.app.prompt.busy)
        stage.app.prompt.drafts.queue(Draft("again"))
        stage.app.action_first()
        model.go.set()
        await stage.until(lambda: not stage.app.prompt.busy)
        assert len(prompts(stage.session.engine.log.entries)) == 3
        assert not stage.transcript.following


async def test_help_and_sessions_open_and_close(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("list files")
        for command, screen in (("/help", HelpScreen), ("/resume", SessionsScreen)):
            await stage.types(command)
            await stage.until(lambda screen=screen: isinstance(stage.app.screen, screen))
            await stage.pilot.press("escape")
            await stage.until(lambda screen=screen: not isinstance(stage.app.screen, screen))


async def test_ctrl_f_finds_what_is_folded(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "long.txt").write_text("\n".join(f"row {n}" for n in range(300)), "utf-8")
    async with on_stage(tmp_path) as stage:
        await stage.says("read long.txt")
        await stage.pilot.press("ctrl+f")
        await stage.pilot.press(*"row", "space", *"150")
        await stage.until(lambda: "row 150" in stage.text())
        await stage.pilot.press("escape")
        assert not stage.app.query_one(FindBar).has_class("-open")
        await stage.until(lambda: "row 150" not in stage.text())
        assert stage.transcript.following
        await stage.pilot.press("ctrl+f", *"row", "space", *"150", "tab")
        await stage.until(lambda: "row 150" in stage.text())
        assert stage.transcript.has_focus
        assert not stage.transcript.following


async def test_a_shell_line_runs_beside_the_conversation(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        entries = len(stage.session.engine.log.entries)
        await stage.types("!echo from the shell")
        await stage.until(lambda: "from the shell" in stage.text() and "✓ !" in stage.text())
        assert len(stage.session.engine.log.entries) == entries


async def test_ctrl_c_twice_leaves(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.pilot.press("ctrl+c")
        assert stage.app.is_running
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: stage.app.return_value is not None)


async def test_ctrl_c_clears_the_input_before_it_offers_to_leave(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("half", send=False)
        frame = stage.app.prompt.frame
        await stage.pilot.press("ctrl+c")
        assert stage.app.prompt.editor.text == ""
        assert "Ctrl+C" not in str(frame.border_subtitle)
        await stage.pilot.press("ctrl+c")
        assert "again leaves" in str(frame.border_subtitle)
        assert stage.app.return_value is None


async def test_ctrl_d_in_the_empty_input_leaves_when_pressed_twice(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("ab", send=False)
        await stage.pilot.press("home", "ctrl+d", "ctrl+d", "ctrl+d")
        assert stage.app.prompt.editor.text == ""
        assert "Ctrl+D again leaves" in str(stage.app.prompt.frame.border_subtitle)
        assert stage.app.is_running
        await stage.pilot.press("ctrl+d")
        await stage.until(lambda: stage.app.return_value is not None)


async def test_ctrl_c_closes_what_lies_over_the_chat(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("half", send=False)
        await stage.pilot.press("f1")
        await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))
        await stage.pilot.press("ctrl+c")
        await stage.until(lambda: not isinstance(stage.app.screen, HelpScreen))
        assert stage.app.prompt.editor.text == "half"


async def test_ctrl_c_closes_the_search_before_it_stops_the_work(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        stage.hold()
        await stage.types("begin")
        await stage.until(lambda: stage.app.prompt.busy)
        await stage.pilot.press("ctrl+r", "ctrl+c")
        await stage.until(lambda: not stage.app.query(HistorySearch))
        assert stage.app.prompt.busy
        await stage.pilot.press("ctrl+c")
        await stage.rest()
        assert "You stopped it" in stage.text()


async def test_ctrl_c_copies_what_is_selected_in_the_input(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("some words", send=False)
        await stage.pilot.press("ctrl+a", "shift+home")
        stage.app.prompt.editor.select_all()
        await stage.pilot.press("ctrl+c", "ctrl+c")
        assert stage.app.clipboard == "some words"
        assert stage.app.return_value is None


async def test_page_down_turns_the_page_of_a_question_that_has_the_keyboard(
    tmp_path: Path,
) -> None:
    async with on_stage(tmp_path, (80, 24)) as stage:
        await stage.types("write notes.txt: " + "\n".join(f"row {n}" for n in range(80)))
        panel = stage.app.query_one(ApprovalPanel)
        await stage.until(lambda: panel.has_class("-asking"))
        panel.focus()
        body = panel.query_one("VerticalScroll")
        await stage.until(lambda: body.max_scroll_y > 0)
        await stage.pilot.press("pagedown")
        await stage.until(lambda: body.scroll_offset.y > 0)


async def test_a_small_screen_has_nothing_to_scroll(tmp_path: Path) -> None:
    async with on_stage(tmp_path, (60, 15)) as stage:
        await stage.says("read README.md")
        await stage.types("many\nlines\n" * 20, send=False)
        screen = stage.app.screen
        screen.scroll_relative(y=5, animate=False)
        await stage.pilot.pause()
        assert screen.scroll_offset.y == 0
        assert not screen.show_vertical_scrollbar


async def test_whatif_compares_the_strategies_on_this_very_session(tmp_path: Path) -> None:
    async with on_stage(tmp_path, (100, 60)) as stage:
        await stage.says("read README.md")
        await stage.types("/whatif")
        assert not stage.app.prompt.busy
        await stage.until(lambda: "prices of claude-sonnet-5-5" in stage.text())
        rows = stage.text().split("prices of claude-sonnet-5-5")[1]
        for name in ("none", "yours", "pressure", "sliding_window"):
            assert name in rows
        assert "of none: cost as a share of doing nothing" in rows


async def test_whatif_in_a_session_without_a_call_only_says_so(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.types("/whatif")
        await stage.until(lambda: "there is nothing to compare" in stage.text())
        assert "Replaying" not in stage.text()


async def test_the_limit_of_the_cost_is_told_with_the_way_on(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        stage.session.engine.max_cost = -1.0
        await stage.says("read README.md")
        shown = " ".join(stage.text().split())
        assert "is allowed (max_cost)" in shown
        assert "/max-cost DOLLARS here, or --max-cost DOLLARS at the start" in shown
        assert "The turn was cut off: /retry goes on with it" in shown
        await stage.says("/max-cost 5")
        assert "stops calling the model at $5.00" in " ".join(stage.text().split())
        await stage.says("/retry")
        assert "Sells [things]." in stage.text()
        assert "/retry" not in stage.text().split("▌")[-1].split("Sells")[1]


async def test_a_rate_limit_says_when_it_is_tried_again(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        why = "The API's rate limit is reached (too many requests)."
        stage.transcript.show(Retrying(why, "rate_limit", 42.0, 2, 6))
        await stage.until(lambda: "try 2 of 6" in stage.text())
        assert "rate limit is reached" in stage.text()
        assert "in 42 s · Enter tries now" in stage.text()


async def test_f1_shows_all_keys_and_once_is_enough(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.pilot.press("f1", "f1")
        await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))
        assert "F1" in str(stage.app.screen.query_one(Static).render()), "it is in it itself"
        await stage.pilot.press("escape")
        await stage.until(lambda: not isinstance(stage.app.screen, HelpScreen))


async def test_any_of_the_answers_can_be_copied(tmp_path: Path) -> None:
    async with on_stage(tmp_path) as stage:
        await stage.says("count to 2")
        await stage.says("count to 3")
        await stage.types("/copy 2")
        await stage.until(lambda: stage.app.clipboard.endswith("1 2"))
        await stage.types("/copy")
        await stage.until(lambda: stage.app.clipboard == "1 2 3")
        for wrong in ("3", "0", "x"):
            await stage.types(f"/copy {wrong}")
        await stage.until(lambda: "There are 2 answers; /copy 1 is the last." in stage.text())
        assert stage.app.clipboard == "1 2 3"
