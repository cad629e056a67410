"""What goes along with the next message, above the input: commands that the person ran."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from octochat.frontends.shared.drafts import Attached

ROWS = 3
"""Most of them shown; of more, the last."""


class Along(Widget, can_focus=False):
    """One line for each; hidden while there are none."""

    DEFAULT_CSS = """
    Along {
        height: auto;
        display: none;
        padding: 0 2;
        color: $text-accent;
        &.-some { display: block; }
    }
    """

    kept: reactive[tuple[Attached, ...]] = reactive((), layout=True)
    """Oldest first."""

    def watch_kept(self, kept: tuple[Attached, ...]) -> None:
        self.set_class(bool(kept), "-some")

    @property
    def hint(self) -> str:
        """What becomes of them, and how to take them off; empty while there are none."""
        return "goes with your next message · Backspace takes it off" if self.kept else ""

    def render(self) -> Content:
        """The last of them, and how many stand before."""
        width = max(1, self.content_size.width)
        before = len(self.kept) - ROWS
        lines = [Content(f"and {before} more")] if before > 0 else []
        lines += (Content(each.label).truncate(width, ellipsis=True) for each in self.kept[-ROWS:])
        return Content("\n").join(lines)
