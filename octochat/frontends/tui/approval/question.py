"""What is asked about, in a box that scrolls. It knows nothing of answers."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from octochat.frontends.tui.approval.body import body_of
from octochat.frontends.tui.render.diff import changes_at
from octochat.frontends.tui.render.sheet import Sheet
from octochat.permissions.ask import Approval


class Question(VerticalScroll, can_focus=False):
    """The command, the change or the arguments, with what warns of them on top."""

    def __init__(self) -> None:
        super().__init__()
        self._changes: Sequence[int] = ()
        """The blocks that changes begin with."""

    def compose(self) -> ComposeResult:
        yield Sheet()

    def ask(self, approval: Approval) -> None:
        """Show another question, from the top or, where it is far below, from its first change."""
        marks = len(approval.dangers)
        self._changes = [marks + place for place in changes_at(approval.access.preview)]
        self.query_one(Sheet).blocks = tuple(body_of(approval))
        self.scroll_home(animate=False)
        self.call_after_refresh(self._to_first)

    def _to_first(self) -> None:
        if self._changes and self._row(0) >= self.size.height:
            self.look_at(0, len(self._changes))

    def look_at(self, change: int, changes: int) -> None:
        """Bring one of so many changes into view, where the diff has as many."""
        if self._changes and changes == len(self._changes):
            self.scroll_to(y=max(0, self._row(change) - 1), animate=False)

    def _row(self, change: int) -> int:
        return self.query_one(Sheet).row_of(self._changes[change])

    def beside(self, keys: str) -> str:
        """What is out of view and, where there is room, how to get there; then other keys."""
        below = round(self.max_scroll_y - self.scroll_target_y)
        if below <= 0:
            return f"PgUp · {keys}" if self.max_scroll_y else keys
        whole = f"↓ {below} more · PgDn · {keys}"
        return whole if len(whole) <= self.size.width else f"↓ {below} more · {keys}"

    def page(self, by: float) -> None:
        """Scroll by so many of its heights, in whole rows."""
        rows = max(1, int(abs(by) * self.size.height))
        self.scroll_relative(y=rows if by > 0 else -rows, animate=False)

    def fit(self, rows: int) -> None:
        """Take at most so many rows."""
        if self.styles.max_height is None or self.styles.max_height.value != rows:
            self.styles.max_height = rows
