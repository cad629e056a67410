"""The line under a finished turn: how long it was at work, what it did, what it cost."""

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, Prompted, Replied, Returned, Stop
from octochat.frontends.tui.transcript.cards.event import FooterCard
from octochat.text.event_words import cut_off
from octochat.text.figures import count, dollars, seconds

GOES_ON: frozenset[Stop] = frozenset({"tool_use", "failed"})


class TurnSummary:
    """What happened since the person last spoke, or said that it should go on."""

    def __init__(self) -> None:
        self._begin(None)

    def _begin(self, at: float | None) -> None:
        self._began = at
        self._waited = 0.0
        self._calls = 0
        self._cost: float | None = 0.0

    def after(self, entry: Entry) -> FooterCard | None:
        """The footer, if this entry ends the turn."""
        match entry.event:
            case Prompted():
                self._begin(entry.at)
            case Replied(blocks=blocks, cost=cost, stop=stop, seconds=took) as event:
                if self._began is None:
                    self._begin(entry.at - took)
                self._calls += sum(isinstance(block, ToolCall) for block in blocks)
                self._cost = None if cost is None or self._cost is None else self._cost + cost
                if stop not in GOES_ON:
                    footer = self._footer(entry, cut_off(event))
                    self._began = None
                    return footer
            case Returned(waited=waited):
                self._waited += waited
            case _:
                pass
        return None

    def _footer(self, entry: Entry, ending: str) -> FooterCard:
        facts = [
            "" if self._began is None else seconds(max(entry.at - self._began - self._waited, 0)),
            count(self._calls, "call") if self._calls else "",
            dollars(self._cost) if self._cost else "",
        ]
        return FooterCard(
            entry.at,
            ending,
            icon="■" if ending else " ",
            style="$text-warning",
            right=" · ".join(filter(None, facts)),
            entry=entry.id,
        )
