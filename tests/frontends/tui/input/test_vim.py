"""vim's modes over the input."""

from pathlib import Path

import pytest
from textual import events

from octochat.frontends.shared.drafts import Draft
from octochat.frontends.tui.input.prompt import PromptInput
from tests.effort import counted
from tests.frontends.tui.widget_stage import Stage, prompt, ready


@pytest.mark.parametrize(
    ("typed", "keys", "after"),
    [
        ("one two", "0dw", "two"),
        ("one two three", "02dw", "three"),
        ("one two three", "0d2w", "three"),
        ("one two", "bcwsix", "one six"),
        ("one two", "0x", "ne two"),
        ("one two", "0D", ""),
        ("one two", "0ywP", "one one two"),
        ("one two", "0dwu", "one two"),
        ("one two", "0dwA!", "two!"),
        ("one two", "0rO", "One two"),
        ("one two", "0de", " two"),
        ("a.b c", "0dw", ".b c"),
        ("one two", "d$", "one tw"),
        ("one two", "0ione ", "one one two"),
        ("one two", "dd", ""),
        ("one two", "ofrom", "one two\nfrom"),
        ("one two", "Ofrom", "from\none two"),
        ("one two", "yyp", "one two\none two"),
        ("one two", "zzx", "one tw"),
    ],
)
async def test_normal_mode(tmp_path: Path, typed: str, keys: str, after: str) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*typed, "escape", *keys)
        assert one.editor.text == after


KEYS = {"\n": "ctrl+j", "␛": "escape", "␒": "ctrl+r"}
"""How keys without a character are written here."""


@pytest.mark.parametrize(
    ("text", "keys", "after"),
    [
        # motions
        ("a.b c.d e", "0Wx", "a.b .d e"),
        ("a.b c.d e", "0dW", "c.d e"),
        ("one two", "$dB", "one o"),
        ("one two three", "$gex", "one tw three"),
        ("one two three", "0fwd$", "one t"),
        ("a-b-c-d", "02f-x", "a-bc-d"),
        ("a-b-c-d", "0f-;;x", "a-b-cd"),
        ("a-b-c-d", "0f-;;,x", "a-bc-d"),
        ("a-b-c-d", "0t-;x", "a--c-d"),
        ("a-b-c-d", "$F-D", "a-b-c"),
        ("a-b-c-d", "$dT-", "a-b-c-d"),
        ("a-b-c-d", "0dt-", "-b-c-d"),
        ("a-b-c-d", "0df-", "b-c-d"),
        ("a-b", "0dfz", "a-b"),
        ("f(a, (b), c) d", "0d%", " d"),
        ("one\ntwo\nthree", "2Gx", "one\nwo\nthree"),
        ("one\ntwo\nthree", "ggdG", ""),
        ("one\ntwo\nthree", "dgg", ""),
        ("one\ntwo\nthree", "ggdj", "three"),
        ("one\ntwo\nthree", "dk", "one"),
        ("one\ntwo", "dj", "one\ntwo"),
        ("one\n\ntwo", "gg}x", "one\n\ntwo"),
        ("one\n\ntwo", "ggd}", "\ntwo"),
        ("one two\nthree", "ggwdw", "one \nthree"),
        ("  one", "^x", "  ne"),
        ("  one", "Ix", "  xone"),
        # operators and counts
        ("one two three four", "02d2w", ""),
        ("one two three four", "0d3wP", "one two three four"),
        ("one two", "0cwsix␛", "six two"),
        ("a b", "0cwsix␛", "six b"),
        ("one\ntwo", "ggccsix␛", "six\ntwo"),
        ("one\ntwo", "ggSsix␛", "six\ntwo"),
        ("one two", "0Csix␛", "six"),
        ("one\ntwo\nthree", "gg2dd", "three"),
        ("one\ntwo\nthree", "gg2yyGp", "one\ntwo\nthree\none\ntwo"),
        ("one\ntwo", "ggYP", "one\none\ntwo"),
        ("one\ntwo", "ggddP", "one\ntwo"),
        ("one", "0x3p", "noooe"),
        ("one two", "0~~", "ONe two"),
        ("one two", "0gUw", "ONE two"),
        ("One Two", "0g~~", "oNE tWO"),
        ("ONE", "gugu", "one"),
        ("one", ">>", "    one"),
        ("one", ">><<", "one"),
        ("one\n  two\nthree", "gg3J", "one two three"),
        ("one", "03ra", "aaa"),
        ("one", "04ra", "one"),
        ("one", "0sx␛", "xne"),
        ("one", "$X", "oe"),
        # objects
        ("one two three", "0wciwsix␛", "one six three"),
        ("one two three", "0wdaw", "one three"),
        ("one two", "$daw", "one"),
        ("a.b c", "0diW", " c"),
        ('say "one two" now', '0ci"six␛', 'say "six" now'),
        ('say "one two" now', '0fnda"', "say now"),
        ("say 'one'", "$di'", "say ''"),
        ("f(a, (b), c)", "0fadi(", "f()"),
        ("f(a, (b), c)", "0fbda(", "f(a, , c)"),
        ("f(a)", "0fadib", "f()"),
        ("{a: [1, 2]}", "0f1di[", "{a: []}"),
        ("{a: [1, 2]}", "0f1diB", "{}"),
        ("one\ntwo\n\nthree", "ggdip", "\nthree"),
        ("one\ntwo\n\nthree", "ggdap", "three"),
        # visual mode
        ("one two", "0vd", "ne two"),
        ("one two", "0ved", " two"),
        ("one two", "0wvbd", "wo"),
        ("one two three", "0wviwd", "one  three"),
        ("one two", "0vecsix␛", "six two"),
        ("one two", "0veywvp", "one onewo"),
        ("one two", "0veyA ␛p", "one two one"),
        ("one two", "0vlllohd", "two"),
        ("one two", "0vex", " two"),
        ("one two", "0vU", "One two"),
        ("one two", "0ve~", "ONE two"),
        ("one two", "0verx", "xxx two"),
        ("one\ntwo\nthree", "ggVd", "two\nthree"),
        ("one\ntwo\nthree", "ggVjd", "three"),
        ("one\ntwo\nthree", "GVkd", "one"),
        ("one\ntwo\nthree", "ggVyGp", "one\ntwo\nthree\none"),
        ("one\ntwo\nthree", "ggyyGVp", "one\ntwo\none"),
        ("one\ntwo\nthree", "ggVjcsix␛", "six\nthree"),
        ("one\ntwo\nthree", "ggVGJ", "one two three"),
        ("one\ntwo", "ggVj>", "    one\n    two"),
        ("one\ntwo", "ggvjd", "wo"),
        ("one two", "0v␛x", "ne two"),
        ("one two", "0ve␛gvd", " two"),
        ("one two", "0vvx", "ne two"),
        # the dot, undo, redo
        ("one two three", "0dw.", "three"),
        ("one two three", "0cwsix␛w.", "six six three"),
        ("one", "Ax␛..", "onexxx"),
        ("one", "3ax␛", "onexxx"),
        ("one two", "0x2.", " two"),
        ("one two three", "0ved.", "o three"),
        ("one\ntwo\nthree", "ggVd.", "three"),
        ("one two", "0ciwsix seven␛u", "one two"),
        ("one two", "0ciwsix seven␛u␒", "six seven two"),
        ("one", "o2\n3␛u", "one"),
        ("one two three", "0dwdwuu", "one two three"),
        ("one two three", "0dwdw2u", "one two three"),
        # keys that are not vim's in other editors
        ("one", "qzx", "on"),
        ("one", "d␛x", "on"),
    ],
)
async def test_normal_and_visual_mode(tmp_path: Path, text: str, keys: str, after: str) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        one.editor.show(Draft(text))
        await pilot.press("escape", *(KEYS.get(key, key) for key in keys))
        assert one.editor.text == after


