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
from octochat.frontends.tui.input.disk_trouble import DiskTrouble
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
        self._recalled: tuple[Attached, ...] = ()
        """What goes along only because it did with what was recalled."""
        self._history = history
        self._remembering = DiskTrouble("The input history can't be written", trouble)
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
    def shown(self) -> Draft:
        """What is being written, and what goes along because it was recalled with it."""
        still = tuple(each for each in self._recalled if each in self._along.kept)
        return replace(self._editor.draft, along=still)

    @property
    def unsent(self) -> Unsent:
        """All that the model has not got."""
        return Unsent(self.here, self._waiting.drafts, self._held)

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
        if not self._along.kept:
            return False
        self._along.kept = self._along.kept[:-1]
        self._saved.soon()
        return True

    def queue(self, draft: Draft) -> None:
        """Let it wait until the model is done."""
        self._waiting.drafts = (*self._waiting.drafts, draft)
        self._saved.soon()

    def next_waiting(self) -> Draft | None:
        """Take out what has waited longest."""
        if not self._waiting.drafts:
            return None
        first, *rest = self._waiting.drafts
        self._waiting.drafts = tuple(rest)
        self._saved.soon()
        return first

    def take_back(self) -> bool:
        """Take the last waiting message, or what was left, into the empty input; whether any."""
        if self._waiting.drafts:
            *before, last = self._waiting.drafts
            self._waiting.drafts = tuple(before)
        else:
            last, self._held = self._held, Draft()
        if last == Draft():
            return False
        self._along.kept = (*last.along, *self._along.kept)
        self.show(last)
        self._saved.soon()
        self._offered()
        return True

    def open(self, drafts: DraftFile) -> None:
        """Go on with another session's draft; the present one is kept, and what is offered here."""
        self._saved.now()
        self._saved.file = drafts
        self.restore()

    def keep_in(self, drafts: DraftFile) -> None:
        """Keep what is written in another file from now on; what that one has is offered."""
        if drafts != self._saved.file:
            self.offer(drafts)
            self._saved.move(drafts)

    def offer(self, drafts: DraftFile, *, keep: bool = False) -> None:
        """Keep at hand what was left in a file: as the newest of what was sent before, or here.

        It is not put into the input, where it could be sent unread. The file goes once the words
        stand elsewhere on the disk, unless its session is to `keep` it.
        """
        draft = drafts.load().whole
        if not draft.text.strip():
            draft = Draft(along=draft.along)
        if draft.text and self.remember(draft):
            self.left = draft.text
            if not keep:
                self._saved.drop(drafts)
        elif not keep:
            self._held = joined((self._held, draft))
            if self._saved.now():
                self._saved.drop(drafts)
        self._offered()

    def recall(self, draft: Draft) -> None:
        """Show a draft of earlier. What went along with it does so for as long as it is shown."""
        own = tuple(each for each in self._along.kept if each not in self._recalled)
        self._recalled = tuple(each for each in draft.along if each not in own)
        self._along.kept = (*own, *self._recalled)
        self.show(draft)

    def remember(self, draft: Draft) -> bool:
        """Put it into the history; whether it stands there, on the disk."""
        written = self._remembering.tries(lambda: self._history.add(draft))
        return written and self._history.newest == draft.used()

    def put_away(self) -> str:
        """Empty the input; says how what stood there comes back, nothing if nothing did."""
        draft = self.shown
        if not draft.text:
            return ""
        self.remember(draft)
        self.recall(Draft())
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
        self._held = unsent.held
        self.start_with(unsent.draft)
        self.hold()
        self._offered()

    def start_with(self, draft: Draft) -> None:
        """Show a draft that nothing came before: there is nothing to undo."""
        self._editor.pastes.clear()
        self._recalled, self._along.kept = (), draft.along
        self.show(draft)
        self._editor.history.clear()
