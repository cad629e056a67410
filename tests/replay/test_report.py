"""The comparison adds up, and an identifier counts once however often it is used."""

from octochat.context.session.events import Usage
from octochat.replay.outcome import Outcome, Result, Used
from octochat.replay.play import RecordedEdit
from octochat.replay.report import LONG, RecallShare, row, sections
from octochat.replay.table import table


def result(
    name: str, fates: str, *, cost: float | None = 1.0, contexts: tuple[int, ...] = (100,)
) -> Result:
    edits = (RecordedEdit(0, name, "why", 900, 100),)
    usage = Usage(fresh=25, cache_read=75)
    return Result(name, usage, cost, 0.5, contexts, edits, 1, 7, (), 0, fates, 4, 2.0, 1.5)


def outcome(name: str, *results: Result, tokens: int = 10, uses: tuple[Used, ...] = ()) -> Outcome:
    return Outcome(name, tokens, uses, results)


def far(*texts: str) -> tuple[Used, ...]:
    return tuple(Used(text, "path", far=True) for text in texts)


def test_an_identifier_is_remembered_if_it_was_there_whenever_it_was_used() -> None:
    kept = outcome("one", result("x", "cclcr"), uses=far("a", "a", "b", "b", "c"))
    found = row("x", [(kept, kept.results[0])], None, frozenset())
    assert found.far == RecallShare(count=3, in_context=1, recallable=1)
    assert found.far_uses == RecallShare(count=5, in_context=3, recallable=1)
    assert found.far.share == 1 / 3
    assert found.far.reach == 2 / 3


def test_the_same_identifier_in_two_recordings_counts_twice() -> None:
    pairs = [(outcome(n, uses=far("a")), result("x", fate)) for n, fate in (("1", "c"), ("2", "l"))]
    assert row("x", pairs, None, frozenset()).far == RecallShare(count=2, in_context=1)


def test_common_identifiers_do_not_count() -> None:
    kept = outcome("one", result("x", "lc"), uses=far("main", "a"))
    found = row("x", [(kept, kept.results[0])], None, frozenset({"main"}))
    assert found.far == RecallShare(count=1, in_context=1)


def test_far_and_near_uses_are_apart() -> None:
    uses = (*far("a"), Used("a", "path", far=False))
    kept = outcome("one", result("x", "lc"), uses=uses)
    found = row("x", [(kept, kept.results[0])], None, frozenset())
    assert (found.far.share, found.near.share) == (0.0, 1.0)
    assert found.kinds["path"].share == 0.0


def test_costs_add_up_and_are_compared_with_doing_nothing() -> None:
    outcomes = [outcome(str(n), result("none", ""), result("x", "", cost=0.25)) for n in range(2)]
    (section,) = sections(outcomes, ["none", "x"])
    none, other = section.rows
    assert (none.cost, none.ratio) == (3.0, 1.0)
    assert (other.cost, other.ratio, other.summaries) == (1.5, 0.5, 1.0)
    assert (other.edits, other.freed, other.busts, other.rewritten) == (2, 1_600, 2, 14)
    assert (other.hit_rate, other.latency, other.slowest) == (0.75, 0.5, 1.5)


def test_the_mean_is_over_calls_and_not_over_recordings() -> None:
    outcomes = [
        outcome("1", result("none", "", contexts=(100, 200, 300))),
        outcome("2", result("none", "", contexts=(1_000,))),
    ]
    (section,) = sections(outcomes, ["none"])
    assert (section.rows[0].mean_context, section.rows[0].peak_context) == (400.0, 1_000)
    assert section.calls == 4


def test_an_unpriced_model_has_no_cost() -> None:
    (section,) = sections([outcome("1", result("none", "", cost=None))], ["none"])
    assert (section.rows[0].cost, section.rows[0].ratio) == (None, None)
    assert "unpriced" in table([section], [], timing=False)


def test_long_recordings_have_a_section_of_their_own() -> None:
    short, long = (outcome(str(t), result("none", ""), tokens=t) for t in (LONG, LONG + 1))
    assert [s.recordings for s in sections([short, long], ["none"])] == [2, 1]
    assert [s.recordings for s in sections([long], ["none"])] == [1]
    assert [s.recordings for s in sections([short], ["none"])] == [1]


def test_the_table_names_what_was_left_out_and_the_times_only_if_asked() -> None:
    (section,) = sections([outcome("1", result("none", ""))], ["none"])
    assert table([section], ["bad.jsonl: broken"], timing=False).endswith("  bad.jsonl: broken\n")
    assert "slowest" not in table([section], [], timing=False)
    assert "slowest" in table([section], [], timing=True)
