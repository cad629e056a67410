"""Up and Down in the input: to what waits, to what was sent before, and back to the draft."""

from octochat.frontends.shared.drafts import Draft
from octochat.frontends.shared.history import History, HistoryCursor
from octochat.frontends.tui.input.draft_keeper import DraftKeeper
from octochat.frontends.tui.input.editor import Editor


class HistoryWalk:
    """Where the person stands in the history."""

    def __init__(self, editor: Editor, drafts: DraftKeeper, history: History) -> None:
        self._editor = editor
        self._drafts = drafts
        self._cursor = HistoryCursor(history)

    def back(self) -> bool:
        """Whether Up was meant for the history; if so, go to what came before."""
        editor = self._editor
        if editor.cursor_row > 0 or not editor.selection.is_empty:
            return False
        if editor.text or not self._drafts.take_back():
            draft = self._cursor.back(self._drafts.shown)
            if draft is not None:
                self._drafts.recall(draft)
        return True

    def forth(self) -> bool:
        """Whether Down was meant for the history; if so, go to what came after."""
        editor = self._editor
        if editor.cursor_row < editor.last_row or self._cursor.place is None:
            return False
        if (draft := self._cursor.forth(self._drafts.shown)) is not None:
            self._drafts.recall(draft)
        return True

    def end(self) -> None:
        """What is shown is a draft of its own now; the one that the walk began at is kept."""
        if self._cursor.place is not None:
            self._drafts.remember(self._cursor.unsent)
        self._cursor.end()

    def leap(self, draft: Draft) -> None:
        """Show what was found; what stood here is kept."""
        if self._cursor.place is None:
            self._drafts.remember(self._drafts.shown)
        self.end()
        self._drafts.recall(draft)
