"""Where a line may stand when a command of it runs."""

from pathlib import Path

from octochat.permissions.steps import steps


def test_a_line_that_may_stand_in_nine_places_is_not_followed() -> None:
    moves = [f"cd /{n}" for n in range(8)]
    known = steps("; ".join(moves[:7]), Path("/work"))
    assert known is not None
    assert len(known[-1].places | known[-1].moves) == 8
    assert steps("; ".join(moves), Path("/work")) is None


def test_each_command_may_run_where_those_before_it_led_or_did_not() -> None:
    found = steps("cd a && make; cd b", Path("/work"))
    assert found is not None
    work = Path("/work")
    assert [step.places for step in found] == [{work}, {work, work / "a"}, {work, work / "a"}]
    assert found[-1].moves == {work / "b", work / "a/b"}
