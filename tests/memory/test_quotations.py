"""Passages as the model reads them."""

from octochat.memory.passages import Passage
from octochat.memory.quotations import ABOUT, quotation, quotations
from octochat.memory.searching import Hit


def hit(number: int, text: str, entry: int = 9, path: str = "") -> Hit:
    return Hit(Passage(entry, entry, "tool" if path else "you", path, 0.0, text), number, 1.0)


def test_passages_of_one_message_stand_under_one_opening_in_the_order_they_were_said() -> None:
    told = quotations([hit(5, "third"), hit(3, "first"), hit(4, "second")])
    assert told == "#9 you, 1970-01-01 00:00 UTC:\nfirst\nsecond\nthird"


def test_what_was_left_out_between_them_is_marked() -> None:
    assert quotations([hit(3, "first"), hit(7, "last")]).endswith("first\n[…]\nlast")


def test_each_message_has_an_opening_of_its_own() -> None:
    told = quotations([hit(8, "later", entry=12), hit(3, "earlier")])
    assert told.split("\n\n") == [
        "#9 you, 1970-01-01 00:00 UTC:\nearlier",
        "#12 you, 1970-01-01 00:00 UTC:\nlater",
    ]


def test_a_long_command_is_told_in_part_and_on_one_line() -> None:
    opening, said = quotation(hit(3, "ok", path="cat <<EOF\n" + "line\n" * 99).passage).split("\n")
    assert said == "ok"
    assert opening.startswith("#9 a tool (cat <<EOF line line")
    assert opening.endswith("…), 1970-01-01 00:00 UTC:")
    assert len(opening) < ABOUT + 50
