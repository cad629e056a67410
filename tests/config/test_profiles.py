"""Profiles: sets of values, which single keys override."""

from pathlib import Path

import pytest

from octochat.config.load import Config, parse
from octochat.config.profiles import PROFILES, ProfileName
from octochat.context.plans.strategy import Level
from octochat.context.strategies.pressure import Pressure


def read(text: str) -> Config:
    return parse(text, Path("my.toml"))


def pressure(config: Config) -> Pressure:
    strategy = config.strategy["pressure"]
    assert isinstance(strategy, Pressure)
    return strategy


def test_balanced_is_the_defaults() -> None:
    assert read('profile = "balanced"') == read("")


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_sets_levels_notes_and_recall_and_its_levels_are_built_in(
    name: ProfileName,
) -> None:
    config = read(f'profile = "{name}"')
    values = PROFILES[name]
    assert pressure(config).pressure_levels == values["compression"]["pressure_levels"]
    assert pressure(config).note_max_tokens == values["compression"]["note_max_tokens"]
    assert config.recall.tokens == values["recall"]["tokens"]
    first = values["compression"]["pressure_levels"][0].threshold
    assert pressure(config).levels(100_000)[0].threshold == first // 2


def test_single_keys_override_it() -> None:
    config = read(
        'profile = "thrifty"\n[compression]\nnote_max_tokens = 4000\n'
        "[[compression.pressure_levels]]\nthreshold = 9000\ntarget_ratio = 2.0"
    )
    assert pressure(config).note_max_tokens == 4_000
    assert pressure(config).levels(32_000) == (Level(9_000, 2.0),)
    assert read('profile = "careful"\nrecall.tokens = 7').recall.tokens == 7


def test_another_profile_takes_the_place_of_the_first_but_not_of_what_was_written() -> None:
    config = read("recall.tokens = 7").with_profile("thrifty")
    assert (config.profile, config.recall.tokens) == ("thrifty", 7)
    assert pressure(config) == pressure(read('profile = "thrifty"'))
    assert config.with_profile("balanced") == read("recall.tokens = 7")
