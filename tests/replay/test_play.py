"""A recording goes through a pipeline as a session would, and the bill is the cache's."""

from dataclasses import dataclass, replace
from typing import ClassVar

from octochat.context.economics.worth import Writer
from octochat.context.plans.folding import gap
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.edits import Decision, Fold, Hold, NoteRequest, Plan
from octochat.context.session.events import Event, Opened, Prompted, Replied, Returned
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.pressure import Pressure
from octochat.models.catalogue import info
from octochat.replay.baselines import Oracle, Random
from octochat.replay.lab import Contender, Experiment, run
from octochat.replay.play import Play, Score
from octochat.replay.play_setting import PlaySetting
from octochat.replay.recording import Moment, ParsedRecording, Recording, recorded
from octochat.replay.side_by_side import Part, play, play_side_by_side
from octochat.replay.weights import weigh

SONNET = PlaySetting(replace(info("claude-sonnet-5-5"), min_cache=1))
PATH = "src/deep/tree.py"


def talk(*replies: str, filler: int = 4_000) -> ParsedRecording:
    """A prompt that names a path, then tool rounds with long results and these replies."""
    moments = [Moment(Prompted((Text(f"Work on {PATH} please"),)), by_person=True)]
    for n, reply in enumerate(replies):
        calls = (ToolCall(f"t{n}", "bash", {"command": "ls"}),)
        moments.append(Moment(Replied((Text(reply), *calls), "tool_use")))
        moments.append(Moment(Returned(f"t{n}", (Text("word " * (filler // 5)),))))
    moments.append(Moment(Replied((Text("That is all."),))))
    return ParsedRecording("talk", Opened("m", "Be kind."), tuple(moments))


def score(transcript: ParsedRecording) -> Score:
    return Score.of(recorded(transcript, weigh, 180.0))


def played(transcript: ParsedRecording, *pipeline: Strategy, setting: PlaySetting = SONNET) -> Play:
    return play(score(transcript), (pipeline, setting), lambda: 0.0)


def still() -> float:
    """A clock that stands."""
    return 0.0


def cost(play: Play) -> float:
    return sum(call.cost or 0.0 for call in play.calls)


@dataclass(frozen=True, slots=True)
class FoldAt:
    """Folds everything before the last step, once."""

    name: ClassVar[str] = "fold_at"

    call: int
    brief: bool = False

    def decide(self, situation: Situation) -> Decision:
        if situation.state.ledger.calls != self.call:
            return Hold("not yet")
        run = situation.state.view.units[:-1]
        if self.brief:
            return Plan("now", NoteRequest(run[0].id, run[-1].id, 500))
        return Plan("now", gap(run))


def test_without_strategies_every_call_adds_to_the_cache_and_nothing_is_lost() -> None:
    result = played(talk("a", "b", f"see {PATH}"))
    assert len(result.calls) == 4
    assert result.edits == ()
    assert result.fates == "c"
    first, *others = [call.usage for call in result.calls]
    assert first.cache_read == 0
    assert all(
        u.cache_read == sum((v.cache_read, v.cache_write))
        for u, v in zip(others, [first, *others], strict=False)
    )


def test_the_bill_is_the_price_table_times_the_simulated_cache() -> None:
    (call,) = played(talk()).calls
    rates = SONNET.info.prices.at(call.usage.prompt)
    assert rates is not None
    assert call.cost == rates.cost(call.usage)
    assert call.usage.output == weigh(Replied((Text("That is all."),)))


def test_an_edit_shrinks_the_requests_breaks_the_cache_once_and_is_recorded() -> None:
    whole, folded = played(talk(*"abcd")), played(talk(*"abcd"), FoldAt(2))
    (edit,) = folded.edits
    assert (edit.call, edit.by, edit.why) == (2, "fold_at", "now")
    assert edit.after < edit.before
    assert folded.calls[2].usage.prompt < whole.calls[2].usage.prompt
    assert [call.bust for call in folded.calls] == [False, False, True, False, False]
    assert folded.calls[2].rewritten > 0


def test_the_prompt_being_answered_survives_and_what_it_names_is_not_lost() -> None:
    result = played(talk("a", "b", f"see {PATH}"), FoldAt(2))
    assert result.fates == "c"


def test_what_was_folded_can_be_recalled_and_what_never_came_up_does_not_count() -> None:
    result = played(talk("new lib/a/b.py", "b", "see lib/a/b.py"), FoldAt(2))
    assert result.fates == "r"


def test_a_note_is_written_and_billed_as_a_model_would_have_been() -> None:
    haiku = info("claude-haiku-4-5")
    writers = (Writer(haiku.name, haiku.prices, shares_cache=False),)
    free = played(talk(*"abcd"), FoldAt(3, brief=True))
    billed = played(talk(*"abcd"), FoldAt(3, brief=True), setting=replace(SONNET, writers=writers))
    assert free.summaries == ()
    (summary,) = billed.summaries
    assert summary is not None
    assert summary > 0
    assert cost(free) == cost(billed)


def test_no_strategy_makes_an_invalid_request() -> None:
    @dataclass(frozen=True, slots=True)
    class Everything:
        name: ClassVar[str] = "everything"

        def decide(self, situation: Situation) -> Decision:
            units = situation.state.view.units
            return Plan("all", Fold(units[0].id, units[-1].id, (Text("gone"),)))

    assert played(talk(*"abcde"), Everything()).violations == ()


def test_what_would_not_fit_goes_up_the_ladder() -> None:
    tight = replace(SONNET, info=replace(SONNET.info, window=6_000), reserve=500)
    result = played(talk(*"abcdefgh"), setting=tight)
    assert result.too_long == 0
    assert {edit.by for edit in result.edits} == {"ladder"}


def test_the_baselines_come_down_to_the_size_of_the_reference() -> None:
    fifo = Contender("fifo", (Fifo(max_tokens=4_000, low_water=0.5),), SONNET)
    outcome = run(Experiment((fifo,), SONNET, 180.0), talk(*"abcdefghijkl"))
    by_name = {result.contender: result for result in outcome.results}
    assert list(by_name) == ["none", "random", "oracle", "fifo"]
    reference = by_name["fifo"]
    assert reference.edits
    for name in ("random", "oracle"):
        assert [e.call for e in by_name[name].edits] == [e.call for e in reference.edits]
        for edit in reference.edits:
            assert by_name[name].contexts[edit.call] <= reference.contexts[edit.call]


def test_the_reference_is_the_first_that_has_levels() -> None:
    fifo = Contender("a", (Fifo(),), SONNET)
    by_level = Contender("b", (Fifo(), Pressure()), SONNET)
    assert Experiment((fifo, by_level), SONNET, 180.0).reference == 1
    assert Experiment((fifo, fifo), SONNET, 180.0).reference == 0
    assert Experiment((), SONNET, 180.0).reference is None


def test_the_oracle_keeps_what_will_be_used() -> None:
    replies = ("one lib/a/one.py", "two lib/a/two.py", "c", "d", "e", "use lib/a/two.py")
    made = score(talk(*replies))
    targets = {4: 3_500}
    kept = play(made, ((Oracle(targets, made.uses, made.names),), SONNET), lambda: 0.0)
    assert len(kept.edits) == 1
    assert kept.fates == "c"


def test_the_lots_of_a_seed_are_always_the_same() -> None:
    made = score(talk(*("word " * 200 * n for n in range(1, 9))))

    def sizes(seed: int) -> list[int]:
        result = play(made, ((Random({7: 12_000}, seed),), SONNET), lambda: 0.0)
        return [call.usage.prompt for call in result.calls]

    assert sizes(1) == sizes(1)
    assert any(sizes(1) != sizes(seed) for seed in range(2, 6))


def test_entries_count_from_one_as_in_a_log() -> None:
    recording: Recording = recorded(talk("a"), weigh, 1.0)
    assert [entry.id for entry in recording.entries] == list(range(1, 6))
    kinds: list[type[Event]] = [type(entry.event) for entry in recording.entries]
    assert kinds == [Opened, Prompted, Replied, Returned, Replied]


def test_who_plays_side_by_side_plays_as_if_alone() -> None:
    pipelines: list[tuple[Strategy, ...]] = [
        (),
        (FoldAt(2),),
        (FoldAt(2, brief=True),),
        (FoldAt(3),),
        (FoldAt(2), FoldAt(4)),
        (Fifo(max_tokens=3_000),),
        (),
    ]
    asked = score(talk("a", "b", f"see {PATH}", "c", f"again {PATH}"))
    together = play_side_by_side(asked, [(each, SONNET) for each in pipelines], still)
    alone = [play(asked, (each, SONNET), still) for each in pipelines]
    assert [len(each.edits) > 0 for each in together] == [False, *[True] * 5, False]
    assert list(together) == alone


def test_worlds_that_differ_are_not_taken_for_one() -> None:
    dear = replace(SONNET, info=replace(info("claude-opus-4-8"), min_cache=1))
    parts: list[Part] = [((), SONNET), ((), dear), ((), SONNET)]
    costs = [cost(each) for each in play_side_by_side(score(talk("a", "b")), parts, still)]
    assert costs[0] == costs[2] < costs[1]
