"""A line over the end of the transcript that says how much lies below, while one looks back."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from octochat.frontends.tui.typed_app import app_of
from octochat.text.figures import count

KEYS = "↑↓ cards · Enter opens · m all · y copies · c code · Esc back"
BRIEF = "↑↓ Enter opens · m all · y copies · c code · Esc"


class NewsLine(Static):
    """`↓ 128 lines below · 3 new · End`."""

    DEFAULT_CSS = """
    NewsLine {
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
        self.update(Content(_words(below, fresh, app_of(self).size.width, browsing=browsing)))

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        event.stop()
        self.post_message(self.Clicked())


def _words(below: int, fresh: int, width: int, *, browsing: bool) -> str:
    """As much of it as there is room for."""
    new = f" · {fresh:,} new" if fresh else ""
    lies = f"↓ {count(below, 'line')} below{new}" if below else ""
    if not browsing:
        return f"{lies} · Ctrl+End" if lies else ""
    brief = f"↓ {below:,}" if below else ""
    forms = ((KEYS, lies), (BRIEF, lies), (BRIEF, brief), (BRIEF, ""))
    said = ["   ".join(filter(None, form)) for form in forms]
    return next((words for words in said if len(words) <= width), said[-1])
