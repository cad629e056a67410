"""Real conversations go through every strategy without a fault (where they are at hand)."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from octochat.config.load import Config
from octochat.config.strategies import KnownStrategies
from octochat.replay.contenders import everybody, named, setting_of
from octochat.replay.lab import Experiment, run_file

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
    setting = setting_of(Config(), None, None)
    tight = replace(setting, info=replace(setting.info, window=40_000))
    known = KnownStrategies()
    eager = named("ttl_prune{ttl='0s'},tool_cleanup{safe_zone_tokens=3000}+pressure", tight, known)
    outcome = run_file(
        Experiment((*everybody(tight, known), *eager), tight, 180.0), FOLDER / f"{name}.jsonl"
    )
    assert outcome.faults == ()
    for result in outcome.results:
        assert result.violations == (), result.contender
        assert result.too_long == 0, result.contender


def test_nothing_is_lost_where_nothing_is_done() -> None:
    setting = setting_of(Config(), None, None)
    outcome = run_file(Experiment((), setting, 180.0), FOLDER / f"{SOME[2]}.jsonl")
    none = outcome.results[0]
    assert len(none.fates) == len(outcome.uses) > 100
    assert set(none.fates) == {"c"}
    assert (none.busts, none.edits) == (0, ())
    assert none.usage.fresh < setting.info.min_cache
