"""A widget that shows blocks of text, as high as they are. It knows nothing of what they say."""

from collections.abc import Sequence

from textual.geometry import Size
from textual.reactive import reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from octochat.frontends.tui.render.blocks import Block, Row, break_rows
from octochat.frontends.tui.render.strips import GUTTER, MARGIN, Painter, selection_on
from octochat.frontends.tui.typed_app import screen_of


class Sheet(Widget):
    """Blocks under each other, in the width there is."""

    DEFAULT_CSS = "Sheet { height: auto; }"

    blocks: reactive[tuple[Block, ...]] = reactive((), layout=True)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # Textual's own name
        super().__init__(id=id)
        self._rows: Sequence[Row] = ()
        self._broken: tuple[tuple[Block, ...], int] = ((), 0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the blocks take."""
        del container, viewport
        return len(self._rows_at(width))

    def render_line(self, y: int) -> Strip:
        """One line of it."""
        width = self.content_size.width
        rows = self._rows_at(width)
        if y >= len(rows):
            return Strip.blank(width, self.rich_style)
        selection = self.text_selection
        span = selection.get_span(rows[y].line) if selection else None
        # Without a cache: the style of the ground may be another one at the next time.
        painter = Painter(self.visual_style, Style.parse, selection_on(screen_of(self)))
        return painter.strip(rows[y], 0, width, "", span)

    def row_of(self, block: int) -> int:
        """The line at which a block begins, in the width there is."""
        rows = self._rows_at(self.content_size.width)
        return next((y for y, row in enumerate(rows) if row.block is self.blocks[block]), 0)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What is selected, as it was written."""
        return selection.extract("\n".join(block.text.plain for block in self.blocks)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """The selection has changed."""
        del selection
        self.refresh()

    def _rows_at(self, width: int) -> Sequence[Row]:
        blocks, broken_at = self._broken
        if blocks is not self.blocks or broken_at != width:
            self._broken = (self.blocks, width)
            self._rows = break_rows(self.blocks, max(width - GUTTER - MARGIN, 8))
        return self._rows
