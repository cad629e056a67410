"""A view of any number of cards that draws only the rows it shows.

The place that is looked at is held by card and row, so that nothing that happens above or below
can move it. Only lines that look different are painted again, which keeps ssh quiet.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from octochat.frontends.tui.render.strips import (
    CARD_LINES,
    GUTTER,
    MARGIN,
    Painter,
    selection_on,
)
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.frontends.tui.transcript.row_cache import DrawnCard, ViewRow, space_above
from octochat.frontends.tui.transcript.selection import selected
from octochat.frontends.tui.transcript.window import Window
from octochat.frontends.tui.typed_app import screen_of

FAR = 4
"""Screens: what is further away is jumped to by estimate, what is nearer is scrolled to exactly."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person looks."""

    card: int
    row: int
    following: bool
    """At the end, wherever that will be."""


class Pager(ScrollView):
    """Cards under each other. A click leaves the keyboard where it is."""

    FOCUS_ON_CLICK = False
    DEFAULT_CSS = """
    Pager { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # Textual's own name
        super().__init__(id=id)
        self.window = Window(self._measured)
        self.drawn = DrawnCard()
        self.following = True
        """The end stays in view while the transcript grows."""
        self._shown: list[ViewRow] = []
        self._held: tuple[ViewRow, tuple[int, int]] | None = None
        """What stays at the top while the size changes, and the place that it has brought us to."""
        self._painter: Painter | None = None
        self._placing = False

    @property
    def cards(self) -> Sequence[Card]:
        """What is shown."""
        raise NotImplementedError

    @property
    def page(self) -> Page:
        """What the cards are drawn on."""
        raise NotImplementedError

    @property
    def focused_card(self) -> Card | None:
        """The card that the cursor stands on."""
        return None

    @property
    def view(self) -> Size:
        """The size of what is seen, the scroll bar not included."""
        return self.scrollable_content_region.size

    @property
    def breadth(self) -> int:
        """Cells that rows take, their margins included."""
        return self.view.width

    @property
    def below(self) -> int:
        """Rows under the view, as far as they are known."""
        return max(self.window.total - self.window.place - self.view.height, 0)

    def settle(self) -> None:
        """Bring what is in view up to date."""
        if not self.view.height or not self.view.width:
            return
        if self.following:
            self.window.end(self.view.height)
        else:
            self.window.settle(self.view.height)
        self._place()
        self._look()

    @property
    def standing(self) -> Place:
        """Where the person looks now."""
        return Place(self.window.card, self.window.row, self.following)

    def stand(self, place: Place) -> None:
        """Look there again."""
        self.following = place.following
        if place.card < len(self.window):
            self.window.card, self.window.row = place.card, place.row
        self.settle()

    def reveal(self, index: int, row: int = 0) -> None:
        """Bring a row of a card into view, a little below the top if it was outside."""
        height = self.view.height
        if any(x.card.index == index and x.row is not None for x in self._shown) and not row:
            top = next(y for y, x in enumerate(self._shown) if x.card.index == index)
            if top + min(self.window.height(index), height) <= height:
                return
        self.following = False
        self.window.card, self.window.row = index, 0
        self.window.scroll(row - min(height // 4, 4))
        self.window.settle(height)
        self.following = self.below == 0
        self.settle()

    def show_bottom(self, index: int) -> None:
        """Scroll down as far as a card's end is below the view and its beginning stays in it."""
        if not len(self.window):
            return
        end = self.window.top(index) + self.window.height(index)
        hidden = end - self.window.place - self.view.height
        room = self.window.top(index) - self.window.place
        if hidden > 0 and room > 0:
            self.window.scroll(min(hidden, room))
            self.settle()

    def repaint(self) -> None:
        """Everything may look different: the theme has changed."""
        self._painter = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the view."""
        width = self.view.width
        if y >= len(self._shown):
            return Strip.blank(width, self.rich_style)
        line = self._shown[y]
        card, row = line.card.index, line.row
        mark = "▎" if line.focused else ""
        painter = self._painter or self._new_painter()
        if row is None:
            strip = painter.blank(card, self.breadth, "")
        else:
            selection = self.text_selection
            span = selection.get_span(card * CARD_LINES + row.line) if selection else None
            strip = painter.strip(row, card, self.breadth, mark, span)
        return strip.adjust_cell_length(width, self.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected, as it was written."""
        return selected(self.cards, self.page, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """The selection has changed."""
        del selection
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The person scrolled, or we did."""
        del old_value
        self.vertical_scrollbar.position = new_value
        if self._placing:
            return
        line = round(new_value)
        delta = line - self.window.place
        if abs(delta) <= FAR * self.view.height:
            self.window.scroll(delta)
        else:
            self.window.jump(line)
        self.following = line >= self.virtual_size.height - self.view.height
        self.settle()

    def on_resize(self, event: events.Resize) -> None:
        """Rows break elsewhere now; the text at the top of the view stays there."""
        del event
        self.window.forget_all()
        self.drawn.clear()
        if not self.following and self._shown and self.view.width:
            self._hold()
        self.settle()

    def _hold(self) -> None:
        """Look at the row that has the text which was at the top before the first of the resizes.

        Not at what the last of them has brought there: that row may begin a little earlier, and a
        window that is dragged would wander.
        """
        top, place = self._shown[0], (self.window.card, self.window.row)
        if self._held and self._held[1] == place and self._held[0].card is top.card:
            top = self._held[0]
        if top.row is None:
            return
        begins = [(row.line, row.start) for row in self.drawn.rows(top.card, self.page)]
        at = bisect_right(begins, (top.row.line, top.row.start)) - 1
        self.window.card, self.window.row = top.card.index, self._above(top.card.index) + max(at, 0)
        self._held = (top, (self.window.card, self.window.row))

    def line_at(self, y: int) -> ViewRow | None:
        """The line under the mouse."""
        return self._shown[y] if 0 <= y < len(self._shown) else None

    @property
    def last_shown(self) -> Card | None:
        """The lowest card in view."""
        return self._shown[-1].card if self._shown else None

    def shows(self, card: Card) -> bool:
        """Whether any of a card is in view."""
        return any(line.card is card for line in self._shown)

    def _place(self) -> None:
        """Tell the scroll bar."""
        self._placing = True
        try:
            size = Size(self.view.width, max(self.window.total, 1))
            if size != self.virtual_size:
                self.virtual_size = size
            self.scroll_target_y = self.scroll_y = self.window.place
        finally:
            self._placing = False

    def _look(self) -> None:
        """Paint the lines that look different."""
        before, self._shown = self._shown, list(self._lines(self.view.height))
        height = max(len(before), len(self._shown))
        start: int | None = None
        for y in range(height + 1):
            differs = y < height and not (
                y < min(len(before), len(self._shown)) and self._shown[y].same(before[y])
            )
            if differs and start is None:
                start = y
            elif not differs and start is not None:
                self.refresh(Region(0, start, self.view.width, y - start))
                start = None

    def _lines(self, height: int) -> Iterator[ViewRow]:
        row, focused, page = self.window.row, self.focused_card, self.page
        for index in range(self.window.card, len(self.window)):
            card = self.cards[index]
            if card.hidden:
                continue
            rows, above = self.drawn.rows(card, page), self._above(index)
            for place in range(row, above + len(rows)):
                if not height:
                    return
                height -= 1
                shown = rows[place - above] if place >= above else None
                yield ViewRow(card, shown, card is focused)
            row = 0

    def _measured(self, index: int) -> int:
        card = self.cards[index]
        if card.hidden:
            return 0
        return self._above(index) + len(self.drawn.rows(card, self.page))

    def _above(self, index: int) -> int:
        before = index - 1
        while before >= 0 and self.cards[before].hidden:
            before -= 1
        return space_above(self.cards[index], self.cards[before] if before >= 0 else None)

    def _new_painter(self) -> Painter:
        self._painter = Painter(self.visual_style, Style.parse, selection_on(screen_of(self)))
        return self._painter


def page_width(breadth: int) -> int:
    """Cells that a card may fill."""
    return max(breadth - GUTTER - MARGIN, 8)
