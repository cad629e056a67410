"""docs/architecture.md#the-laws: they hold for every session, whatever happens in it."""

import os
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octochat.context.plans.room import room_for_recall
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy, considered
from octochat.context.session.content import Text, Thinking, ToolResult
from octochat.context.session.edits import (
    Decision,
    Hold,
    Plan,
    PromptTrim,
    ResultTrim,
    UnitId,
)
from octochat.context.session.events import (
    BlockRefused,
    Condensed,
    Entry,
    Event,
    Held,
    ModelChanged,
    NoteEdited,
    Prompted,
    Recalled,
    Replied,
    Returned,
    Reverted,
    Rewound,
    TaskEnded,
)
from octochat.context.session.state import State, advance, replay, surviving
from octochat.context.session.validity import problems
from octochat.context.session.view import Note, Step, View
from octochat.context.strategies import STRATEGIES
from octochat.storage.lines import decode, encode
from tests.laws.eager import variants
from tests.laws.world import MARGIN, PRICES, RESERVE, WINDOW, World, prefix

EXAMPLES = int(os.environ.get("OCTOCHAT_LAW_EXAMPLES", "1000"))
ACTS = (
    "edit note",
    *("say",) * 6, "done", "compact", "go on", "undo", "restore", "pin", "unpin", "skill",
    "permanent", "forget", "switch", "idle", "resume",
)  # fmt: skip
EAGER: dict[str, list[Strategy]] = {name: variants(cls) for name, cls in STRATEGIES.items()}
"""Every strategy that there is, with settings that make it act."""
eager = st.sampled_from(sorted(EAGER)).flatmap(lambda name: st.sampled_from(EAGER[name]))

worlds = st.builds(
    World,
    st.integers(0, 1_000_000),
    st.lists(eager, max_size=2, unique_by=lambda s: s.name),
    st.booleans(),
)
lives = st.lists(st.sampled_from(ACTS), min_size=1, max_size=14)
law = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)
EDITS = (BlockRefused, Condensed, NoteEdited, Reverted, Rewound, ModelChanged)


@dataclass
class Life:
    """One random session, and how it stood after each of its entries."""

    world: World
    entries: list[Entry] = field(init=False)
    states: list[State] = field(init=False)
    """One more than entries: the first is before all of them."""

    def __post_init__(self) -> None:
        self.entries = list(self.world.log.entries)
        self.states = [State()]
        for n, entry in enumerate(self.entries, 1):
            self.states.append(advance(self.states[-1], entry, self.entries[:n]))


def law_1_every_prefix_of_a_log_with_a_prompt_appended_makes_a_valid_request(life: Life) -> None:
    for n in range(1, len(life.entries) + 1):
        said = Entry(n + 1, 0.0, 1, Prompted((Text("and now?"),)))
        view = advance(life.states[n], said, [*life.entries[:n], said]).view
        for binds in (True, False):
            assert problems(view.messages("a", binds=binds)) == ()


def law_2_only_an_edit_changes_what_was_already_sent(life: Life) -> None:
    for one, two in pairwise(life.world.heard):
        between = life.entries[one.entries : two.entries]
        if any(isinstance(entry.event, EDITS) for entry in between):
            continue
        sent = [(m.role, b) for m in one.request.messages for b in m.blocks]
        now = [(m.role, b) for m in two.request.messages for b in m.blocks]
        assert now[: len(sent)] == sent
        assert two.request.system == one.request.system
        assert two.request.tools == one.request.tools


def law_3_a_log_read_back_gives_the_same_state(life: Life) -> None:
    again = [decode(encode(entry).encode()) for entry in life.entries]
    assert again == life.entries
    assert replay(again) == life.states[-1] == life.world.engine.state


def law_4_undo_gives_back_context_never_money(life: Life) -> None:
    for n, entry in enumerate(life.entries):
        if not isinstance(entry.event, Rewound):
            continue
        before, after = life.states[n], life.states[n + 1]
        assert after.ledger.total_cost == before.ledger.total_cost
        assert after.ledger.usage == before.ledger.usage
        kept = [e for e in surviving(life.entries[: n + 1]) if not isinstance(e.event, Reverted)]
        assert all(e.id <= entry.event.to for e in kept)
        head = life.states[entry.event.to]
        assert (after.view, after.context, after.skills) == (head.view, head.context, head.skills)


