"""A line over the end of the transcript that says how much lies below, while one looks back."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from octochat.tui.figures import count


class News(Static):
    """`↓ 128 lines below · 3 new · End`."""

    DEFAULT_CSS = """
    News {
        height: 1; display: none; width: 100%;
        content-align: center middle;
        color: $text-accent; background: $panel;
        &.-open { display: block; }
        &:hover { background: $accent 30%; }
    }
    """

    class Clicked(Message):
        """The person wants to see the end."""

    def tell(self, below: int, fresh: int) -> None:
        """Say what lies below; nothing if the end is in view."""
        self.set_class(below > 0, "-open")
        new = f" · {fresh:,} new" if fresh else ""
        self.update(Content(f"↓ {count(below, 'line')} below{new} · Ctrl+End"))

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        event.stop()
        self.post_message(self.Clicked())
