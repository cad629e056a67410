"""The transcript on the screen: it holds its place, follows the end, opens, copies and finds."""

import itertools
from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.geometry import Offset

from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Prompted
from octochat.frontends.tui.transcript.finder import Finder
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.models.port import TextDelta
from tests.frontends.tui.told import NOON, Told, session


class Page(App[None]):
    """A screen with nothing but the transcript."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.transcript = Transcript(clock=lambda: NOON + 60)
        self.copied: list[str] = []
        self.fresh = 0
        self.browsing = False
        self._entries = entries

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_mount(self) -> None:
        self.transcript.show_all(self._entries)
        self.transcript.update()

    def on_transcript_copied(self, event: Transcript.Copied) -> None:
        self.copied.append(event.text)

    def on_transcript_moved(self, event: Transcript.Moved) -> None:
        self.fresh, self.browsing = event.fresh, event.browsing

    def lines(self) -> list[str]:
        """What is on the screen."""
        size = self.transcript.size
        return [self.transcript.render_line(y).text.rstrip() for y in range(size.height)]

    def where(self, text: str) -> Offset:
        """Where a text stands."""
        for y, line in enumerate(self.lines()):
            if text in line:
                return Offset(line.index(text), y)
        raise AssertionError(text, self.lines())


async def test_a_session_opens_at_its_end() -> None:
    app = Page(session(30))
    async with app.run_test():
        assert "· " in app.lines()[-1]
        assert app.transcript.below == 0


async def test_what_stands_before_the_end_is_put_there_without_a_row_moving() -> None:
    entries = session(30)
    last = [n for n, entry in enumerate(entries) if isinstance(entry.event, Prompted)][-4]
    app = Page(entries[last:])
    async with app.run_test(size=(100, 20)) as pilot:
        transcript = app.transcript
        for rows in (0, -25):
            transcript.scroll_relative(y=rows, animate=False)
            await pilot.pause()
        app.set_focus(None)
        await pilot.pause()
        transcript.focus()
        await pilot.press("enter")
        await pilot.pause()
        before, number, card = app.lines(), len(transcript.cards), transcript.focused_card
        assert card is not None
        assert card.opened
        whole = TranscriptModel.of(entries, lambda: NOON)
        transcript.fill_up(whole)
        assert app.lines() == before
        assert len(transcript.cards) == len(whole.cards) > number
        assert transcript.focused_card is not None
        assert transcript.focused_card.entry == card.entry
        await pilot.pause()
        assert app.fresh == 0
        transcript.scroll_relative(y=-10_000, animate=False)
        await pilot.pause()
        assert "Question 1:" in "".join(app.lines())


async def test_the_end_is_followed_while_an_answer_grows() -> None:
    app = Page(session(3))
    async with app.run_test():
        for n in range(60):
            app.transcript.show(TextDelta(f"line {n}\n\n"))
        app.transcript.update()
        assert app.lines()[-1] == "  line 59"


async def test_the_text_at_the_top_stays_there_when_the_size_changes() -> None:
    told = Told()
    for turn in range(4):
        told.asks(f"Question {turn}")
        told.says(Text(" ".join(f"t{turn}w{n}" for n in range(600))))
    app = Page(told.entries)
    async with app.run_test(size=(100, 30)) as pilot:
        app.transcript.scroll_relative(y=-45, animate=False)
        await pilot.pause()
        first = app.lines()
        word = first[0].split()[0]
        assert word.startswith("t")
        for width in (60, 90, 61, 87, 45, 80):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert word in app.lines()[0].split()
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert app.lines() == first


async def test_who_has_scrolled_up_is_left_in_peace_and_told_what_is_new() -> None:
    told = Told(session(10))
    app = Page(told.entries[:])
    async with app.run_test() as pilot:
        app.transcript.scroll_relative(y=-30, animate=False)
        await pilot.pause()
        before = app.lines()
        told.asks("One more")
        for entry in [told.entries[-1], told.says(Text("word\n\n" * 40))]:
            app.transcript.show(entry)
        app.transcript.update()
        assert app.lines() == before
        await pilot.pause()
        assert app.fresh == 3


async def test_every_line_of_a_long_session_is_passed_once_when_one_scrolls_to_its_beginning() -> (
    None
):
    app = Page(session(40))
    async with app.run_test() as pilot:
        seen = [app.lines()]
        while app.transcript.scroll_y > 0:
            app.transcript.scroll_relative(y=-7, animate=False)
            await pilot.pause()
            seen.append(app.lines())
        assert "claude-sonnet in ~/shop" in seen[-1][0]
        for below, above in itertools.pairwise(seen[:-1]):
            assert above[7:] == below[:-7]


async def test_a_new_width_keeps_the_place() -> None:
    app = Page(session(20))
    async with app.run_test(size=(100, 30)) as pilot:
        app.transcript.scroll_to(y=200, animate=False)
        await pilot.pause()
        top = app.transcript.window.card
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.transcript.window.card == top


async def test_the_cursor_is_seen_as_soon_as_the_keyboard_is_there_and_only_then() -> None:
    app = Page(session(30))
    async with app.run_test() as pilot:
        app.set_focus(None)
        await pilot.pause()
        assert not any(line.startswith("▎") for line in app.lines())
        assert not app.browsing
        app.transcript.focus()
        await pilot.pause()
        assert app.lines()[-1].startswith("▎ ")
        assert app.browsing


async def test_the_cursor_comes_back_to_what_is_in_view() -> None:
    app = Page(session(30))
    async with app.run_test() as pilot:
        app.set_focus(None)
        app.transcript.scroll_relative(y=-200, animate=False)
        await pilot.pause()
        app.transcript.focus()
        await pilot.pause()
        assert any(line.startswith("▎") for line in app.lines())


async def test_a_call_opens_where_it_stands() -> None:
    app = Page(session(1))
    async with app.run_test(size=(100, 90)) as pilot:
        place = app.where("read  tests")
        await pilot.click(offset=place)
        assert app.where("read  tests") == place
        assert app.where("line [1] of").y > place.y
        await pilot.click(offset=place)
        assert not any("line [1] of" in line for line in app.lines())


async def test_keys_walk_from_card_to_card_and_open_them() -> None:
    app = Page(session(2))
    async with app.run_test(size=(100, 50)) as pilot:
        app.transcript.focus()
        await pilot.press("g", "j", "j", "enter")
        assert app.lines()[4].startswith("▎ ∴ Thought")
        assert "So it is about time." in app.lines()[6]
        await pilot.press("enter")
        assert "Let me look." in app.lines()[6]


async def test_long_output_is_clipped_until_all_of_it_is_wanted() -> None:
    app = Page(session(1))
    async with app.run_test(size=(100, 100)) as pilot:
        await pilot.click(offset=app.where("read  tests"))
        assert any("20 more lines" in line for line in app.lines())
        await pilot.click(offset=app.where("20 more lines"))
        assert any("  30 line [30]" in line for line in app.lines())


async def test_a_selection_is_copied_as_it_was_written_not_as_it_is_wrapped() -> None:
    told = Told()
    told.asks("Hi")
    words = " ".join(f"word{n}" for n in range(40))
    told.says(Text(words))
    app = Page(told.entries)
    async with app.run_test(size=(60, 30)) as pilot:
        start, end = app.where("word0"), app.where("word39")
        assert end.y > start.y
        await pilot.mouse_down(offset=start)
        await pilot.hover(offset=(end.x + 5, end.y))
        await pilot.mouse_up(offset=(end.x + 5, end.y))
        assert app.screen.get_selected_text() == words


async def test_a_card_and_its_code_are_copied() -> None:
    app = Page(session(1))
    async with app.run_test(size=(100, 100)) as pilot:
        await pilot.click(offset=app.where("copy"))
        app.transcript.focus()
        await pilot.press("G", "k", "c", "y")
        assert [x.split("\n")[0][:20] for x in app.copied] == [
            "def wait_until_up(po",
            "def wait_until_up(po",
            "The test sleeps **50",
        ]


async def test_what_is_folded_far_above_is_found_and_opened() -> None:
    told = Told(session(30))
    app = Page(told.entries)
    async with app.run_test() as pilot:
        finder = Finder(app.transcript)
        finder.look("LINE [30] of")
        assert finder.standing == (30, 30)
        finder.step(1)
        assert finder.standing == (1, 30)
        await pilot.pause()
        assert any("30 line [30] of the test" in line for line in app.lines())
        assert app.transcript.window.card < 10
        finder.look("no such thing")
        assert finder.standing == (0, 0)


async def test_a_search_ends_where_it_began_and_folds_what_it_opened() -> None:
    app = Page(session(30))
    async with app.run_test() as pilot:
        app.transcript.scroll_relative(y=-40, animate=False)
        await pilot.pause()
        before, opened = app.lines(), {card for card in app.transcript.cards if card.opened}
        finder = Finder(app.transcript)
        finder.look("line")
        finder.look("line [30] of")
        finder.step(-1)
        finder.step(-1)
        await pilot.pause()
        assert app.lines() != before
        finder.leave()
        await pilot.pause()
        assert app.lines() == before
        assert {card for card in app.transcript.cards if card.opened} == opened
        finder.look("line [30] of")
        finder.step(1)
        finder.stay()
        await pilot.pause()
        assert any("30 line [30] of the test" in line for line in app.lines())
        assert len({card for card in app.transcript.cards if card.opened} - opened) == 1


async def test_a_match_goes_over_the_end_of_a_row_and_over_marks_that_are_not_shown() -> None:
    told = Told()
    told.asks("Hi")
    told.says(Text("word " * 30 + "left **right**\nand *below* 中文 字 " + "word " * 300))
    told.says(Text("word " * 300))
    app = Page(told.entries)
    async with app.run_test(size=(60, 12)) as pilot:
        for words in ("LEFT right", "word left right and below", "below 中文 字 word", "  left  "):
            finder = Finder(app.transcript)
            finder.look(words)
            await pilot.pause()
            assert finder.standing == (1, 1), words
            assert any("left" in line or "below" in line for line in app.lines()), words
            finder.leave()


async def test_a_search_goes_on_when_what_was_found_was_still_being_written() -> None:
    told = Told(session(1))
    app = Page(told.entries)
    async with app.run_test() as pilot:
        app.transcript.show(TextDelta("a walrus"))
        app.transcript.update()
        finder = Finder(app.transcript)
        finder.look("walrus")
        assert finder.standing == (1, 1)
        app.transcript.rest()
        app.transcript.update()
        finder.step(1)
        await pilot.pause()
        assert finder.standing == (0, 0)


async def test_of_all_matches_the_one_that_is_looked_at_stands_out() -> None:
    app = Page(session(1))
    async with app.run_test(size=(80, 30)) as pilot:

        def standing_out() -> list[str]:
            rows = range(app.transcript.size.height)
            segments = [part for y in rows for part in app.transcript.render_line(y)]
            return [
                text for text, style, _ in segments if style and style.bold and "of the" in text
            ]

        finder = Finder(app.transcript)
        for step in (0, -1):
            finder.look("of the test") if not step else finder.step(step)
            await pilot.pause()
            assert standing_out() == ["of the test"]


async def test_scrolling_before_the_next_look_meets_no_card_that_is_gone() -> None:
    app = Page(session(30))
    async with app.run_test():
        app.transcript.show(TextDelta("half an answer, many lines\n\n" * 40))
        app.transcript.update()
        app.transcript.rest()
        app.transcript.scroll_relative(y=-1, animate=False, force=True)
        assert "half an answer" not in "\n".join(app.lines())