def law_5_active_skills_instructions_and_pins_survive_every_condensation(life: Life) -> None:
    for n, entry in enumerate(life.entries):
        if not isinstance(entry.event, Condensed):
            continue
        before, after = life.states[n], life.states[n + 1]
        for unit in before.view.units:
            if unit.id in before.kept:
                assert after.view.unit(unit.id) == unit
        shown = {unit.id for unit in after.view.units}
        assert all(shown.issuperset(each.units) for each in after.instructions)
        active = after.kept
        fold = entry.event.fold
        if fold:
            notes = [unit for unit in after.view.units if isinstance(unit, Note)]
            stale = [note for note in notes if note.kind in ("skill", "instructions")]
            last = [u.id for u in after.view.units].index(entry.id)
            assert all(u.id in active for u in stale if u in after.view.units[last:])


def law_6_the_prompt_being_answered_and_unseen_results_are_in_the_request_whole(life: Life) -> None:
    for heard in life.world.heard:
        blocks = [b for m in heard.request.messages for b in m.blocks]
        alive = surviving(life.entries[: heard.entries])
        asked = [e.event for e in alive if isinstance(e.event, Prompted)][-1]
        assert all(block in blocks for block in asked.blocks)
        seen = [0, *(e.id for e in alive if isinstance(e.event, Replied | TaskEnded))]
        new = [e.event for e in alive if e.id > seen[-1]]
        shown = {b.call_id: b.content for b in blocks if isinstance(b, ToolResult)}
        for event in new:
            if isinstance(event, Returned):
                assert shown[event.call_id] == event.content


def law_7_condensing_always_shrinks(life: Life) -> None:
    for n, entry in enumerate(life.entries):
        if isinstance(entry.event, Condensed):
            assert entry.event.after < entry.event.before
            before, after = life.states[n], life.states[n + 1]
            assert after.view.size < before.view.size
            assert after.context < before.context


def law_8_no_thinking_is_sent_back_whose_prefix_has_changed(life: Life) -> None:
    for heard in life.world.heard:
        if heard.request.model != "a" or not life.world.binds:
            continue
        thoughts = [
            b.signature for m in heard.request.messages for b in m.blocks if isinstance(b, Thinking)
        ]
        for signature in thoughts:
            words, earlier = prefix(heard.request, signature, life.world.stands_for)
            born_words, born_earlier = life.world.births[signature]
            assert words == born_words
            assert born_earlier[len(born_earlier) - len(earlier) :] == earlier


def law_9_a_strategy_makes_at_most_one_change_per_call(life: Life) -> None:
    borders = [0, *(heard.entries for heard in life.world.heard), len(life.entries)]
    for start, end in pairwise(borders):
        events: list[Event] = [entry.event for entry in life.entries[start:end]]
        said = sum(isinstance(event, Prompted) for event in events)
        for kind in (Condensed, Held):  # a note that failed may have a change without one behind it
            made = [e.by for e in events if isinstance(e, kind) and e.trigger == "auto"]
            assert all(made.count(name) <= max(said, 1) for name in made)


def law_10_by_its_own_count_no_request_exceeds_the_window(life: Life) -> None:
    for heard in life.world.heard:
        assert heard.state.context + MARGIN <= WINDOW - RESERVE


def law_11_a_strategy_looks_and_answers_and_does_nothing_else(life: Life) -> None:
    for heard in life.world.heard:
        at = life.entries[heard.entries - 1].at
        now = Situation(heard.state, len, at, WINDOW, RESERVE, MARGIN, prices=PRICES)
        for strategy in life.world.strategies:
            decision = considered(strategy, now)
            assert decision == considered(strategy, now)
            assert not (isinstance(decision, Hold) and decision.broken), decision.why
            assert trimmed(decision, heard.state.view) <= now.free, strategy.name


