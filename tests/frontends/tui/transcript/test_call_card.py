"""The card of a change tells what really changed in the file, not what the call asked for."""

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Returned
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Page

PAGE = Page(60, 0.0)
DIFF = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"


def rows(card: CallCard) -> list[str]:
    return [
        f"{block.lead.plain}{block.text.plain} {block.right.plain}".rstrip()
        for block in card.blocks(PAGE)
    ]


def test_a_file_written_anew_shows_only_what_is_other_than_before() -> None:
    call = ToolCall("c", "write", {"file_path": "a", "content": "one\n2\nthree\n"})
    card = CallCard(0.0, call)
    assert "+3" in rows(card)[0]
    card.finish(Returned("c", (Text("wrote a (3 lines)"),), diff=DIFF))
    assert "+1  −1" in rows(card)[0]
    card.toggle()
    assert [row.split()[-1] for row in rows(card)[1:5]] == ["one", "two", "2", "three"]


def test_a_change_accepted_in_part_says_so_on_its_line() -> None:
    call = ToolCall("c", "edit", {"file_path": "a", "old_string": "1", "new_string": "2"})
    card = CallCard(0.0, call)
    card.finish(Returned("c", (Text("edited a in 1 place"),), note="in part", diff=DIFF))
    assert "in part" in rows(card)[0]
