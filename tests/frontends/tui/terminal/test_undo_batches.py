"""Edits that belong together are undone together."""

from textual.app import App, ComposeResult
from textual.widgets import TextArea

from octochat.frontends.tui.terminal.undo_batches import UndoBatches


class Writing(App[None]):
    """A text area with such a history."""

    def compose(self) -> ComposeResult:
        yield TextArea()

    @property
    def area(self) -> TextArea:
        return self.query_one(TextArea)


async def test_what_stands_between_begin_and_end_is_one_step() -> None:
    app = Writing()
    async with app.run_test():
        history = app.area.history = UndoBatches(100, 0.0, 10)
        app.area.insert("first ")
        history.begin()
        for word in ("one\n", "two\n", "three\n"):
            app.area.insert(word)
        history.end()
        app.area.insert("last")
        app.area.undo()
        assert app.area.text == "first one\ntwo\nthree\n"
        app.area.undo()
        assert app.area.text == "first "
        app.area.redo()
        assert app.area.text == "first one\ntwo\nthree\n"


async def test_nothing_is_undone_after_all_was_forgotten() -> None:
    app = Writing()
    async with app.run_test():
        history = app.area.history = UndoBatches(100, 0.0, 10)
        history.begin()
        app.area.insert("one\n")
        history.clear()
        app.area.insert("two\n")
        app.area.insert("three\n")
        app.area.undo()
        assert app.area.text == "one\ntwo\n"
