"""What the published originals do wrong, and octochat's versions on the same conversation don't."""

from collections.abc import Sequence

from octochat.context.plans.strategy import Strategy
from octochat.context.session.edits import Hold
from octochat.context.session.validity import problems
from octochat.context.session.view import Prompt
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.groups import GroupSummarize, GroupTruncate
from octochat.context.strategies.priority import Priority
from octochat.context.strategies.sliding_window import SlidingWindow
from octochat.context.strategies.summarize import Summarize
from octochat.context.strategies.token_window import SlidingWindowTokens
from octochat.context.strategies.tool_cleanup import ToolCleanup, cleared_one_by_one
from tests.context.strategies.stage import after, called, left, replied, said, situation
from tests.originals import raw
from tests.originals.raw import Raw, as_sent

LOOP = [
    Raw("user", "read it", tokens=10),
    Raw("assistant", "I will", calls=("c",), tokens=10),
    Raw("tool", "r" * 400, answers="c", tokens=100),
    Raw("assistant", "it says r", tokens=10),
    Raw("user", "thanks", tokens=10),
]
LOOPED = (said(size=10), called("r" * 400, size=10, each=100), replied(size=10), said(size=10))
TEN = [Raw(role, "x", tokens=13) for role in ("user", "assistant")] * 5
TEN_MADE = (said(size=13), replied(size=13)) * 5


def sendable(strategy: Strategy) -> bool:
    """Whether octochat's version leaves a valid request of the tool loop."""
    now = situation(*LOOPED, answering=3)
    view = after(strategy, now)
    assert view != now.state.view
    assert isinstance(view.units[-1], Prompt)
    return problems(view.messages("m", binds=True)) == ()


def test_fifo_leaves_a_result_without_its_call() -> None:
    broken = raw.fifo(LOOP, 120, 1)
    assert broken[0].role == "tool"
    assert problems(as_sent(broken)) == ("message 0: a result without its call c",)
    assert sendable(Fifo(max_tokens=120, min_history_messages=1))


def test_fifo_undershoots_its_minimum() -> None:
    assert len(raw.fifo(TEN, 0, 5)) == 4
    view = after(Fifo(min_history_messages=5), situation(*TEN_MADE, window=0))
    assert len(left(view)) == 6


def test_summarize_calls_a_model_for_nothing() -> None:
    asked: list[int] = []

    def ask(messages: Sequence[Raw]) -> str:
        asked.append(len(messages))
        return "nothing happened"

    assert len(raw.summarize(TEN[:3], ask)) == 4
    assert asked == [0]
    assert isinstance(Summarize().decide(situation(*TEN_MADE[:3], window=0)), Hold)


def test_summarize_cuts_between_a_call_and_its_result() -> None:
    broken = raw.summarize([LOOP[0], *LOOP, *TEN[:4]], lambda _: "so far")
    assert "message 0: a result without its call c" in problems(as_sent(broken))
    assert sendable(Summarize(max_tokens=50, fraction=0.5))


def test_the_sliding_window_leaves_a_call_without_its_result() -> None:
    assert "no result for the call c" in problems(as_sent(raw.sliding_window(LOOP, 2)))[0]
    assert sendable(SlidingWindow(turns=1))


def test_the_window_of_tokens_drops_the_system_message() -> None:
    history = [Raw("system", "be kind", tokens=50), *TEN]
    assert all(m.role != "system" for m in raw.token_window(history, 40))
    view = after(SlidingWindowTokens(), situation(*TEN_MADE, head=50, window=40))
    assert view.system == "be kind"


def test_the_window_of_tokens_begins_with_a_result() -> None:
    assert problems(as_sent(raw.token_window(LOOP, 125))) != ()
    assert sendable(SlidingWindowTokens(max_tokens=125))


def test_priority_keeps_a_call_and_drops_its_result() -> None:
    broken = raw.priority(LOOP, 40)
    assert [m.role for m in broken] == ["user", "assistant", "assistant", "user"]
    assert "no result for the call c" in problems(as_sent(broken))[0]
    assert sendable(Priority(max_tokens=40))


def test_truncating_groups_can_leave_nothing() -> None:
    assert raw.group_truncate(TEN, 10) == []
    assert left(after(GroupTruncate(10), situation(*TEN_MADE))) == [8, 9]


def test_summarising_groups_never_ends_on_a_tight_zone() -> None:
    summary = [Raw("user", "summary", tokens=30), Raw("assistant", "yes", tokens=5)]
    assert raw.group_summarize(TEN, 20, summary, patience=500) == 500
    stuck = situation(*TEN_MADE[:4])
    decision = GroupSummarize(20).decide(stuck)
    assert isinstance(decision, Hold)
    assert "can't be reached" in decision.why


def test_cleaning_up_turns_a_failure_into_a_success() -> None:
    text = (
        f"<tool_result tool_name='Run' success='false'><content>{'x' * 900}</content></tool_result>"
    )
    assert "success='true'" in raw.cleaned(text)
    (cleared,) = cleared_one_by_one(text)
    assert cleared.startswith("<tool_result tool_name='Run' success='false'>")
    now = situation(said(text), replied(), said())
    assert "success='false'" in str(after(ToolCleanup(100), now).units[0])


def test_pruning_by_the_clock_forgets_what_it_pruned() -> None:
    pruner = raw.Pruner(ttl=300)
    pruner.sent(LOOP, 0)
    pruned = pruner.sent(LOOP, 400)
    assert pruned != LOOP
    assert pruner.sent(LOOP, 410) == LOOP  # other bytes again: the cache is broken a second time
    # octochat's: tests/strategies/test_ttl_prune.py, "... has the same bytes"
