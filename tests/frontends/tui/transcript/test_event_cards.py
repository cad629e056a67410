"""What happened beside the talk is a line that opens."""

from octochat.context.session.events import Entry, Recalled
from octochat.frontends.tui.transcript.event_cards import event_card


def test_what_was_recalled_is_told_with_its_price_and_opens() -> None:
    text = "<recalled-passages>\n#4 you:\nThe port is 8471.\n</recalled-passages>"
    card = event_card(Entry(9, 0.0, 1_200, Recalled(text, (4,), 4, 0.003)))
    assert card is not None
    assert card.words == "Remembered 4 passages, 1.2k tokens, $0.003"
    assert card.foldable
    assert card.detail == "#4 you:\nThe port is 8471."
