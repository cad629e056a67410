"""A short list to choose from above the input. It never has the focus: the input's keys move it."""

from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from octochat.frontends.tui.input.completion import Choice

ROWS = 8
"""Most rows shown at once."""


class Choices(Widget, can_focus=False):
    """Rows of a label and its help, one of them chosen; hidden while there are none."""

    DEFAULT_CSS = """
    Choices {
        height: auto;
        max-height: 9;
        display: none;
        padding: 0 1;
        background: $surface;
        &.-some { display: block; }
        & > .choices--chosen { background: $primary 30%; text-style: bold; }
        & > .choices--help { color: $text-muted; }
        & > .choices--more { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choices--chosen", "choices--help", "choices--more"}

    rows: reactive[tuple[Choice, ...]] = reactive((), layout=True)
    place: reactive[int] = reactive(0)
    in_a_row: reactive[bool] = reactive(False, layout=True)
    """All of them beside each other, where each has a label that is brief enough."""

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice: Choice = choice

    def offer(self, rows: Sequence[Choice]) -> None:
        """Show other rows, the first of them chosen."""
        self.rows = tuple(rows)
        self.place = 0
        self.set_class(bool(rows), "-some")

    def move(self, by: int) -> None:
        """Choose another row; the list goes round."""
        self.place = (self.place + by) % max(1, len(self.rows))

    @property
    def chosen(self) -> Choice | None:
        """The row that Enter would take; None while there are none."""
        return self.rows[self.place] if self.place < len(self.rows) else None

    @property
    def top(self) -> int:
        """The first row shown."""
        return max(0, min(self.place - ROWS // 2, len(self.rows) - ROWS))

    @property
    def height_wanted(self) -> int:
        """Rows that it takes."""
        return 1 if self._beside else min(len(self.rows), ROWS + 1)

    @property
    def _beside(self) -> bool:
        return self.in_a_row and bool(self.rows) and all(row.brief for row in self.rows)

    def _row(self) -> Content:
        """All choices in one row."""
        chosen = self.get_visual_style("choices--chosen", partial=True)
        labels = [Content(f" {row.brief} ") for row in self.rows]
        labels[self.place] = labels[self.place].stylize(chosen)
        return Content(" ").join(labels)

    def _at(self, x: int) -> int:
        """The choice at a column of that row."""
        ends = accumulate(cell_len(row.brief) + 3 for row in self.rows)
        return next((n for n, end in enumerate(ends) if x < end), len(self.rows))

    def render(self) -> Content:
        """The rows around the chosen one, and how many there are if not all fit."""
        if self._beside:
            return self._row()
        shown = self.rows[self.top : self.top + ROWS]
        widest = max((cell_len(row.label) for row in shown), default=0)
        width = self.content_size.width
        label_width = min(widest, width if not any(r.help for r in shown) else width * 3 // 5)
        lines = [
            self._line(row, label_width, width, chosen=self.top + index == self.place)
            for index, row in enumerate(shown)
        ]
        if len(self.rows) > ROWS:
            more = Content(f"  {self.place + 1} of {len(self.rows)}")
            lines.append(more.stylize(self.get_visual_style("choices--more")))
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """Take the row under the mouse."""
        event.stop()
        offset = event.get_content_offset_capture(self)
        index = self._at(offset.x) if self._beside else self.top + offset.y
        if index < len(self.rows):
            self.post_message(self.Picked(self.rows[index]))

    def _line(self, row: Choice, label_width: int, width: int, *, chosen: bool) -> Content:
        mark = "› " if chosen else "  "
        label = Content(f"{mark}{row.label}").truncate(label_width + 2, ellipsis=True, pad=True)
        help_style = self.get_visual_style("choices--help")
        line = label + Content(f"  {row.help}" if row.help else "").stylize(help_style)
        line = line.truncate(max(1, width), ellipsis=True, pad=True)
        if chosen:
            line = line.stylize(self.get_visual_style("choices--chosen", partial=True))
        return line