async def test_lines_are_cut_and_put_whole(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press("a", "ctrl+j", "b", "ctrl+j", "c", "escape", *"ggddp")
        assert one.editor.text == "b\na\nc"
        await pilot.press(*"ggjdd")
        assert one.editor.text == "b\nc"
        await pilot.press(*"Gdd")
        assert one.editor.text == "b"


async def test_escape_leaves_insert_mode_first_and_then_interrupts(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press("a", "escape")
        await pilot.pause()
        assert not app.of(PromptInput.Interrupt)
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.of(PromptInput.Interrupt)) == 1


async def test_enter_sends_from_normal_mode(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"hi", "escape", "enter")
        await pilot.pause()
        assert [message.text for message in app.of(PromptInput.Submitted)] == ["hi"]


async def test_every_prompt_begins_in_insert_mode(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"hi", "escape", "enter", *"ij")
        assert one.editor.text == "ij"


async def test_k_and_j_go_through_the_rows_and_then_through_the_history(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test(size=(40, 20)) as pilot:
        await ready(pilot, one)
        await pilot.press(*"old", "enter")
        long = "words and " * 8
        one.editor.show(Draft(long))
        await pilot.pause()
        assert one.editor.last_row == 2
        await pilot.press("escape", *"kk")
        assert (one.editor.text, one.editor.cursor_row) == (long, 0)
        await pilot.press("k")
        assert one.editor.text == "old"
        await pilot.press("j")
        assert one.editor.text == long
        await pilot.press("j", "x")
        assert one.editor.text == long[:-1]


async def test_visual_mode_marks_what_it_takes_and_says_so(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"one two", "escape", *"0ve")
        assert one.editor.selected_text == "on", "the cursor stands on the last one"
        assert one.editor.at == 2
        assert "VISUAL" in str(one.query_one("#frame").border_subtitle)
        await pilot.press(*"0wvb")
        await pilot.press("escape", "V")
        assert "V-LINE" in str(one.query_one("#frame").border_subtitle)
        await pilot.press("escape", "2", "d")
        assert "NORMAL 2d" in str(one.query_one("#frame").border_subtitle)


async def test_a_paste_ends_visual_mode(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"one two", "escape", *"0ve")
        one.editor.post_message(events.Paste("x"))
        await pilot.pause()
        await pilot.press("0", "x")
        assert one.editor.text == "e two"


async def test_a_chip_is_one_piece_for_every_key(tmp_path: Path) -> None:
    one = prompt(tmp_path, keymap="vim")
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        pasted = "\n".join(map(str, range(100)))
        await pilot.press(*"see ")
        one.editor.post_message(events.Paste(pasted))
        await pilot.pause()
        await pilot.press(*" now", "escape", *"0wwiX", "escape")
        assert one.editor.text == "see [pasted 100 lines #1]X now"
        await pilot.press(*"bbdw")
        assert one.editor.text == "see X now"
        await pilot.press(*"P")
        assert one.editor.draft.whole() == f"see {pasted}X now"


async def test_a_text_ten_times_as_long_is_at_most_about_ten_times_the_work_for_vim(
    tmp_path: Path,
) -> None:
    efforts: list[int] = []
    for lines in (300, 3_000):
        one = prompt(tmp_path, keymap="vim")
        async with Stage(one).run_test() as pilot:
            await ready(pilot, one)
            one.editor.insert("word and, more\n" * lines)
            with counted() as work:
                await pilot.press("escape", *"gg9w}ggdG")
            assert one.editor.text == ""
            efforts.append(work.lines)
    assert efforts[1] < 12 * efforts[0]
