"""What the tries for one note have cost."""

from octochat.context.session.events import Usage
from octochat.engine.note_writer import Bill


def test_before_the_first_try_nothing_is_owed_and_nothing_has_come() -> None:
    bill = Bill()
    assert (bill.writer, bill.usage, bill.cost, bill.characters) == ("", Usage(), 0, 0)


def test_of_several_tries_the_price_that_is_known_is_on_the_bill() -> None:
    bill = Bill()
    bill.add("x", Usage(fresh=1), None)
    assert bill.cost is None
    bill.add("y", Usage(fresh=1), 0.25)
    bill.add("x", Usage(fresh=1), None)
    assert (bill.cost, bill.usage.fresh, bill.writer) == (0.25, 3, "x")
