"""Ctrl+R: finding something that was sent before, in any session, by words that it holds."""

from datetime import datetime
from pathlib import PurePath

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from octochat.frontends.shared.drafts import Draft
from octochat.frontends.shared.history import History, Sent
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.completion import Choice


class HistorySearch(Vertical):
    """A search line over a list; it goes away with a choice or with Escape."""

    DEFAULT_CSS = """
    HistorySearch {
        height: auto;
        border: round $primary;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        & Input { border: none; height: 1; padding: 0; background: transparent; }
        & Choices { padding: 0; background: transparent; }
    }
    """

    class Chosen(Message):
        """A line of the history was taken, or none (None)."""

        def __init__(self, draft: Draft | None) -> None:
            super().__init__()
            self.draft: Draft | None = draft

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self._found: list[Sent] = []
        self.border_title = "Sent before"
        self.border_subtitle = "Enter takes · Esc leaves"

    def compose(self) -> ComposeResult:
        yield Choices()
        yield Input(placeholder="Words it holds", compact=True)

    def on_mount(self) -> None:
        words = self.query_one(Input)
        words.cursor_blink = False
        words.focus()
        self._search("")

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        event.stop()
        self._search(event.value)

    def on_key(self, event: events.Key) -> None:
        """Move, take or leave; letters go to the search line."""
        choices = self.query_one(Choices)
        match event.key:
            case "up" | "ctrl+p":
                choices.move(-1)
            case "down" | "ctrl+n" | "ctrl+r":
                choices.move(1)
            case "escape" | "ctrl+g":
                self.leave()
            case "tab":
                self._take(choices.place)
            case _:
                return
        event.stop()
        event.prevent_default()

    def leave(self) -> None:
        """Go away without a choice."""
        self.post_message(self.Chosen(None))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        # The list may be one key behind the words: look once more.
        place = self.query_one(Choices).place
        self._search(event.value)
        self._take(place)

    @on(Choices.Picked)
    def picked(self, event: Choices.Picked) -> None:
        event.stop()
        self._take(self.query_one(Choices).rows.index(event.choice))

    def _search(self, words: str) -> None:
        self._found = self._history.search(words)
        rows = [Choice("", _one_line(sent.draft.text), _when(sent)) for sent in self._found]
        choices = self.query_one(Choices)
        if tuple(rows) != choices.rows:
            choices.offer(rows)
        self.border_subtitle = (
            "Enter takes · Esc leaves" if rows else "No earlier prompt has these words · Esc leaves"
        )

    def _take(self, place: int) -> None:
        found = self._found[place].draft if place < len(self._found) else None
        self.post_message(self.Chosen(found))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _when(sent: Sent) -> str:
    day = datetime.fromtimestamp(sent.at).astimezone().strftime("%d %b %H:%M") if sent.at else ""
    return " · ".join(part for part in (day, PurePath(sent.folder).name) if part)