def law_12_what_is_recalled_is_appended_and_leaves_the_next_level_out_of_reach(life: Life) -> None:
    for n, entry in enumerate(life.entries):
        if not isinstance(entry.event, Recalled):
            continue
        before, after = life.states[n], life.states[n + 1]
        assert after.view.units[:-1] == before.view.units
        now = Situation(before, len, entry.at, WINDOW, RESERVE, MARGIN, prices=PRICES)
        assert entry.size <= room_for_recall(now, life.world.strategies)


def trimmed(decision: Decision, view: View) -> frozenset[UnitId]:
    """The units whose prompts and results it would shorten."""
    trims = decision.trims if isinstance(decision, Plan) else ()
    calls = {trim.call_id for trim in trims if isinstance(trim, ResultTrim)}
    prompts = frozenset(trim.unit for trim in trims if isinstance(trim, PromptTrim))
    steps = (unit for unit in view.units if isinstance(unit, Step))
    return prompts | {s.id for s in steps if any(a.result.call_id in calls for a in s.answers)}


LAWS = (
    law_1_every_prefix_of_a_log_with_a_prompt_appended_makes_a_valid_request,
    law_2_only_an_edit_changes_what_was_already_sent,
    law_3_a_log_read_back_gives_the_same_state,
    law_4_undo_gives_back_context_never_money,
    law_5_active_skills_instructions_and_pins_survive_every_condensation,
    law_6_the_prompt_being_answered_and_unseen_results_are_in_the_request_whole,
    law_7_condensing_always_shrinks,
    law_8_no_thinking_is_sent_back_whose_prefix_has_changed,
    law_9_a_strategy_makes_at_most_one_change_per_call,
    law_10_by_its_own_count_no_request_exceeds_the_window,
    law_11_a_strategy_looks_and_answers_and_does_nothing_else,
    law_12_what_is_recalled_is_appended_and_leaves_the_next_level_out_of_reach,
)


@law
@given(worlds, lives)
def test_every_law_holds_in_every_session(world: World, acts: list[str]) -> None:
    world.play(acts)
    life = Life(world)
    for holds in LAWS:
        holds(life)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_acts_in_some_session_and_keeps_the_laws_there(name: str) -> None:
    every, sessions = EAGER[name], 80
    for seed in range(sessions):
        world = World(seed, [every[seed * max(len(every) // sessions, 1) % len(every)]])
        world.play(["say", "say", "idle", "say", "say", "say", "say", "idle", "say", "say"])
        events = (entry.event for entry in world.log.entries)
        life = Life(world)
        for holds in LAWS:
            holds(life)
        if any(isinstance(event, Condensed) and event.by == name for event in events):
            return
    pytest.fail(f"none of {sessions} sessions with {name} was changed by it: see eager.py")


def test_passages_are_recalled_in_some_session_and_the_laws_hold_there() -> None:
    recalled = 0
    for seed in range(40):
        world = World(seed, EAGER["pressure"][:1])
        world.play(["say", "say", "say", "say", "say", "idle", "say", "say", "say", "say"])
        recalled += sum(isinstance(entry.event, Recalled) for entry in world.log.entries)
        life = Life(world)
        for holds in LAWS:
            holds(life)
    assert recalled


def test_every_law_is_tried() -> None:
    assert [name for name in globals() if name.startswith("law_")] == [f.__name__ for f in LAWS]


def test_a_trim_of_a_result_keeps_its_step_whole() -> None:
    world = World(3, [])
    world.play(["say", "say", "say"])
    world.log.append(Prompted((Text("and now?"),)))
    view = replay(world.log.entries).view
    calls = [call for u in view.units if isinstance(u, Step) and u.answers for call in u.calls]
    assert len(calls) > 1
    for call in calls:
        trimmed = view.trimmed([ResultTrim(call.id, "short", 1)])
        messages = trimmed.messages("a", binds=True)
        assert problems(messages) == ()
        results = [b for m in messages for b in m.blocks if isinstance(b, ToolResult)]
        assert [b.content for b in results if b.call_id == call.id] == [(Text("short"),)]
        assert [u.id for u in trimmed.units] == [u.id for u in view.units]
