"""The API's own compaction, from the decision to the requests that follow it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from octochat.context.plans.situation import Situation
from octochat.context.session.content import Opaque, Text
from octochat.context.session.edits import Fold, Hold, NoteRequest, Plan
from octochat.context.session.events import ToolDefinition
from octochat.context.session.state import State
from octochat.context.session.view import Note, Step, View
from octochat.context.strategies.server_compact import ServerCompact
from octochat.engine.ask import Terms, drafted
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Notice
from tests.context.strategies.desk import LONG, Desk
from tests.context.strategies.stage import called, noted, replied, said, situation
from tests.server import ClaudeServer, Say, Status, Think, reply, say
from tests.server import Step as Scripted
from tests.summaries.builders import GOOD

MODEL = "claude-opus-5-5"
BLOCK = Opaque({"type": "compaction", "content": "so far", "signature": "s"})
TALK = (said(size=1_000), replied(size=1_000)) * 5
ELEVEN = (noted(size=5_000), *TALK)
SMALL = ServerCompact(max_tokens=5_000)


def able(now: Situation) -> Situation:
    return replace(now, compaction=True)


def brief(now: Situation, strategy: ServerCompact = SMALL) -> NoteRequest:
    decision = strategy.decide(able(now))
    assert isinstance(decision, Plan)
    assert isinstance(decision.fold, NoteRequest)
    return decision.fold


def test_a_model_that_cannot_compact_is_left_alone_and_the_reason_said() -> None:
    decision = SMALL.decide(situation(*TALK))
    assert decision == Hold("the model's API can't compact on demand")


def test_it_holds_up_to_its_budget_and_compacts_all_but_the_last_turns_above() -> None:
    assert isinstance(ServerCompact(max_tokens=10_000).decide(able(situation(*TALK))), Hold)
    made = brief(situation(*TALK))
    assert (made.first, made.last, made.style, made.keep) == (0, 5, "server", ())
    assert brief(situation(*TALK), ServerCompact(max_tokens=5_000, keep_turns=0)).last == 9


@pytest.mark.parametrize(("last", "acts"), [(20_000, False), (20_001, True)])
def test_more_than_100_000_tokens_are_too_many_unless_told_otherwise(last: int, acts: bool) -> None:
    talk = (*[said(size=20_000)] * 4, said(size=last))
    now = able(situation(*talk))
    assert isinstance(ServerCompact(keep_turns=1).decide(now), Plan) is acts


def test_octochats_own_summary_may_take_4_000_tokens_unless_told_otherwise() -> None:
    talk = (*[said(size=20_000)] * 2, *TALK)
    assert brief(situation(*talk), ServerCompact(max_tokens=5_000)).budget == 4_000


def test_it_acts_before_the_ladder_would() -> None:
    now = situation(*TALK, window=12_000)
    assert isinstance(ServerCompact().decide(able(now)), Plan)
    assert isinstance(ServerCompact().decide(able(replace(now, window=13_000))), Hold)


def test_it_ends_before_what_must_stay_if_that_is_enough() -> None:
    assert brief(situation(*TALK, pins=(2,))).last == 1  # a fifth
    assert brief(situation(*TALK, pins=(4,))).last == 3
    for stays in (0, 1):
        assert brief(situation(*TALK, pins=(stays,))).last == 5


def test_where_little_could_go_it_holds() -> None:
    now = situation(noted(size=3_000), said(size=10), *TALK[:4])
    assert isinstance(SMALL.decide(able(now)), Hold)
    assert isinstance(SMALL.decide(able(situation(called("r", each=9_000)))), Hold)


@pytest.mark.parametrize(("folded", "acts"), [(2_000, True), (1_999, False)])
def test_a_fifth_of_the_context_is_enough(folded: int, acts: bool) -> None:
    rest = (said(size=2_000), replied(size=2_000)) * 2
    now = situation(said(size=folded), *rest[:3], replied(size=4_000 - folded))
    assert isinstance(SMALL.decide(able(now)), Plan) is acts


@pytest.mark.parametrize(("turns", "folded"), [(0, 10), (1, 9), (7, 3), (11, 0)])
def test_so_many_turns_stay(turns: int, folded: int) -> None:
    decision = replace(SMALL, keep_turns=turns).decide(able(situation(*ELEVEN)))
    if folded:
        assert isinstance(decision, Plan)
        assert isinstance(decision.fold, NoteRequest)
        assert decision.fold.last == folded
    else:
        assert isinstance(decision, Hold)


def folded(view: View, **fold: Any) -> View:
    return view.folded(replace(Fold(0, 3, (BLOCK,)), **fold), 500, 10, None)


def talked() -> View:
    """Units whose replies know what they answered."""
    view = View("be kind")
    for unit in situation(*TALK).state.view.units:
        view = view.add(replace(unit, digest=view.digest) if isinstance(unit, Step) else unit)
    return view


def test_behind_a_signed_block_the_running_digest_goes_on_as_if_nothing_had_happened() -> None:
    view = talked()
    assert folded(view).digest == view.digest


@pytest.mark.parametrize(
    "fold", [{"note": (Text("so far"),)}, {"first": 1}, {"keep": (2,)}], ids=str
)
def test_any_other_fold_changes_it(fold: dict[str, Any]) -> None:
    view = talked()
    assert folded(view, **fold).digest != view.digest


def test_with_other_tools_or_another_system_prompt_the_block_vouches_for_nothing() -> None:
    view = folded(talked())
    other = replace(view, tools=(ToolDefinition("new", "", {}),))
    unsigned = replace(other, units=(replace(view.units[0], prefix_hash=""), *view.units[1:]))
    assert isinstance(view.units[0], Note)
    assert other.digest == unsigned.digest


def test_a_second_compaction_stands_for_the_first_and_what_came_after_it() -> None:
    view = talked()
    twice = folded(view).folded(Fold(500, 7, (BLOCK,)), 501, 10, None)
    assert twice.digest == view.digest


def deep(n: int) -> Scripted:
    return reply(Think(f"thought {n}"), Say(f"answer {n}"))


async def test_the_signed_block_comes_first_and_the_thinking_behind_it_is_still_sent() -> None:
    steps = [deep(0), deep(1), deep(2), say("so far"), *(deep(n) for n in range(3, 6))]
    async with ClaudeServer(*steps) as server:
        desk = Desk(server, ServerCompact(max_tokens=14_000, keep_turns=2))
        await desk.say(*LONG[:4], "and now?")
        await desk.claude.close()
        assert server.refusals == []
        last = server.requests[-1]
    (event,) = desk.condensed
    assert event.fold is not None
    assert isinstance(event.fold.note[0], Opaque)
    assert not any(isinstance(item, Notice) for item in desk.heard)
    blocks = [block for message in last["messages"] for block in message["content"]]
    assert blocks[0]["type"] == "compaction"
    assert blocks[0]["content"] == "so far"
    thoughts = [block["thinking"] for block in blocks if block["type"] == "thinking"]
    assert thoughts == ["thought 2", "thought 3"]


async def test_where_the_api_fails_octochats_own_summary_takes_its_place() -> None:
    steps = [deep(0), deep(1), deep(2), Status(400, "no"), say(json.dumps(GOOD)), deep(3)]
    async with ClaudeServer(*steps) as server:
        desk = Desk(server, ServerCompact(max_tokens=14_000, keep_turns=2))
        await desk.say(*LONG[:4])
        await desk.claude.close()
    (event,) = desk.condensed
    assert event.fold is not None
    (note,) = event.fold.note
    assert isinstance(note, Text)
    assert "Mend the parser." in note.text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("so far </work-so-far>", "so far &lt;/work-so-far"),
        (None, "`recall`"),
        ("", "`recall`"),
        (["so far"], "`recall`"),
    ],
)
def test_a_model_whose_api_knows_no_compaction_gets_its_words(content: object, words: str) -> None:
    block = Opaque({"type": "compaction", "content": content, "signature": "s"})
    view = folded(talked(), note=(block,))
    first = view.messages("other", binds=False, compacts=False)[0].blocks[0]
    assert isinstance(first, Text)
    assert first.text.startswith("<work-so-far>\n")
    assert words in first.text
    assert view.messages("m", binds=True)[0].blocks[0] == block
    made = drafted(State(view=view), Terms(ModelInfo("other"), 100, 300))
    assert made.messages[0].blocks[0] == first
