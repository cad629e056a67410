"""Everything above the input: the transcript, what it says of itself, the search, the questions.

Mounted after the first paint, for it takes longer to import than the input; what asks questions
comes last, when a session can be worked on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message

from octochat.context.session.events import Entry, EntryId, Prompted
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.transcript.activity_line import ActivityLine
from octochat.frontends.tui.transcript.cards.compression import CompressionCard
from octochat.frontends.tui.transcript.cards.reply import ReplyCard
from octochat.frontends.tui.transcript.cards.welcome import WelcomeCard
from octochat.frontends.tui.transcript.find_bar import FindBar
from octochat.frontends.tui.transcript.finder import Finder
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.frontends.tui.transcript.news_line import NewsLine
from octochat.frontends.tui.transcript.transcript import Transcript
from octochat.frontends.tui.typed_app import app_of, when_resumed
from octochat.models.port import Notice

if TYPE_CHECKING:
    from octochat.frontends.tui.approval.panel import ApprovalPanel

CARD_KEYS = frozenset(
    key
    for binding in Transcript.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
)
"""Keys that do something with the cards."""


class MainPane(Vertical):
    """What was said, and ways to look through it."""

    DEFAULT_CSS = "MainPane { height: 1fr; }"

    class Left(Message):
        """The keyboard is to go back to the input."""

    class RestoreAsked(Message):
        """The person wants the last compression undone."""

    @dataclass
    class EditAsked(Message):
        """The person wants to rewrite a note."""

        note: EntryId

    def __init__(self, prompt: PromptInput) -> None:
        super().__init__()
        self._prompt = prompt
        self.transcript = Transcript(id="transcript")
        self.approvals: ApprovalPanel | None = None
        """What asks the person; None until a session can be worked on."""
        self.activity = ActivityLine(
            self.transcript,
            asked=lambda: bool(self.approvals and self.approvals.has_class("-asking")),
        )
        self._finder = Finder(self.transcript)

    def on_mount(self) -> None:
        """After the shell has had the terminal, all of it is painted anew."""
        when_resumed(self, lambda _: app_of(self).refresh(layout=True))

    def compose(self) -> ComposeResult:
        yield self.transcript
        yield self.activity
        yield NewsLine()
        yield FindBar()

    def on_approval_panel_waits(self) -> None:
        """A question takes the place of the line that moves: there may be no room for both."""
        self.activity.remove_class("-open")

    async def ask_with(self, approvals: "ApprovalPanel") -> None:
        """From now on questions can be asked."""
        self.approvals = approvals
        await self.mount(approvals)

    def begin(self, entries: Iterable[Entry], mode: str = "ask") -> None:
        """Show a session, new (in which mode it begins is told) or resumed, in place of another."""
        self._finder.forget()
        self.transcript.clear()
        known = tuple(entries)
        if any(isinstance(entry.event, Prompted) for entry in known):
            self.transcript.show_all(known)
        else:
            self.transcript.add(WelcomeCard(known, mode))

    def fill_up(self, whole: TranscriptModel) -> None:
        """Show all of a session whose end is shown."""
        self._finder.forget()
        self.transcript.fill_up(whole)

    def find(self, text: str = "") -> None:
        """Ask what to find, or look for a text at once."""
        self.query_one(FindBar).begin(text)

    def show_entry(self, entry: EntryId) -> None:
        """Go to the card of an entry."""
        card = next((card for card in self.transcript.cards if card.entry == entry), None)
        if card:
            self.transcript.focus()
            self.transcript.point_at(card)
            self.transcript.reveal(card.index)

    def page(self, by: int) -> None:
        """Turn the page of the transcript, or of the question while the keyboard is there."""
        if self.approvals and self.approvals.has_focus_within:
            self.approvals.page(by)
            return
        height = max(self.transcript.size.height - 2, 1)
        self.transcript.scroll_relative(y=by * height, animate=False)

    def on_key(self, event: events.Key) -> None:
        """What is typed while the transcript has the keyboard, and means nothing there."""
        card = self.transcript.focused_card
        if event.key == "e" and isinstance(card, CompressionCard) and card.entry is not None:
            event.stop()
            self.post_message(self.EditAsked(card.entry))
        elif self.transcript.has_focus and event.is_printable and event.key not in CARD_KEYS:
            event.stop()
            self._prompt.give_back(event)

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted while the transcript has the keyboard."""
        if self.transcript.has_focus:
            event.stop()
            self._prompt.editor.focus()
            self._prompt.editor.post_message(events.Paste(event.text))

    def copy(self, text: str, what: str) -> None:
        """Put a text in the clipboard and say so."""
        app_of(self).copy_to_clipboard(text)
        app_of(self).notify(f"Copied {what}", timeout=2, markup=False)

    def copy_answer(self, which: str = "") -> None:
        """Copy the last answer, or the one so many from the end; 1 is the last."""
        cards = self.transcript.cards
        answers = [card for card in cards if isinstance(card, ReplyCard) and not card.hidden]
        place = int(which or 1) if (which or "1").isdecimal() else 0
        if not answers:
            self._warn("There is no answer yet.")
        elif not 1 <= place <= len(answers):
            there = "is one answer" if len(answers) == 1 else f"are {len(answers)} answers"
            self._warn(f"There {there}; /copy 1 is the last.")
        else:
            name = "the last answer" if place == 1 else f"answer {place} from the end"
            self.copy(answers[-place].text(), name)

    def _warn(self, text: str) -> None:
        self.transcript.show(Notice(text, "warning"))

    @on(Transcript.Moved)
    def moved(self, event: Transcript.Moved) -> None:
        self.query_one(NewsLine).tell(event.below, event.fresh, browsing=event.browsing)

    @on(NewsLine.Clicked)
    def news_clicked(self) -> None:
        self.transcript.follow()

    @on(Transcript.Copied)
    def copied(self, event: Transcript.Copied) -> None:
        self.copy(event.text, event.what)

    @on(Transcript.Tried)
    def tried(self, event: Transcript.Tried) -> None:
        self._prompt.prefill(event.text)
        self._prompt.editor.focus()

    @on(Transcript.RestoreAsked)
    def restore_asked(self) -> None:
        self.post_message(self.RestoreAsked())

    @on(Transcript.Left)
    def left(self) -> None:
        self.post_message(self.Left())

    @on(FindBar.Left)
    def search_left(self) -> None:
        self._finder.leave()
        self.post_message(self.Left())

    @on(FindBar.Stayed)
    def search_stayed(self) -> None:
        self._finder.stay()
        self.transcript.focus()

    @on(FindBar.Wanted)
    def wanted(self, event: FindBar.Wanted) -> None:
        self._finder.look(event.text)
        self.query_one(FindBar).say(*self._finder.standing)

    @on(FindBar.Step)
    def stepped(self, event: FindBar.Step) -> None:
        self._finder.step(event.by)
        self.query_one(FindBar).say(*self._finder.standing)
