"""No tool call of a session gets an id that another one has."""

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Entry, Replied
from octochat.engine.call_ids import CallIds, unique


def replied(number: int, *ids: str) -> Entry:
    return Entry(number, 0.0, 0, Replied(tuple(ToolCall(each, "read") for each in ids)))


def test_a_log_that_grows_has_the_ids_of_all_its_replies() -> None:
    found, log = CallIds(), [replied(1, "a", "b")]
    assert set(found.of(log)) == {"a", "b"}
    assert set(found.of(log)) == {"a", "b"}
    log += [replied(2, "c"), replied(3, "d")]
    assert set(found.of(log)) == {"a", "b", "c", "d"}


def test_an_id_that_another_call_has_gets_the_next_free_number() -> None:
    assert unique("a", {"b"}, ()) == "a"
    assert unique("a", {"a"}, {"a_2"}) == "a_3"
    assert unique("", (), ()) == "call"
    assert unique("", {"call"}, ()) == "call_2"
