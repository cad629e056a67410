"""Real conversations go through every strategy without a fault (where they are at hand)."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from octochat.config.load import Config
from octochat.config.strategies import KnownStrategies
from octochat.replay.contenders import all_contenders, named, setting_of
from octochat.replay.lab import Experiment, run_raw
from octochat.replay.readers import load

FOLDER = Path(os.environ.get("OCTOCHAT_TRAJECTORIES", "../shared/trajectories")) / "dev"
SOME = (
    "aider__2024-08-06T084710",
    "cc-context-evaluator__8ebc42a2-75ff",
    "cc-oh-my-posh__85307e10-87a7",
    "swe-agent__pydicom-1458",
    "tau2-airline__claude-opus-4-6-14-8527a8",
)

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no recordings in {FOLDER} (see OCTOCHAT_TRAJECTORIES)"
)


@pytest.mark.parametrize("name", SOME)
def test_a_recording_goes_through_every_strategy_in_a_tight_window(name: str) -> None:
    setting = setting_of(Config(), Config().model, None)
    tight = replace(setting, info=replace(setting.info, window=40_000))
    known = KnownStrategies()
    eager, _ = named(
        "ttl_prune{ttl='0s'},tool_cleanup{safe_zone_tokens=3000}+pressure", tight, known
    )
    raw = load(FOLDER / f"{name}.jsonl")
    outcome = run_raw(Experiment((*all_contenders(tight, known), *eager), tight, 180.0), raw)
    assert outcome.faults == ()
    for result in outcome.results:
        assert result.violations == (), result.contender
        assert result.too_long == 0, result.contender


def test_nothing_is_lost_where_nothing_is_done() -> None:
    setting = setting_of(Config(), Config().model, None)
    outcome = run_raw(Experiment((), setting, 180.0), load(FOLDER / f"{SOME[2]}.jsonl"))
    none = outcome.results[0]
    assert none.identifier_recall.far.count > 20
    assert none.identifier_recall.far.share == none.identifier_recall.near.share == 1.0
    assert none.rare_far.count > 100
    assert none.rare_far.share == none.rare_near.share == 1.0
    assert (none.busts, none.edits) == (0, ())
    assert none.usage.fresh < setting.info.min_cache


def test_where_nothing_is_done_all_evidence_is_there() -> None:
    setting = setting_of(Config(), Config().model, None)
    outcome = run_raw(Experiment((), setting, 180.0), load(FOLDER / "locomo__26.jsonl"))
    answers = outcome.results[0].answers
    assert len(answers) == outcome.found.count > 100
    assert all(answer.evidence.share == 1.0 for answer in answers)
