"""What is being written, what goes along with it, what waits, and the file that keeps it all.

It knows neither keys nor sending.
"""

from dataclasses import replace

from octochat.frontends.shared.drafts import Attached, Draft, DraftFile, Unsent, joined
from octochat.frontends.tui.input.along import Along
from octochat.frontends.tui.input.autosave import Autosave
from octochat.frontends.tui.input.completer import Completer
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.queue import Queue


class DraftKeeper:
    """Words that outlive a crash and the change to another session."""

    def __init__(
        self, editor: Editor, along: Along, waiting: Queue, saved: Autosave, completer: Completer
    ) -> None:
        """`completer` is told what is shown and was not typed."""
        self._editor = editor
        self._along = along
        self._waiting = waiting
        self._saved = saved
        self._completer = completer

    @property
    def here(self) -> Draft:
        """What is being written, and what goes along with it."""
        return replace(self._editor.draft, along=self._along.kept)

    @property
    def unsent(self) -> Unsent:
        """All that the model has not got."""
        return Unsent(self.here, self._waiting.drafts)

    def attach(self, more: Attached) -> None:
        """Let something go along with the next message."""
        self._along.kept = (*self._along.kept, more)
        self._saved.soon()

    def detach(self) -> bool:
        """Take off what was attached last; whether there was something."""
        had, self._along.kept = bool(self._along.kept), self._along.kept[:-1]
        self._saved.soon()
        return had

    def take_back(self) -> bool:
        """Take the last waiting message back into the empty input; whether one waits."""
        if not self._waiting.drafts:
            return False
        *before, last = self._waiting.drafts
        self._waiting.drafts = tuple(before)
        self._along.kept = (*last.along, *self._along.kept)
        self.show(last)
        return True

    def open(self, drafts: DraftFile) -> None:
        """Go on with another session's draft; the present one is kept."""
        self._saved.now()
        self._saved.file = drafts
        self.restore()

    def keep_in(self, drafts: DraftFile) -> None:
        """Keep what is written in another file from now on, below what that one has."""
        if drafts == self._saved.file:
            return
        kept, here = drafts.load(), self.unsent
        self._saved.move(drafts)
        if kept != Unsent():
            self._waiting.drafts = here.waiting
            self.start_with(joined([*kept.waiting, kept.draft, here.draft]))
        self._saved.soon()

    def hold(self) -> None:
        """Take the waiting prompts back into the input, before what stands there."""
        if self._waiting.drafts:
            whole = joined([*self._waiting.drafts, self.here])
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
        self._along.kept = draft.along
        self.show(draft)
        self._editor.history.clear()
