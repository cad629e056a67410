"""The session as cards, in order: logged entries and live pieces come in, cards change.

Live and resumed sessions go through the same method. It knows nothing of widgets.
"""

from collections.abc import Callable, Iterable
from functools import partial
from textwrap import shorten
from typing import TypeVar

from octochat.context.session.content import Text, Thinking, ToolCall, ToolResult
from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Held,
    KeptWarm,
    Prompted,
    Replied,
    Returned,
    Reverted,
    Rewound,
)
from octochat.frontends.tui.render.blocks import FAINT
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Card
from octochat.frontends.tui.transcript.cards.compression import CompressionCard
from octochat.frontends.tui.transcript.cards.event import EventCard, RuleCard
from octochat.frontends.tui.transcript.cards.live import CompressingCard, RetryCard
from octochat.frontends.tui.transcript.cards.prompt import PromptCard
from octochat.frontends.tui.transcript.cards.reply import LiveReplyCard, ReplyCard
from octochat.frontends.tui.transcript.cards.thinking import LiveThinkingCard, ThinkingCard
from octochat.frontends.tui.transcript.event_cards import event_card
from octochat.frontends.tui.transcript.removed_parts import removed_parts
from octochat.frontends.tui.transcript.turn_summary import TurnSummary
from octochat.models.port import (
    CallDelta,
    Compressing,
    Delta,
    Notice,
    Retrying,
    Started,
    TextDelta,
    ThinkingDelta,
    ToolOutput,
    ToolStarted,
)
from octochat.text.figures import gap

AnyCard = TypeVar("AnyCard", bound=Card)
Growing = TypeVar("Growing", LiveReplyCard, LiveThinkingCard)
SIGNS = {
    "information": ("·", FAINT),
    "warning": ("!", "$text-warning"),
    "error": ("✗", "$text-error"),
}


