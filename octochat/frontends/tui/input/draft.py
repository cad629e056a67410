"""What is being written, what waits to be sent, and the file that keeps both.

It knows neither keys nor sending.
"""

from textual.containers import Vertical

from octochat.frontends.shared.drafts import Draft, DraftFile, Unsent, joined
from octochat.frontends.tui.input.autosave import Autosave
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.queue import Queue
from octochat.frontends.tui.input.suggest import Suggest


class Writing(Vertical):
    """An input whose words outlive a crash and the change to another session."""

    editor: Editor
    _waiting: Queue
    _saved: Autosave
    _suggest: Suggest

    def prefill(self, text: str) -> None:
        """Put a text to be edited in place of what stands here (undo brings that back)."""
        self._show(Draft(text))

    def open(self, drafts: DraftFile) -> None:
        """Go on with another session's draft; the present one is kept."""
        self._saved.now()
        self._saved.file = drafts
        self._restore()

    def keep_in(self, drafts: DraftFile) -> None:
        """Keep what is written in another file from now on, below what that one has."""
        if drafts == self._saved.file:
            return
        kept, here = drafts.load(), Unsent(self.editor.draft, self._waiting.drafts)
        self._saved.move(drafts)
        if kept != Unsent():
            self._waiting.drafts = here.waiting
            self._start_with(joined([*kept.waiting, kept.draft, here.draft]))
        self._saved.soon()

    def hold(self) -> None:
        """Take the waiting prompts back into the input, before what stands there."""
        if self._waiting.drafts:
            whole = joined([*self._waiting.drafts, self.editor.draft])
            self._waiting.drafts = ()
            self._start_with(whole)

    def _show(self, draft: Draft) -> None:
        self._suggest.quiet = True
        self.editor.show(draft)
        self._suggest.quiet = False
        self._suggest.close()

    def _restore(self) -> None:
        unsent = self._saved.file.load()
        self._waiting.drafts = unsent.waiting
        self._start_with(unsent.draft)
        self.hold()

    def _start_with(self, draft: Draft) -> None:
        """Show a draft that nothing came before: there is nothing to undo."""
        self.editor.pastes.clear()
        self._show(draft)
        self.editor.history.clear()
