"""What a compression took, and what it left, one line each."""

from collections.abc import Mapping, Sequence

from octochat.context.session.edits import PromptTrim, ResultTrim, Trim
from octochat.context.session.events import Condensed
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Card
from octochat.frontends.tui.transcript.cards.compression import CompressionCard, RemovedPart
from octochat.frontends.tui.transcript.cards.event import EventCard, FooterCard
from octochat.frontends.tui.transcript.cards.prompt import PromptCard
from octochat.frontends.tui.transcript.cards.reply import ReplyCard
from octochat.frontends.tui.transcript.tool_calls import argument
from octochat.text.figures import tokens


def removed_parts(
    event: Condensed, cards: Sequence[Card], calls: Mapping[str, CallCard]
) -> Sequence[RemovedPart]:
    """The parts that a compression folded or cut, in the order in which they were said."""
    parts = [
        RemovedPart(line, kept=card.entry in event.fold.keep, why=_why(card, event))
        for card in cards
        if event.fold
        and card.entry is not None
        and event.fold.first <= card.entry <= event.fold.last
        and (line := _line(card))
    ]
    for trim in event.trims:
        name = _cut(trim, calls)
        left = f"cut to {tokens(trim.size)} tokens" if trim.size else "cut"
        parts.append(RemovedPart(name, why=left))
    return parts


def _cut(trim: Trim, calls: Mapping[str, CallCard]) -> str:
    match trim:
        case ResultTrim(call_id=call_id):
            return _line(calls[call_id]) if call_id in calls else call_id
        case PromptTrim(unit=unit, bare=bare):
            what = "pictures and documents" if bare else "tool results"
            return f"{what} in prompt #{unit}"


def _why(card: Card, event: Condensed) -> str:
    if event.fold is None or card.entry not in event.fold.keep:
        return ""
    return "an active skill" if isinstance(card, EventCard) else "pinned or still needed"


def _line(card: Card) -> str:
    match card:
        case PromptCard():
            return f"you: {_first(card)}"
        case ReplyCard():
            return f"answer: {_first(card)}"
        case CallCard():
            return f"{card.call.name} {argument(card.call)}"
        case CompressionCard():
            return f"the note of an earlier compression: {_first(card)}"
        case FooterCard():
            return ""
        case EventCard():
            return card.words
        case _:
            return ""


def _first(card: Card) -> str:
    return next((line for line in card.text().split("\n") if line.strip()), "")
