"""The table of models: prices by tier, names as people type them, what the configuration adds."""

from math import isclose

import pytest

from octochat.context.economics.prices import FREE, UNPRICED, Prices
from octochat.context.session.events import Usage
from octochat.models.catalogue import MODELS, ModelSettings, catalogue, info, near

ONE_OF_EACH = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000)


def same(cost: float | None, dollars: float) -> bool:
    return cost is not None and isclose(cost, dollars, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("name", "dollars"),
    [
        ("claude-fable-5-1", 10 + 50 + 12.5 + 20 + 0.25),
        ("claude-opus-5-5", 4 + 20 + 5 + 8 + 0.20),
        ("claude-opus-5", 5 + 25 + 6.25 + 10 + 0.50),
        ("claude-opus-4-8", 5 + 25 + 6.25 + 10 + 0.50),
        ("claude-opus-4-7", 5 + 25 + 6.25 + 10 + 0.50),
        ("claude-opus-4-6", 5 + 25 + 6.25 + 10 + 0.50),
        ("claude-opus-4-5", 5 + 25 + 6.25 + 10 + 0.50),
        ("claude-sonnet-5-5", 2 + 10 + 2.5 + 4 + 0.10),
        ("claude-sonnet-5", 2 + 10 + 2.5 + 4 + 0.20),
        ("claude-sonnet-4-6", 3 + 15 + 3.75 + 6 + 0.30),
        ("claude-haiku-5-5", 0.50 + 2.50 + 0.625 + 1.00 + 0.05),
        ("claude-haiku-4-5", 1 + 5 + 1.25 + 2 + 0.10),
        ("offline", 0.0),
    ],
)
def test_each_kind_of_token_is_billed_at_its_own_rate(name: str, dollars: float) -> None:
    assert same(info(name).prices.cost(ONE_OF_EACH), dollars)


def test_a_long_prompt_moves_every_token_of_the_request_to_the_upper_tier() -> None:
    prices = info("claude-haiku-5-5").prices
    short = prices.cost(Usage(fresh=40_000, cache_read=60_000, output=1_000))
    long = prices.cost(Usage(fresh=40_000, cache_read=60_001, output=1_000))
    assert same(short, (40_000 * 0.10 + 60_000 * 0.01 + 1_000 * 0.50) / 1e6)
    assert same(long, (40_000 * 0.50 + 60_001 * 0.05 + 1_000 * 2.50) / 1e6)


def test_the_answer_does_not_count_towards_the_tier() -> None:
    prices = info("claude-haiku-5-5").prices
    cost = prices.cost(Usage(fresh=100_000, output=50_000))
    assert same(cost, (100_000 * 0.10 + 50_000 * 0.50) / 1e6)


@pytest.mark.parametrize(
    ("name", "window"),
    [("claude-opus-4-6", 200_000), ("claude-haiku-4-5", 200_000), ("claude-sonnet-4-6", 1_000_000)],
)
def test_the_window_is_the_published_one(name: str, window: int) -> None:
    assert info(name).window == window


def test_the_models_that_bind_thinking_are_the_published_ones() -> None:
    binding = {model.name for model in MODELS if model.binds_thinking}
    assert binding == {
        "claude-fable-5-1",
        "claude-opus-5-5",
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
    }


def test_temperature_goes_only_to_the_models_that_still_take_it() -> None:
    assert {model.name for model in MODELS if model.takes_sampling} == {
        "claude-opus-4-6",
        "claude-opus-4-5",
        "claude-sonnet-4-6",
        "claude-haiku-4-5",
    }


def test_a_provider_in_front_of_the_name_is_left_out() -> None:
    assert info("anthropic:claude-haiku-4-5").name == "claude-haiku-4-5"
    assert info("anthropic:claude-haiku-4-5").known
    assert info("qwen3:8b").name == "qwen3:8b"


def test_a_dated_name_is_the_same_model_and_keeps_its_name() -> None:
    dated = info("claude-haiku-4-5-20251001")
    assert dated.name == "claude-haiku-4-5-20251001"
    assert dated.prices == info("claude-haiku-4-5").prices


def test_nothing_is_claimed_of_an_unknown_model() -> None:
    later, local = info("claude-opus-9"), info("qwen3:8b")
    assert later.prices is UNPRICED
    assert later.prices.cost(ONE_OF_EACH) is None
    assert (later.thinking, later.binds_thinking, later.takes_sampling) == ("default", True, False)
    assert (local.thinking, local.binds_thinking, local.known) == ("none", False, False)


def test_free_and_unpriced_are_not_the_same() -> None:
    assert info("offline").prices.free
    assert not UNPRICED.free
    assert not UNPRICED.known
    assert not info("claude-haiku-4-5").prices.free
    assert Prices.flat(FREE).cost(ONE_OF_EACH) == 0.0


def test_the_configuration_prices_an_unknown_model_by_the_usual_multiples() -> None:
    prices = info("house-model", ModelSettings(input=2.0, output=8.0)).prices
    assert same(prices.cost(ONE_OF_EACH), 2 + 8 + 2.5 + 4 + 0.2)


def test_the_configuration_changes_one_price_and_leaves_the_others() -> None:
    prices = info("claude-opus-5", ModelSettings(cache_read=0.05)).prices
    assert same(prices.cost(ONE_OF_EACH), 5 + 25 + 6.25 + 10 + 0.05)


def test_the_configuration_changes_a_limit_and_leaves_the_prices() -> None:
    model = info("claude-haiku-5-5", ModelSettings(window=64_000, thinking="none"))
    assert (model.window, model.thinking) == (64_000, "none")
    assert model.prices == info("claude-haiku-5-5").prices


def test_the_configuration_of_a_model_holds_for_its_dated_name_too() -> None:
    known = catalogue({"anthropic:claude-haiku-4-5": ModelSettings(window=1_000)})
    assert known("claude-haiku-4-5-20251001").window == 1_000
    assert known("anthropic:claude-haiku-4-5").window == 1_000
    assert known("claude-opus-4-5").window == 200_000


def test_a_mistyped_name_finds_its_neighbours() -> None:
    assert near("claude-sonet-5")[0] == "claude-sonnet-5"
    assert near("haiku-4-5")[0] == "claude-haiku-4-5"
    assert near("entirely-different") == ()


def test_what_the_api_says_of_an_unknown_model_counts_unless_the_configuration_says_it() -> None:
    known = catalogue({"claude-next-2": ModelSettings(window=300_000)})
    known.learn("claude-next-1", 500_000, 90_000)
    known.learn("claude-next-2", 500_000, None)
    assert (known("claude-next-1").window, known("claude-next-1").max_output) == (500_000, 90_000)
    assert known("claude-next-2").window == 300_000
    assert known("claude-next-2").max_output == info("claude-next-2").max_output
