"""A line over the end of the transcript that says how much lies below, while one looks back."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from octochat.tui.figures import count

KEYS = "↑↓ cards · Enter opens · m all · y copies · c code · Esc back"


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

    def tell(self, below: int, fresh: int, *, browsing: bool) -> None:
        """Say what lies below, and what the keys do; nothing if there is nothing to say."""
        self.set_class(below > 0 or browsing, "-open")
        new = f" · {fresh:,} new" if fresh else ""
        end = "" if browsing else " · Ctrl+End"
        lies = f"↓ {count(below, 'line')} below{new}{end}" if below else ""
        self.update(Content("   ".join(filter(None, (KEYS if browsing else "", lies)))))

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        event.stop()
        self.post_message(self.Clicked())
