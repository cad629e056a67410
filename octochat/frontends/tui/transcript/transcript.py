"""The transcript: what was said and done, from the first card to the one being written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic, time
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.timer import Timer

from octochat.context.session.events import Entry
from octochat.frontends.tui.terminal.info import NEAR, Pace
from octochat.frontends.tui.transcript import messages
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.frontends.tui.transcript.cards.report import ReportCard
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.frontends.tui.transcript.pager import Pager, page_width
from octochat.frontends.tui.typed_app import app_of
from octochat.models.port import Delta


class Transcript(Pager, can_focus=True):
    """Shows entries and deltas; opens, copies and finds them again."""

    BINDING_GROUP_TITLE = "Transcript"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "Card above"),
        Binding("down,j", "step(1)", "Card below"),
        Binding("enter,space", "open", "Open or close"),
        Binding("escape", "leave", "Back to the input"),
        Binding("m", "more", "Show all of it"),
        Binding("y", "copy", "Copy the card"),
        Binding("c", "copy_code", "Copy its code"),
        Binding("g,home", "end_card(0)", "First card"),
        Binding("G,end", "end_card(-1)", "Last card"),
    ]

    Moved = messages.Moved
    Tried = messages.Tried
    Hurried = messages.Hurried
    RestoreAsked = messages.RestoreAsked
    Left = messages.Left
    Copied = messages.Copied

    def __init__(self, *, clock: Callable[[], float] = time, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._pace = NEAR
        self.model = TranscriptModel(clock)
        self.clock = clock
        self._cursor: Card | None = None
        self._beat: Timer | None = None
        self._spin: Timer | None = None
        self._last = 0.0
        self._seen = 0
        """Cards there were when the end was last in view."""
        self._code = 0

    @property
    def cards(self) -> Sequence[Card]:
        return self.model.cards

    @property
    def page(self) -> Page:
        return Page(page_width(self.breadth), self.clock())

    @property
    def focused_card(self) -> Card | None:
        return self._cursor if self.has_focus else None

    def show(self, item: Entry | Delta) -> None:
        """Take in something that has just happened."""
        self.model.show(item)
        if isinstance(item, Entry):
            self._last = 0.0
        self._soon()

    def show_all(self, items: Iterable[Entry]) -> None:
        """Take in a session that is resumed."""
        for item in items:
            self.model.show(item)
        (self.update if self.breadth else self._soon)()

    def add(self, card: Card) -> None:
        """Show a card that no entry and no delta makes."""
        self.model.add(card)
        self.follow()

    def report(self, text: str) -> None:
        """Show what a command has to say."""
        self.add(ReportCard(self.clock(), text))

    def touch(self, card: Card) -> None:
        """A card looks different now."""
        self.model.touched.add(card)
        self._soon()

    def rest(self) -> None:
        """Nothing goes on any more."""
        self.model.rest()
        self._soon()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following = True
        self.update()

    def clear(self) -> None:
        """Begin with an empty page."""
        self.model = TranscriptModel(self.clock)
        self._cursor = None
        self.drawn.clear()
        self.window.cut(0)
        self.follow()

    def fill_up(self, whole: TranscriptModel) -> None:
        """Show all cards of a session whose last ones are shown, and look at the same place."""
        at, more = self.standing, len(whole.cards) - len(self.cards)
        for known, card in zip(reversed(self.cards), reversed(whole.cards), strict=False):
            card.opened, card.whole = known.opened, known.whole
        cursor = self._cursor
        self.model = whole
        self._seen += more
        self._cursor = whole.cards[cursor.index + more] if cursor else None
        self.drawn.clear()
        self.window.cut(0)
        self.update()
        self.stand(replace(at, card=at.card + more))

    def update(self) -> None:
        """Draw what has changed since the last look."""
        if self._beat:
            self._beat.stop()
        self._beat, self._last = None, monotonic()
        model, window = self.model, self.window
        window.cut(min(model.kept, len(window)))
        for card in model.touched:
            self.drawn.forget(card)
            window.forget(card.index)
            window.forget(card.index + 1)  # it may stand apart now
        model.touched.clear()
        for card in model.cards[len(window) :]:
            window.append(card.guess(max(self.page.width, 1)))
        model.kept = len(window)
        self.settle()
        self._turning()

    def settle(self) -> None:
        # The person may scroll between a change of the model and the next `update`.
        self.window.cut(min(self.model.kept, len(self.window)))
        super().settle()
        if self.following:
            self._seen = len(self.cards)
        fresh = max(len(self.cards) - self._seen, 0)
        self.post_message(self.Moved(self.below, fresh, self.has_focus))

    def on_mount(self) -> None:
        """Listen for other colours."""
        app_of(self).theme_changed_signal.subscribe(self, lambda _: self.repaint())
        self.keep(self._pace)

    def keep(self, pace: Pace) -> None:
        """Change the screen as often as `pace` says."""
        self._pace = pace
        if self._spin:
            self._spin.stop()
        self._spin = self.set_interval(1 / pace.spinner_hz, self._turn, pause=True)
        self._turning()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The keyboard has come or gone: the cursor stands where it was, else on what is in view.

        No handler of the event itself: those run before Textual has noted the focus.
        """
        super().watch_has_focus(_has_focus)
        if self._cursor is None or not self.shows(self._cursor):
            self._cursor = self.last_shown
        self.settle()

    def on_click(self, event: events.Click) -> None:
        """Do what the row under the mouse is for, unless text was selected."""
        line = self.line_at(event.y)
        if line is None or line.row is None or self.text_selection is not None:
            return
        self._cursor = line.card
        match line.row.block.action:
            case "toggle":
                self._change(line.card, line.card.toggle)
            case "more":
                self.show_whole(line.card)
            case "copy":
                self.post_message(self.Copied(line.row.block.value, "the code"))
            case "try":
                self.post_message(self.Tried(line.row.block.value))
            case "hurry":
                self.post_message(self.Hurried())
            case "restore" if line.card.entry is not None:
                self.post_message(self.RestoreAsked(line.card.entry))
            case _:
                pass

    def open_card(self, card: Card) -> None:
        """Open a card where it stands."""
        if not card.opened:
            self._change(card, card.toggle)

    def show_whole(self, card: Card) -> None:
        """Show all of a card's inside."""
        card.opened = True
        self._change(card, lambda: setattr(card, "whole", True))

    def point_at(self, card: Card) -> None:
        """Put the cursor on a card."""
        self._cursor, self._code = card, 0

    def text_select_all(self) -> None:
        """A double click selects nothing: the session may be long."""

    def action_step(self, by: int) -> None:
        """Move the cursor to the card above or below."""
        place = self._cursor.index + by if self._cursor else len(self.cards) - 1
        while 0 <= place < len(self.cards) and self.cards[place].hidden:
            place += by
        if 0 <= place < len(self.cards):
            self.point_at(self.cards[place])
            self.reveal(place)
            self.settle()

    def action_end_card(self, place: int) -> None:
        """Go to the first card, or to the last one and stay at the end."""
        if self.cards:
            self.point_at(self.cards[place])
            self.reveal(self.cards[place].index)
            if place:
                self.follow()
            self.settle()

    def action_leave(self) -> None:
        """Give the keyboard back."""
        self.post_message(self.Left())

    def action_open(self) -> None:
        """Open or close the card under the cursor."""
        if self._cursor and self._cursor.foldable:
            self._change(self._cursor, self._cursor.toggle)

    def action_more(self) -> None:
        """Show all of the card under the cursor."""
        if self._cursor and self._cursor.foldable:
            self.show_whole(self._cursor)

    def action_copy(self) -> None:
        """Copy the card under the cursor."""
        if card := self._cursor:
            text = card.copied() if isinstance(card, CallCard) else card.text()
            self.post_message(self.Copied(text, "the card"))

    def action_copy_code(self) -> None:
        """Copy the code in the card under the cursor; again for the next piece."""
        blocks = self._cursor.blocks(self.page) if self._cursor else ()
        codes = [block.value for block in blocks if block.action == "copy"]
        if codes:
            which = self._code % len(codes)
            self._code += 1
            self.post_message(self.Copied(codes[which], f"code {which + 1} of {len(codes)}"))

    def _change(self, card: Card, change: Callable[[], None]) -> None:
        """Change a card in place: its first row stays where it is on the screen."""
        change()
        self.following = False
        self.model.touched |= {card, *(c for c in self.cards if c.hider is card)}
        self.update()
        self.show_bottom(card.index)
        self.following = self.below == 0

    def _soon(self) -> None:
        if self._beat is None and self.is_attached:
            wait = max(self._last + 1 / self._pace.stream_hz - monotonic(), 0.001)
            self._beat = self.set_timer(wait, self.update)

    def _turning(self) -> None:
        """Let the wheel turn only where something runs and somebody looks."""
        running = any(card.running for card in self.model.cards[-40:])
        if self._spin:
            (self._spin.resume if running and app_of(self).app_focus else self._spin.pause)()

    def _turn(self) -> None:
        for card in self.model.cards[-40:]:
            if card.running and self.shows(card):
                self.model.touched.add(card)
        self.update()
