"""The comparison adds up, whatever the order, and an identifier counts once however often used."""

from octochat.context.notes.identifiers import Identifier
from octochat.context.session.events import Usage
from octochat.replay.agent_summaries import SummaryComparison
from octochat.replay.evidence import Answerable
from octochat.replay.identifier_recall import IdentifierRecall, RecallShare, identifier_recall
from octochat.replay.outcome import Outcome, Result
from octochat.replay.play import RecordedEdit
from octochat.replay.rare_words import ShownCount
from octochat.replay.recall import FAR, Use
from octochat.replay.report import LONG, Comparison, sections
from octochat.replay.table import table

NOBODY = frozenset[str]()
NOTHING = IdentifierRecall()
NONE = ShownCount()


def result(
    name: str,
    *,
    cost: float | None = 1.0,
    contexts: tuple[int, ...] = (100,),
    kept: IdentifierRecall = NOTHING,
    rare: ShownCount = NONE,
    answers: tuple[Answerable, ...] = (),
) -> Result:
    edits = (RecordedEdit(0, name, "why", 900, 100),)
    usage = Usage(fresh=25, cache_read=75)
    return Result(
        name, usage, cost, 0.5, contexts, edits, 1, 7, (), 0, kept, rare, rare, answers, 4, 2.0, 1.5
    )


def outcome(name: str, *results: Result, tokens: int = 10) -> Outcome:
    return Outcome(name, tokens, results)


def far(*texts: str) -> tuple[Use, ...]:
    return tuple(Use(0, Identifier("path", text), FAR + 1) for text in texts)


def test_an_identifier_is_remembered_if_it_was_there_whenever_it_was_used() -> None:
    kept = identifier_recall(far("a", "a", "b", "b", "c"), "cclcr", NOBODY)
    assert kept.far == RecallShare(count=3, in_context=1, recallable=1)
    assert kept.far_uses == RecallShare(count=5, in_context=3, recallable=1)
    assert kept.far.share == 1 / 3
    assert kept.far.reach == 2 / 3


def test_the_same_identifier_in_two_recordings_counts_twice() -> None:
    outcomes = [
        outcome(fate, result("x", kept=identifier_recall(far("a"), fate, NOBODY))) for fate in "cl"
    ]
    (section,) = sections(outcomes, ["x"])
    assert section.rows[0].identifier_recall.far == RecallShare(count=2, in_context=1)
    assert section.rows[0].far.value == 0.5


def test_common_identifiers_do_not_count() -> None:
    kept = identifier_recall(far("main", "a"), "lc", frozenset({"main"}))
    assert kept.far == RecallShare(count=1, in_context=1)


def test_far_and_near_uses_are_apart() -> None:
    kept = identifier_recall((*far("a"), Use(0, Identifier("path", "a"), FAR)), "lc", NOBODY)
    assert (kept.far.share, kept.near.share) == (0.0, 1.0)
    assert kept.kinds["path"].share == 0.0


def test_costs_add_up_and_are_compared_with_doing_nothing() -> None:
    outcomes = [outcome(str(n), result("none"), result("x", cost=0.25)) for n in range(2)]
    (section,) = sections(outcomes, ["none", "x"])
    none, other = section.rows
    assert (none.cost, none.ratio) == (3.0, 1.0)
    assert (other.cost, other.ratio, other.summaries) == (1.5, 0.5, 1.0)
    assert (other.edits, other.freed, other.busts, other.rewritten) == (2, 1_600, 2, 14)
    assert (other.hit_rate, other.latency, other.slowest) == (0.75, 0.5, 1.5)


def test_the_mean_is_over_calls_and_not_over_recordings() -> None:
    outcomes = [
        outcome("1", result("none", contexts=(100, 200, 300))),
        outcome("2", result("none", contexts=(1_000,))),
    ]
    (section,) = sections(outcomes, ["none"])
    assert (section.rows[0].mean_context, section.rows[0].peak_context) == (400.0, 1_000)
    assert section.calls == 4


def test_rare_words_count_by_use_and_by_recording() -> None:
    outcomes = [
        outcome("1", result("x", rare=ShownCount(9, 9))),
        outcome("2", result("x", rare=ShownCount(1, 0))),
        outcome("3", result("x", rare=ShownCount())),
    ]
    (row,) = sections(outcomes, ["x"])[0].rows
    assert row.rare_far.value == 0.9
    assert row.rare_mean.value == 0.5


def test_questions_count_each_and_are_answered_in_part_or_not_at_all() -> None:
    answers = (
        Answerable(ShownCount(4, 1), ShownCount(2, 2)),
        Answerable(ShownCount(1, 0), ShownCount(2, 1)),
    )
    (row,) = sections([outcome("1", result("x", answers=answers))], ["x"])[0].rows
    assert row.evidence.value == 0.125
    assert row.some_evidence.value == 0.5
    assert row.answer.value == 0.75


def test_the_order_in_which_outcomes_come_changes_nothing() -> None:
    outcomes = [
        outcome(str(n), result("none", cost=0.1 * n + 0.01), result("x", rare=ShownCount(n + 1, n)))
        for n in range(9)
    ]
    forwards, backwards = Comparison(["none", "x"]), Comparison(["none", "x"])
    for place, each in enumerate(outcomes):
        forwards.take(place, each)
    for place, each in reversed(list(enumerate(outcomes))):
        backwards.take(place, each)
    assert forwards.sections() == backwards.sections()


def test_an_unpriced_model_has_no_cost() -> None:
    (section,) = sections([outcome("1", result("none", cost=None))], ["none"])
    assert (section.rows[0].cost, section.rows[0].ratio) == (None, None)
    assert "unpriced" in table([section], [], timing=False)


def test_long_recordings_have_a_section_of_their_own() -> None:
    short, long = (outcome(str(t), result("none"), tokens=t) for t in (LONG, LONG + 1))
    assert [s.recordings for s in sections([short, long], ["none"])] == [2, 1]
    assert [s.recordings for s in sections([long], ["none"])] == [1]
    assert [s.recordings for s in sections([short], ["none"])] == [1]


def test_the_table_says_what_a_search_finds_and_how_a_note_stands_beside_a_summary() -> None:
    agent_summaries = SummaryComparison(
        ShownCount(10, 4),
        ShownCount(4, 3),
        ShownCount(10, 5),
        ShownCount(4, 1),
        ShownCount(10, 6),
        ShownCount(4, 2),
        ShownCount(10, 9),
        ShownCount(4, 4),
        summaries=1,
    )
    done = Outcome(
        "1", 10, (result("none"),), (), "claude-opus-5", ShownCount(8, 2), agent_summaries
    )
    told = table(sections([done], ["none"]), [], timing=False)
    assert "One search of recall finds something that answers 25.0% of the 8 questions." in told
    assert "rare words 40.0%, theirs 50.0%; identifiers 75.0%, theirs 25.0%" in told
    assert "rare words 60.0%, with their text in the note 90.0%" in told
    assert "identifiers 50.0%, with it 100.0%" in told
    assert "claude-opus-5 (1)" in told


def test_the_table_names_what_was_left_out_and_the_times_only_if_asked() -> None:
    (section,) = sections([outcome("1", result("none"))], ["none"])
    assert table([section], ["bad.jsonl: broken"], timing=False).endswith("  bad.jsonl: broken\n")
    assert "slowest" not in table([section], [], timing=False)
    assert "slowest ms" in table([section], [], timing=True)
