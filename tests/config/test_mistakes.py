"""What is said of mistakes in the configuration: the file, the place, and what was meant."""

from pathlib import Path

import pytest

from octochat.config.load import ConfigError, load, parse

WHERE = Path("my.toml")
LEVEL = "[[compression.pressure_levels]]\nthreshold = {}\ntarget_ratio = {}\n"


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("modle = 'x'", "modle", 'unknown key (did you mean "model"?)'),
        ("model = 3", "model", "expected a string, got 3"),
        ("model = ' '", "model", 'expected the name of a model, got " "'),
        ("max_tokens = 0", "max_tokens", "expected 1 or more, got 0"),
        ("max_tokens = 1.5", "max_tokens", "expected a whole number, got 1.5"),
        (
            "cache_ttl = '5min'",
            "cache_ttl",
            'expected "5m" or "1h", got "5min" (did you mean "5m"?)',
        ),
        ("timeout = 30", "timeout", "expected a string, got 30"),
        ("timeout = '30'", "timeout", 'expected a duration such as "90s", "5m" or "1h", got "30"'),
        ("max_cost = -1", "max_cost", "expected 0 or more, got -1"),
        ("max_cost = nan", "max_cost", "expected a number, got nan"),
        ("thinking_budget = 5", "thinking_budget", "expected 1024 or more, got 5"),
        ("context = 3", "context", "expected a table, got 3"),
        (
            "context.safety_margin = 3",
            "context.safety_margin",
            'unknown key (did you mean "safety_margin_tokens"?)',
        ),
        ("context.fito = {}", "context.fito", 'unknown key (did you mean "fifo"?)'),
        ("context.fifo = 3", "context.fifo", "expected a table, got 3"),
        (
            "context.fifo.max_token = 3",
            "context.fifo.max_token",
            'unknown key (did you mean "max_tokens"?)',
        ),
        (
            "context.fifo.max_tokens = 'a'",
            "context.fifo.max_tokens",
            'expected a whole number, got "a"',
        ),
        ("context.pressure = {}", "context.pressure", "its settings belong in [compression]"),
        ("context.strategies = 'fifo'", "context.strategies", 'expected a list, got "fifo"'),
        (
            "context.strategies = ['fifo', 'presure']",
            "context.strategies[1]",
            'there is no strategy "presure" (did you mean "pressure"?)',
        ),
        (
            "context.strategies = ['fifo', 'fifo']",
            "context.strategies[1]",
            '"fifo" is listed twice',
        ),
        (
            "compression.hint_enabled = true",
            "compression.hint_enabled",
            'unknown key (did you mean "hints_enabled"?)',
        ),
        (
            "compression.hints_enabled = 1",
            "compression.hints_enabled",
            "expected true or false, got 1",
        ),
        (
            "compression.hints_pressure_threshold = 70",
            "compression.hints_pressure_threshold",
            "expected a number from 0 to 1, got 70",
        ),
        (
            "compression.hints_min_interval = -1",
            "compression.hints_min_interval",
            "expected 0 or more, got -1",
        ),
        (
            "compression.knowledge_retention = -1",
            "compression.knowledge_retention",
            "expected 0 or more, got -1",
        ),
        (
            "compression.note_max_tokens = 9",
            "compression.note_max_tokens",
            "expected 400 or more, got 9",
        ),
        (
            "[[compression.pressure_levels]]\nthreshold = 1",
            "compression.pressure_levels[0].target_ratio",
            "this key is missing",
        ),
        (
            LEVEL.format(5, 2) + LEVEL.format('"5"', 2),
            "compression.pressure_levels[1].threshold",
            'expected a whole number, got "5"',
        ),
        (
            LEVEL.format(5, 2) + LEVEL.format(0, 2),
            "compression.pressure_levels[1].threshold",
            "expected 1 or more, got 0",
        ),
        (
            LEVEL.format(5, 1),
            "compression.pressure_levels[0].target_ratio",
            "expected a number above 1, got 1.0",
        ),
        (
            LEVEL.format(5, 2) + LEVEL.format(4, 2) + LEVEL.format(5, 3),
            "compression.pressure_levels[2].threshold",
            "two levels have the threshold 5",
        ),
        (
            "compression.decision.temperature = 2",
            "compression.decision.temperature",
            "expected a number from 0 to 1, got 2",
        ),
        (
            "compression.decision.max_retries = -1",
            "compression.decision.max_retries",
            "expected 0 or more, got -1",
        ),
        (
            "compression.decision.retry_timeout = 0",
            "compression.decision.retry_timeout",
            "expected a number of seconds above 0, got 0",
        ),
        ("permissions.allow = 'bash'", "permissions.allow", 'expected a list, got "bash"'),
        ("permissions.alow = []", "permissions.alow", 'unknown key (did you mean "allow"?)'),
        (
            "permissions.deny = ['']",
            "permissions.deny[0]",
            'expected a pattern such as "bash(git status *)" or "write(src/**)", got ""',
        ),
        ("retry.attempts = 0", "retry.attempts", "expected 1 or more, got 0"),
        (
            "tui.keys = 'vi'",
            "tui.keys",
            'expected "default" or "emacs" or "vim", got "vi" (did you mean "vim"?)',
        ),
        ("models.x.inputs = 3", "models.x.inputs", 'unknown key (did you mean "input"?)'),
        ('models."a b".input = -3', 'models."a b".input', "expected 0 or more, got -3.0"),
        ("models.x.window = 0", "models.x.window", "expected 1 or more, got 0"),
        ("since = 1979-05-27", "since", "unknown key"),
        ("model = 1979-05-27", "model", "expected a string, got a date"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_place(text: str, place: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, WHERE)
    assert str(caught.value) == f"my.toml: {place}: {said}"


def test_all_mistakes_are_told_at_once() -> None:
    text = f"""
modle = "x"
max_tokens = 0
[tui]
theme = 3
bel = true
[permissions]
mode = "ask"
allow = ["bash(ls", "bash(ls *)", "bash(rm"]
[models.x]
window = 0
[compression]
{LEVEL.format("'much'", 2)}"""
    with pytest.raises(ConfigError) as caught:
        parse(text, WHERE)
    places = [line.split(": ")[:2] for line in str(caught.value).split("\n")]
    assert {file for file, _ in places} == {"my.toml"}
    assert sorted(place for _, place in places) == [
        "compression.pressure_levels[0].threshold",
        "max_tokens",
        "models.x.window",
        "modle",
        "permissions.allow[0]",
        "tui.bel",
        "tui.theme",
    ]


def test_broken_toml_is_named_with_its_line() -> None:
    with pytest.raises(ConfigError, match=r"^my\.toml: this is not TOML: .* \(at line 2, col"):
        parse("max_cost = 1\nmodel = x", WHERE)


def test_a_number_that_is_too_long_and_a_user_that_there_is_not_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OCTOCHAT_CONFIG", raising=False)
    own = tmp_path / "own.toml"
    own.write_text(f"max_tokens = {'1' * 5_000}")
    with pytest.raises(ConfigError, match=r"own\.toml: there is a number in it that is too long"):
        load(tmp_path, own=own)
    own.write_text('permissions.trusted_folders = ["~nobodyatall/x"]')
    with pytest.raises(ConfigError, match=r"trusted_folders: there is no user as in ~nobodyatall"):
        load(tmp_path, own=own)
    monkeypatch.setenv("OCTOCHAT_CONFIG", "~nobodyatall/x")
    with pytest.raises(ConfigError, match="OCTOCHAT_CONFIG: there is no user"):
        load(tmp_path, own=own)
