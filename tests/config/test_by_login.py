"""What "auto" means by the kind of login; what a person wrote wins."""

import pytest

from octochat.config.by_login import for_login, origins
from octochat.config.load import Config, config_of
from octochat.context.codec.trees import TreeError
from octochat.context.strategies.ttl_prune import TtlPrune
from octochat.models.login import Login, login
from tests.build import exchanges

TOKEN = "because you log in with a token"
BOTH = {"cache": {"keep_warm": "auto"}}


def used(config: Config, kind: Login) -> tuple[str, str | int]:
    made = for_login(config, kind)
    prune = made.strategy["ttl_prune"]
    assert isinstance(prune, TtlPrune)
    return prune.mode, made.cache.keep_warm


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, "API key"),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, "token"),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_AUTH_TOKEN": "t"}, "API key"),
        ({"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": "http://localhost"}, "none"),
    ],
)
def test_the_login_is_read_from_the_environment(environment: dict[str, str], kind: Login) -> None:
    assert login(environment) == kind


@pytest.mark.parametrize(
    ("kind", "values"),
    [("API key", ("cache-ttl", 30)), ("token", ("cache-ttl", 60)), ("none", ("off", "off"))],
)
def test_auto_is_the_seeds_table(kind: Login, values: tuple[str, str | int]) -> None:
    assert used(config_of(BOTH), kind) == values
    assert used(config_of({}), kind) == (values[0], "off")


@pytest.mark.parametrize("kind", ["API key", "token", "none"])
def test_what_a_person_wrote_wins(kind: Login) -> None:
    written = {"context": {"ttl_prune": {"mode": "cache-ttl"}}, "cache": {"keep_warm": 7}}
    assert used(config_of(written), kind) == ("cache-ttl", 7)
    off: dict[str, object] = {"context": {"ttl_prune": {"mode": "off"}}}
    assert used(config_of(off), kind) == ("off", "off")


def test_it_is_told_where_the_values_come_from() -> None:
    assert origins(config_of(BOTH), "token") == (
        f"ttl_prune: on, {TOKEN}; it waits until the cache is cold (cache_ttl, 5m)",
        f"keep_warm: 60 minutes, {TOKEN}",
    )
    assert origins(config_of({}), "none") == (
        "ttl_prune: off, because you do not log in to Anthropic",
    )
    mine = {"context": {"ttl_prune": {"mode": "cache-ttl", "ttl": "10m"}}}
    assert origins(config_of(mine), "none") == (
        "ttl_prune: on, as you set it; it waits until the cache is cold (10m, as set)",
    )
    assert origins(config_of({"context": {"strategies": ["pressure"]}}), "API key") == ()


def test_without_a_login_the_strategy_holds_and_on_a_recording_auto_is_on() -> None:
    now = exchanges(3, 100).situation(now=10_000.0)
    off = for_login(config_of({}), "none").strategy["ttl_prune"].decide(now)
    assert off.why == "turned off"
    assert TtlPrune().decide(now).why != "turned off"


@pytest.mark.parametrize("wrong", ["on", 0, -5, True, 1.5, "30"])
def test_keep_warm_is_off_auto_or_minutes(wrong: object) -> None:
    with pytest.raises(TreeError, match=r"cache.keep_warm: expected .*whole number"):
        config_of({"cache": {"keep_warm": wrong}})
