"""Writing and sending, driven by keys."""

from pathlib import Path

import pytest
from textual import events
from textual._xterm_parser import XTermParser  # pyright: ignore[reportPrivateUsage] - what a terminal sends

from octochat.frontends.shared.drafts import Attached
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.widget_stage import Stage, prompt, ready
from tests.waiting import until


def stage(folder: Path, **how: object) -> tuple[Stage, PromptInput]:
    one = prompt(folder, **how)  # pyright: ignore[reportArgumentType] - passed on as they come
    return Stage(one), one


def sent(app: Stage) -> list[str]:
    return [message.text for message in app.of(PromptInput.Submitted)]


async def test_enter_sends_and_clears(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"hello", "enter")
        await pilot.pause()
        assert sent(app) == ["hello"]
        assert one.editor.text == ""


@pytest.mark.parametrize("key", ["shift+enter", "alt+enter", "ctrl+j", "shift+\r"])
async def test_these_keys_begin_a_new_line(tmp_path: Path, key: str) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("a", key, "b", "enter")
        await pilot.pause()
        assert sent(app) == ["a\nb"]


async def test_a_trailing_backslash_begins_a_new_line(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("a", "backslash", "enter", "b", "enter")
        await pilot.pause()
        assert sent(app) == ["a\nb"]


async def test_two_backslashes_are_text(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("a", "backslash", "backslash", "enter")
        await pilot.pause()
        assert sent(app) == ["a\\\\"]


async def test_white_space_is_not_sent(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("space", "enter")
        await pilot.pause()
        assert sent(app) == []


async def test_a_small_paste_keeps_its_lines(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.editor.post_message(events.Paste("one\r\ntwo\rthree\x1b[31m\t\x1b]0;x\a\0!\x9b2J"))
        await pilot.pause()
        assert one.editor.text == "one\ntwo\nthree\t!"
        await pilot.press("enter")
        await pilot.pause()
        assert sent(app) == ["one\ntwo\nthree\t!"]


BIG = "\n".join(f"line {n}" for n in range(120))


async def test_a_big_paste_becomes_a_chip_and_is_sent_whole(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"see:")
        one.editor.post_message(events.Paste(BIG))
        await pilot.pause()
        assert one.editor.text == "see:[pasted 120 lines #1]"
        await pilot.press("enter")
        await pilot.pause()
        assert sent(app) == ["see:" + BIG]


async def test_ctrl_o_opens_the_chip_and_backspace_takes_it_whole(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.editor.post_message(events.Paste(BIG))
        await pilot.pause()
        await pilot.press("ctrl+o")
        assert one.editor.text == BIG
        await pilot.press("ctrl+underscore")
        assert one.editor.text == "[pasted 120 lines #1]"
        await pilot.press("ctrl+end", "backspace")
        assert one.editor.text == ""


async def test_what_is_sent_while_the_model_works_waits_its_turn(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"one", "enter", *"two", "enter")
        await pilot.pause()
        assert sent(app) == []
        one.busy = False
        await pilot.pause()
        assert sent(app) == ["one"]
        assert one.busy
        one.busy = False
        await pilot.pause()
        assert sent(app) == ["one", "two"]


async def test_up_edits_the_queue(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"one", "enter", "up", "x", "enter")
        one.busy = False
        await pilot.pause()
        assert sent(app) == ["onex"]


async def test_a_command_that_needs_no_turn_does_not_wait(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"/info", "enter", *"/done", "enter")
        await pilot.pause()
        assert sent(app) == ["/info"]


async def test_escape_interrupts_and_brings_the_queue_back(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"one", "enter", "d", "escape")
        await pilot.pause()
        assert len(app.of(PromptInput.Interrupt)) == 1
        assert one.editor.text == "one\nd"
        one.busy = False
        await pilot.pause()
        assert sent(app) == []


async def test_escape_twice_rewinds_but_not_if_slowly(tmp_path: Path) -> None:
    now = [0.0]
    app, one = stage(tmp_path, clock=lambda: now[0])
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("escape")
        now[0] = 5.0
        await pilot.press("escape", "a", "escape")
        await pilot.pause()
        assert not app.of(PromptInput.RewindRequested)
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.of(PromptInput.RewindRequested)) == 1
        assert one.editor.text == "a"


async def test_a_bang_line_is_for_the_shell(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("!", *"ls -l", "enter")
        await pilot.pause()
        assert sent(app) == ["!ls -l"]


async def test_the_real_cursor_follows_the_text_for_input_methods(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear, size=(60, 15)) as pilot:
        await ready(pilot, one)
        await pilot.press("日", "本", "ctrl+j", "a")
        await pilot.pause()
        assert app.cursor_position == one.editor.cursor_screen_offset
        await pilot.resize_terminal(50, 20)
        await pilot.pause()
        assert app.cursor_position == one.editor.cursor_screen_offset


async def test_alt_enter_of_an_old_terminal_begins_a_new_line(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        keys = [key for key in XTermParser().feed("a\x1b\rb\r") if isinstance(key, events.Key)]
        await pilot.press(*(key.key for key in keys))
        await pilot.pause()
        assert sent(app) == ["a\nb"]


async def test_pastes_of_several_waiting_prompts_are_told_apart(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    other = BIG.replace("line", "other")
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        one.editor.post_message(events.Paste(BIG))
        await pilot.pause()
        await pilot.press("enter")
        one.editor.post_message(events.Paste(other))
        await pilot.pause()
        await pilot.press("escape")
        assert one.editor.text == "[pasted 120 lines #1]\n[pasted 120 lines #2]"
        assert one.editor.draft.whole() == f"{BIG}\n{other}"


async def test_a_leading_space_is_kept_because_it_makes_a_prompt_of_a_command(
    tmp_path: Path,
) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press("space", *"/info is a command", "enter")
        await pilot.pause()
        assert sent(app) == [" /info is a command"]


async def test_a_double_click_opens_a_chip(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.editor.post_message(events.Paste(BIG))
        await pilot.pause()
        await pilot.double_click(Editor, offset=(4, 0))
        await pilot.pause()
        assert one.editor.text == BIG


async def test_a_paste_that_would_hold_up_the_keys_stays_folded(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    huge = "words\n" * 100_000
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.editor.post_message(events.Paste(huge))
        await pilot.pause()
        await pilot.press("ctrl+o")
        assert one.editor.text == "[pasted 100,000 lines #1]"
        await pilot.press("enter")
        await pilot.pause()
        assert sent(app) == [huge.rstrip()]


async def test_a_pasted_chip_is_only_text(tmp_path: Path) -> None:
    app, one = stage(tmp_path)
    sneaky = f"{BIG}\n[pasted 1 lines #1]"
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.editor.post_message(events.Paste(sneaky))
        await pilot.pause()
        assert one.editor.text == "[pasted 121 lines #1]"
        await pilot.press("enter")
        await pilot.pause()
        assert sent(app) == [sneaky]


@pytest.mark.parametrize("line", ["\n/info", "\n\n!ls", "/info \n"])
async def test_what_becomes_of_a_text_is_decided_on_what_is_sent(tmp_path: Path, line: str) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        one.attach(Attached("! pytest", "1 failed"))
        one.prefill(line)
        assert one.frame.has_class("-shell") == ("!" in line)
        await pilot.press("enter")
        await pilot.pause()
        (message,) = app.of(PromptInput.Submitted)
        assert (message.text, message.along) == (line.strip(), ())
        assert len(one.drafts.here.along) == 1, "it goes along with the next prompt"


async def test_a_paste_that_begins_with_a_mark_is_the_shells_and_is_seen_to_be(
    tmp_path: Path,
) -> None:
    app, one = stage(tmp_path)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.attach(Attached("! pytest", "1 failed"))
        one.editor.post_message(events.Paste(f"!cat <<E\n{BIG}\nE"))
        await until(pilot, lambda: one.frame.has_class("-shell"))
        await pilot.press("enter")
        await pilot.pause()
        assert [message.along for message in app.of(PromptInput.Submitted)] == [()]
