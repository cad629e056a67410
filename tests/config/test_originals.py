"""The originals' own names and keys, pasted into a configuration."""

from pathlib import Path

import pytest

from octochat.config.load import Config, ConfigError, parse
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.groups import GroupHybrid
from octochat.context.strategies.sliding_window import SlidingWindow
from octochat.context.strategies.tool_cleanup import ToolCleanup
from octochat.context.strategies.ttl_prune import TtlPrune

WHERE = Path("my.toml")
PRUNING = """
mode = "cache-ttl"
ttl = "1h"
keepLastAssistants = 2
softTrimRatio = 0.2
hardClearRatio = 0.4
minPrunableToolChars = 9
softTrim = { maxChars = 7, headChars = 2, tailChars = 1 }
hardClear = { enabled = false, placeholder = "gone" }
tools = { allow = ["exec"], deny = ["*image*"] }
"""


def read(text: str) -> Config:
    return parse(text, WHERE)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("FIFO", "fifo"),
        ("Summarize", "summarize"),
        ("SlidingWindowWithSummary", "sliding_window_with_summary"),
        ("PriorityBased", "priority"),
        ("Truncate", "group_truncate"),
        ("hybrid", "group_hybrid"),
        ("AgenticConversationPruner", "tool_cleanup"),
        ("contextPruning", "ttl_prune"),
        ("cache-ttl", "ttl_prune"),
    ],
)
def test_a_strategy_may_be_called_as_its_original(said: str, meant: str) -> None:
    assert [each.name for each in read(f'context.strategies = ["{said}"]').pipeline] == [meant]


def test_a_name_that_two_originals_have_is_an_error_that_names_both() -> None:
    with pytest.raises(ConfigError) as error:
        read('context.strategies = ["fifo", "SlidingWindow"]')
    assert "context.strategies[1]" in str(error.value)
    assert '"sliding_window" keeps' in str(error.value)
    assert '"sliding_window_tokens"' in str(error.value)


@pytest.mark.parametrize("place", ["", "context."])
def test_keys_of_the_originals_are_understood(place: str) -> None:
    config = read(
        f"{place}sliding_window_turns = 7\n"
        f"{place}MinHistoryMessages = 6\n"
        f"{place}conversation_prune_safe_zone_tokens = 9000"
    )
    assert config.strategy["sliding_window"] == SlidingWindow(turns=7)
    assert config.strategy["fifo"] == Fifo(min_history_messages=6)
    assert config.strategy["tool_cleanup"] == ToolCleanup(safe_zone_tokens=9_000)
    assert config.strategy["group_hybrid"] == GroupHybrid(safe_zone_tokens=9_000)


@pytest.mark.parametrize(
    "table", ["contextPruning", "context.contextPruning", "agents.defaults.contextPruning"]
)
def test_openclaws_table_is_understood_with_its_camel_case(table: str) -> None:
    wanted = read(f"[context.ttl_prune]{PRUNING}").strategy["ttl_prune"]
    assert isinstance(wanted, TtlPrune)
    assert (wanted.keep_last_assistants, wanted.soft_trim.head_chars) == (2, 2)
    assert (wanted.hard_clear.placeholder, wanted.tools.deny) == ("gone", ("*image*",))
    assert read(f"[{table}]{PRUNING}").strategy["ttl_prune"] == wanted


def test_openclaws_window_is_the_largest_to_reckon_with() -> None:
    prune = read("[agents.defaults]\ncontextTokens = 50000").strategy["ttl_prune"]
    assert prune == TtlPrune(context_tokens=50_000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "sliding_window_turns = 7\ncontext.sliding_window.turns = 8",
            'sliding_window_turns: this is octochat\'s "context.sliding_window.turns"',
        ),
        ("contextPruning.softTrimRatio = 3", "context.ttl_prune.soft_trim_ratio: expected"),
        ("contextPruning.softTrm = 3", 'context.ttl_prune.soft_trm: unknown key (did you mean "s'),
        ("agents.defaults.model = 'x'", "agents: unknown key"),
        ("conversation_prune_safe_zone_tokens = 0", "safe_zone_tokens: expected 1 or more"),
    ],
)
def test_what_is_wrong_with_them_is_said_with_octochats_name(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        read(text)
    assert said in str(error.value)
