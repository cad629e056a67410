"""A turn has its limit, and a call that fails again and again is told of, then stopped."""

import pytest

from octochat.context.session.content import ToolCall
from octochat.context.session.tags import REMINDER
from octochat.engine.rounds import Rounds
from octochat.models.port import ModelError


def call(**arguments: object) -> ToolCall:
    return ToolCall("1", "bash", arguments)


def test_a_turn_makes_no_more_requests_than_it_may() -> None:
    rounds = Rounds(2)
    rounds.check()
    rounds.check()
    with pytest.raises(ModelError, match=r"asked 2 times .*\(max_turns\)") as stopped:
        rounds.check()
    assert stopped.value.kind == "turns"
    assert not stopped.value.retryable


def test_without_a_limit_any_number_is_made() -> None:
    rounds = Rounds(0)
    for _ in range(500):
        rounds.check()


def test_a_call_that_fails_again_is_told_of_once_and_then_stopped() -> None:
    rounds = Rounds(0)
    told = [rounds.returned(call(command="make", b=1), failed=True) for _ in range(4)]
    assert [n for n, each in enumerate(told, 1) if each] == [3]
    assert [each.text.startswith(f"<{REMINDER}>") for each in told if each] == [True]
    rounds.check()
    rounds.returned(call(b=1, command="make"), failed=True)
    with pytest.raises(ModelError, match="5 times in a row"):
        rounds.check()


@pytest.mark.parametrize(
    ("other", "failed"), [({"command": "make all"}, True), ({"command": "make"}, False)]
)
def test_another_call_or_one_that_works_begins_the_count_anew(
    other: dict[str, object], failed: bool
) -> None:
    rounds = Rounds(0)
    for _ in range(2):
        assert rounds.returned(call(command="make"), failed=True) is None
    rounds.returned(call(**other), failed=failed)
    assert rounds.returned(call(command="make"), failed=True) is None
