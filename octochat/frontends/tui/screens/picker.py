"""One list to choose from, for every command that has something to choose.

Letters narrow it, Enter takes the row, Esc leaves things as they were. It knows no command.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from octochat.commands.choices import Pick, Picks
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.frontends.tui.screens.overlay import Overlay
from octochat.text.harmless import one_line

WIDEST = 40
"""Cells that a label may take beside its help."""


class PickerScreen(Overlay[str | None]):
    """Gives the value that was chosen, or None."""

    DEFAULT_CSS = """
    PickerScreen {
        & > #picker { height: auto; max-height: 70%; }
        & OptionList { height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False),
        Binding("pageup", "page('page_up')", "Page up", show=False, priority=True),
        Binding("pagedown", "page('page_down')", "Page down", show=False, priority=True),
    ]

    def __init__(self, picks: Picks, preview: Callable[[str], object] | None = None) -> None:
        """`preview` is told of every row that the person comes to."""
        super().__init__()
        self._picks = picks
        self._preview = preview
        self._words = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="picker", classes="overlay") as box:
            box.border_title = Content(self._picks.title)
            yield OptionList()

    def on_mount(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Letters narrow the list."""
        if event.key == "backspace":
            self._words = self._words[:-1]
        elif event.is_printable and event.character:
            self._words += event.character
        else:
            return
        event.stop()
        self._show()

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option.id)

    @on(OptionList.OptionHighlighted)
    def came_to(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self._preview and event.option.id is not None:
            self._preview(event.option.id)

    def action_page(self, how: str) -> None:
        """Turn the list's page."""
        rows = self.query_one(OptionList)
        rows.action_page_up() if how == "page_up" else rows.action_page_down()

    def _show(self) -> None:
        words = self._words.casefold().split()
        shown = [row for row in self._picks.rows if _fits(row, words)]
        said = _said(self._words, found=bool(shown))
        self.query_one("#picker").border_subtitle = Content(said)
        width = min(max((Content(row.label).cell_length for row in shown), default=0), WIDEST)
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(_line(row, width), row.value) for row in shown])
        if not shown:
            nothing = Content(f"Nothing has “{one_line(self._words)}”.")
            rows.add_option(Option(nothing, disabled=True))
            return
        current = (n for n, row in enumerate(shown) if row.current and not words)
        rows.highlighted = next(current, 0)


def _said(words: str, *, found: bool) -> str:
    narrowed = f"“{one_line(words)}”" if words else "type to narrow"
    takes = "Enter takes it" if found else "Backspace widens"
    return f"{narrowed} · {takes} · Esc goes back"


def _fits(row: Pick, words: list[str]) -> bool:
    text = f"{row.label} {row.help}".casefold()
    return all(word in text for word in words)


def _line(row: Pick, width: int) -> Content:
    mark = ("● " if row.current else "  ", "$text-accent")
    label = Content(one_line(row.label))
    pad = " " * max(width - label.cell_length, 0)
    return (
        styled(mark) + label + styled((f"{pad}  {one_line(row.help)}" if row.help else "", FAINT))
    )