class TranscriptModel:
    """All cards of a session, and which of them have changed since they were last drawn."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.cards: list[Card] = []
        self.touched: set[Card] = set()
        """Cards that look different now. Whoever draws them empties it."""
        self.kept = 0
        """How many cards have not been replaced since it was last set to their number."""
        self.written: Callable[[], int] = lambda: 0
        """Characters that have come of a compression's note by now."""
        self._clock = clock
        self._calls: dict[str, CallCard] = {}
        self._begun: dict[str, CallCard] = {}
        """Those since the last rest: no others can still go on."""
        self._condensed: dict[EntryId, CompressionCard] = {}
        self._restored: dict[EntryId, CompressionCard] = {}
        self._live: list[Card] = []
        self._retry: RetryCard | None = None
        self._turn, self._last = TurnSummary(), 0.0

    @classmethod
    def of(cls, entries: Iterable[Entry], clock: Callable[[], float]) -> "TranscriptModel":
        """The cards of a session that is resumed."""
        model = cls(clock)
        for entry in entries:
            model.show(entry)
        return model

    def show(self, item: Entry | Delta) -> None:
        """Take in one thing that happened."""
        if isinstance(item, Entry):
            self._logged(item)
        else:
            self._streamed(item)

    def add(self, card: Card) -> None:
        """A card at the end."""
        card.index = len(self.cards)
        self.cards.append(card)

    def rest(self) -> None:
        """Nothing goes on any more: what was live and did not become an entry ends here."""
        self._end_wait()
        self._drop_live()
        for card in self._begun.values():
            if not card.ended:
                card.interrupt()
                self.touched.add(card)
        self._begun.clear()

    def _logged(self, entry: Entry) -> None:
        match entry.event:
            case Prompted(blocks=blocks):
                if words := gap(self._last, entry.at) if self._last else "":
                    self.add(RuleCard(entry.at, words))
                self.add(PromptCard(entry.at, blocks, entry.id))
            case Replied() as event:
                self._replied(entry, event)
            case Returned() as event:
                self._returned(entry, event)
            case Condensed() as event:
                self._drop_live()
                parts = partial(removed_parts, event, self.cards, self._calls)
                card = CompressionCard(entry.at, event, parts, entry.id)
                self._condensed[entry.id] = card
                self.add(card)
            case Rewound(to=to):
                self._rewound(entry, to)
            case _:
                self._line(entry)
        self._end_wait()
        if footer := self._turn.after(entry):
            self.add(footer)
        if not isinstance(entry.event, KeptWarm):  # nobody was there
            self._last = entry.at

    def _line(self, entry: Entry) -> None:
        if isinstance(entry.event, Held):
            self._drop_live()
        if isinstance(entry.event, Reverted) and entry.event.condensed in self._condensed:
            card = self._condensed[entry.event.condensed]
            card.restored = True
            self._restored[entry.id] = card
            self.touched.add(card)
        if card := event_card(entry):
            self.add(card)

    def _replied(self, entry: Entry, event: Replied) -> None:
        if event.stop != "interrupted":
            self._retried()
        opened = any(card.opened for card in self._live if isinstance(card, LiveThinkingCard))
        self._drop_live()
        thought = (Thinking(event.thought, ""),) if event.thought else ()
        for block in (*thought, *event.blocks):
            match block:
                case Text(text) if text.strip():
                    self.add(ReplyCard(entry.at, text, entry.id))
                case Thinking(text):
                    self.add(ThinkingCard(entry.at, text, entry.id))
                    self.cards[-1].opened = opened
                case ToolCall() as call:
                    self.add(self._called(CallCard(entry.at, call, entry.id)))
                case Text() | ToolResult():
                    pass
                case _:
                    self.add(EventCard(entry.at, "a block of the API's own", entry=entry.id))

    def _returned(self, entry: Entry, event: Returned) -> None:
        if card := self._calls.get(event.call_id):
            card.finish(event)
            self.touched.add(card)
        else:
            words = f"result of an unknown tool call: {event.call_id}"
            self.add(EventCard(entry.at, words, entry=entry.id))

    def _rewound(self, entry: Entry, to: EntryId) -> None:
        shown = (card for card in self.cards if card.hider is None)
        undone = [card for card in shown if card.entry is not None and card.entry > to]
        self._drop_live()
        card = EventCard(
            entry.at,
            f"Undone: {_first_words(undone)}",
            icon="↶",
            entry=entry.id,
            detail="What came after the prompt that you took back is no longer in the context; "
            "its cost stays on the bill.",
        )
        for old in undone:
            old.hider = card
            self.touched.add(old)
        for reverted in [at for at in self._restored if at > to]:
            again = self._restored.pop(reverted)
            again.restored = False
            self.touched.add(again)
        self.add(card)

    def _streamed(self, delta: Delta) -> None:
        now = self._clock()
        match delta:
            case TextDelta(text):
                self._growing(LiveReplyCard).write(text)
            case Started():
                self._retried()
            case ThinkingDelta(text):
                self._growing(LiveThinkingCard).write(text)
            case CallDelta():
                self._writing(delta)
            case Retrying():
                self._drop_live()
                self._failed(now, delta)
            case ToolStarted(call):
                if card := self._calls.get(call.id):
                    card.start(now)
                    self.touched.add(card)
            case ToolOutput(call_id, text):
                if card := self._calls.get(call_id):
                    card.write(text)
                    self.touched.add(card)
            case Compressing():
                self._drop_live()
                self._begin(CompressingCard(now, delta, self.written))
            case Notice(text, severity):
                icon, style = SIGNS[severity]
                first, _, rest = text.partition("\n")
                self.add(EventCard(now, first, icon=icon, style=style, detail=rest))

    def _called(self, card: CallCard) -> CallCard:
        """Note the card of a call."""
        self._calls[card.call.id] = self._begun[card.call.id] = card
        return card

    def _growing(self, kind: type[Growing]) -> Growing:
        """The live card of a kind, begun where the last piece was of another kind."""
        self._retried()
        last = self._live[-1] if self._live else None
        if not isinstance(last, kind):
            if isinstance(last, LiveThinkingCard):
                last.settle()
                self.touched.add(last)
            last = self._begin(kind(self._clock()))
        self.touched.add(last)
        return last

    def _writing(self, delta: CallDelta) -> None:
        self._retried()
        card = self._calls.get(delta.call_id)
        if card is None:
            call = ToolCall(delta.call_id, delta.name)
            card = self._begin(self._called(CallCard(self._clock(), call)))
        card.grow(delta.json)
        self.touched.add(card)

    def _begin(self, card: AnyCard) -> AnyCard:
        self._live.append(card)
        self.add(card)
        return card

    def _drop_live(self) -> None:
        """Live cards go; the entry that comes now takes their place."""
        if not self._live:
            return
        first = min(card.index for card in self._live)
        gone = set(self._live)
        rest = [card for card in self.cards[first:] if card not in gone]
        del self.cards[first:]
        self.kept = min(self.kept, first)
        self._live.clear()
        self.touched -= gone
        for card in rest:
            self.add(card)

    def _retried(self) -> None:
        """The next try has begun."""
        if self._retry and self._retry.running:
            self._retry.ended = "tried again"
            self.touched.add(self._retry)

    def _failed(self, now: float, delta: Retrying) -> None:
        """A call has failed: for the first time, or once more."""
        if self._retry:
            self._retry.again(now, delta)
            self.touched.add(self._retry)
        else:
            self._retry = RetryCard(now, delta)
            self.add(self._retry)

    def _end_wait(self) -> None:
        if self._retry and self._retry.running:
            self._retry.end(self._clock())
            self.touched.add(self._retry)
        self._retry = None


def _first_words(cards: list[Card]) -> str:
    """What was undone, in a few words."""
    said = next((card.text() for card in cards if isinstance(card, PromptCard)), "")
    first = said.strip().split("\n")[0]
    return f"“{shorten(first, 60, placeholder=' …')}”" if first else "nothing was said"
