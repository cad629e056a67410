"""What is being written, what goes along with it, what waits, and the files that keep it all.

It knows neither keys nor sending.
"""

from collections.abc import Callable
from dataclasses import replace

from octochat.frontends.shared.drafts import Attached, Draft, DraftFile, Unsent, joined
from octochat.frontends.shared.history import History
from octochat.frontends.tui.input.along import Along
from octochat.frontends.tui.input.autosave import Autosave
from octochat.frontends.tui.input.completer import Completer
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.queue import Queue

LONGEST_OFFER = 1_000
"""Characters of what was left that are enough to know it by."""


class DraftKeeper:
    """Words that outlive a crash and the change to another session."""

    def __init__(
        self,
        editor: Editor,
        along: Along,
        waiting: Queue,
        saved: Autosave,
        completer: Completer,
        history: History,
        trouble: Callable[[str], object],
        offered: Callable[[], object],
    ) -> None:
        """Make one.

        Args:
            editor: where the draft stands.
            along: what goes along with it.
            waiting: what waits.
            saved: the file that keeps it all.
            completer: is told what is shown and was not typed.
            history: where a draft is kept that is put away.
            trouble: is told what went wrong.
            offered: is called when `offer_words` may have changed.
        """
        self.left: str = ""
        """What another octochat had left and the history keeps, as long as it is offered."""
        self._held = Draft()
        """What one had left and the history can't keep: offered until it is taken back."""
        self._history = history
        self._trouble = trouble
        self._offered = offered
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
        held = (self._held,) if self._held != Draft() else ()
        return Unsent(self.here, (*held, *self._waiting.drafts))

    @property
    def offer_words(self) -> str:
        """What another octochat had left and Up brings back; empty if nothing."""
        held = self._held.text or ", ".join(each.label for each in self._held.along)
        return held[:LONGEST_OFFER] or self.left

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
        """Take the last waiting message, or what was left, into the empty input; whether any."""
        if not self._waiting.drafts:
            return self._take_held()
        *before, last = self._waiting.drafts
        self._waiting.drafts = tuple(before)
        self._along.kept = (*last.along, *self._along.kept)
        self.show(last)
        return True

    def _take_held(self) -> bool:
        held, self._held = self._held, Draft()
        if held != Draft():
            self.recall(held)
            self._saved.soon()
            self._offered()
        return held != Draft()

    def open(self, drafts: DraftFile) -> None:
        """Go on with another session's draft; the present one is kept."""
        self._saved.now()
        self._saved.file = drafts
        self.restore()

    def keep_in(self, drafts: DraftFile) -> None:
        """Keep what is written in another file from now on; what that one has is offered."""
        if drafts == self._saved.file:
            return
        self.offer(drafts)
        self._saved.move(drafts)
        self._saved.soon()

    def offer(self, drafts: DraftFile) -> None:
        """Keep at hand what was left in a file: as the newest of what was sent before, or here.

        It is not put into the input, where it could be sent unread.
        """
        draft = drafts.load().whole
        if draft.text and self.remember(draft):
            self.left = draft.text
        elif draft != Draft():
            self._held = joined((self._held, draft))
            self._saved.now()
        drafts.save(Unsent())
        self._offered()

    def recall(self, draft: Draft) -> None:
        """Show a draft of earlier, and let go along what went along with it."""
        self.show(draft)
        here = self._along.kept
        self._along.kept = (*here, *(each for each in draft.along if each not in here))

    def remember(self, draft: Draft) -> bool:
        """Put it into the history; whether it stands there, on the disk."""
        try:
            self._history.add(draft)
        except OSError as error:
            self._trouble(f"The input history can't be written: {error}")
            return False
        return self._history.newest == draft.used()

    def put_away(self) -> str:
        """Empty the input; says how what stood there comes back, nothing if nothing did."""
        draft = self._editor.draft
        if not draft.text:
            return ""
        self.remember(draft)
        self.show(Draft())
        return "↑" if self._history.newest == draft else "Ctrl+_"

    def hold(self) -> None:
        """Take the waiting prompts back into the input, before what stands there."""
        if self._waiting.drafts:
            whole = joined((*self._waiting.drafts, self.here))
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
