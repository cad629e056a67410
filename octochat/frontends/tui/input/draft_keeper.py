"""What is being written, what waits to be sent, and the file that keeps both.

It knows neither keys nor sending.
"""

from octochat.frontends.shared.drafts import Draft, DraftFile, Unsent, joined
from octochat.frontends.tui.input.autosave import Autosave
from octochat.frontends.tui.input.completer import Completer
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.queue import Queue


class DraftKeeper:
    """Words that outlive a crash and the change to another session."""

    def __init__(
        self, editor: Editor, waiting: Queue, saved: Autosave, completer: Completer
    ) -> None:
        """`completer` is told what is shown and was not typed."""
        self._editor = editor
        self._waiting = waiting
        self._saved = saved
        self._completer = completer

    def open(self, drafts: DraftFile) -> None:
        """Go on with another session's draft; the present one is kept."""
        self._saved.now()
        self._saved.file = drafts
        self.restore()

    def keep_in(self, drafts: DraftFile) -> None:
        """Keep what is written in another file from now on, below what that one has."""
        if drafts == self._saved.file:
            return
        kept, here = drafts.load(), Unsent(self._editor.draft, self._waiting.drafts)
        self._saved.move(drafts)
        if kept != Unsent():
            self._waiting.drafts = here.waiting
            self.start_with(joined([*kept.waiting, kept.draft, here.draft]))
        self._saved.soon()

    def hold(self) -> None:
        """Take the waiting prompts back into the input, before what stands there."""
        if self._waiting.drafts:
            whole = joined([*self._waiting.drafts, self._editor.draft])
            self._waiting.drafts = ()
            self.start_with(whole)

    def show(self, draft: Draft) -> None:
        """Put a draft in place of what stands here (undo brings that back)."""
        self._completer.quiet = True
        self._editor.show(draft)
        self._completer.quiet = False
        self._completer.close()

    def restore(self) -> None:
        """Take up what the file has."""
        unsent = self._saved.file.load()
        self._waiting.drafts = unsent.waiting
        self.start_with(unsent.draft)
        self.hold()

    def start_with(self, draft: Draft) -> None:
        """Show a draft that nothing came before: there is nothing to undo."""
        self._editor.pastes.clear()
        self.show(draft)
        self._editor.history.clear()
