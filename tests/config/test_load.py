"""The configuration: defaults, the files that count, and what is said of mistakes."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
import tomli

from octochat.config.compression import CompressionSettings, DecisionModel
from octochat.config.example import example
from octochat.config.load import Config, ConfigError, load, parse, project_file, user_file
from octochat.context.codec.bounds import seconds
from octochat.context.plans.strategy import Level
from octochat.context.strategies import STRATEGIES
from octochat.context.strategies.fifo import Fifo
from octochat.context.strategies.pressure import Pressure
from octochat.models.catalogue import ModelSettings, info
from octochat.sandbox.settings import SandboxSettings
from tests.root import ROOT

WHERE = Path("my.toml")
EXAMPLE = ROOT / "config.example.toml"


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OCTOCHAT_CONFIG", raising=False)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def keys(value: Any, without: str = "strategy") -> Iterator[tuple[str, ...]]:
    """The path of every key under a dataclass."""
    for part in fields(value):
        inner = getattr(value, part.name)
        if part.name == without:
            continue
        if is_dataclass(inner):
            yield from ((part.name, *rest) for rest in keys(inner))
        else:
            yield (part.name,)


def at(tree: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def test_the_example_says_exactly_the_defaults() -> None:
    assert parse(EXAMPLE.read_text(encoding="utf-8"), EXAMPLE) == parse("", WHERE)


def test_every_key_of_the_schema_stands_in_the_example() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    tree = tomli.loads(text)
    config = parse("", WHERE)
    for path in keys(config):
        if path not in (("models",), ("hooks",), ("mcp_servers",)):
            assert at(tree, path) is not None, path
    for name, strategy in config.strategy.items():
        table = tree["compression"] if name == "pressure" else tree["context"][name]
        assert {path[0] for path in keys(strategy)} <= table.keys(), name
    for part in fields(ModelSettings):
        assert f"\n# {part.name} = " in text


def test_the_commented_model_of_the_example_is_sound() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    lines = text[text.index("[models.") :].splitlines()
    table = "\n".join(line.removeprefix("# ") for line in lines if "=" in line)
    config = parse(f'[models."x"]\n{table}', WHERE)
    assert info("x", config.models["x"]).prices == info("claude-sonnet-4-6").prices


def test_every_key_of_the_example_is_explained() -> None:
    lines = example().splitlines()
    for before, line in pairwise(lines):
        if " = " in line and not line.startswith("#"):
            assert before.startswith("#"), line


def test_the_example_is_written_from_the_schema() -> None:
    again = "python -m octochat.config.example > config.example.toml"
    assert EXAMPLE.read_text(encoding="utf-8") == example(), again


def test_the_compression_table_has_the_seeds_defaults() -> None:
    compression = parse("", WHERE).compression
    assert compression == CompressionSettings(
        hints_enabled=True,
        hints_pressure_threshold=0.7,
        hints_min_interval=5,
        knowledge_retention=10,
        done_keep_turns=0,
        note_max_tokens=8_000,  # Octomind has no such limit
        require_benefit=True,
        pressure_levels=(
            Level(60_000, 2.0),
            Level(120_000, 4.0),
            Level(160_000, 8.0),
        ),
        decision=DecisionModel(
            model="auto",  # Octomind's is Haiku 4.5; "auto" finds what is cheaper now
            max_tokens=16_000,
            temperature=0.3,
            top_p=1.0,
            top_k=0,
            max_retries=1,
            retry_timeout=30,
            ignore_cost=False,
        ),
    )


def test_strategies_get_their_tables_and_pressure_gets_compression() -> None:
    text = """
    [context]
    strategies = ["fifo", "pressure"]
    [context.fifo]
    max_tokens = 5_000
    [compression]
    require_benefit = false
    [[compression.pressure_levels]]
    threshold = 9_000
    target_ratio = 3
    [[compression.pressure_levels]]
    threshold = 3_000
    target_ratio = 2
    """
    assert parse(text, WHERE).pipeline == (
        Fifo(max_tokens=5_000),
        Pressure(
            pressure_levels=(Level(3_000, 2.0), Level(9_000, 3.0)),
            require_benefit=False,
        ),
    )


def test_every_strategy_can_be_named() -> None:
    config = parse(f"context.strategies = {list(STRATEGIES)}", WHERE)
    assert [type(strategy) for strategy in config.pipeline] == list(STRATEGIES.values())


@pytest.mark.parametrize("key", ["allow", "ask", "deny"])
def test_a_wrong_rule_is_named_with_its_file_and_key(key: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse(f'permissions.{key} = ["read", "bash("]', WHERE)
    assert str(raised.value).startswith(f"{WHERE}: permissions.{key}[1]: 'bash(' is not a rule")


def test_no_levels_are_allowed() -> None:
    assert parse("compression.pressure_levels = []", WHERE).compression.pressure_levels == ()


def test_models_are_known_by_their_bare_names() -> None:
    config = parse('models."anthropic:claude-x".input = 3', WHERE)
    assert config.models == {"claude-x": ModelSettings(input=3.0)}


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    loaded = load(tmp_path, own=tmp_path / "none.toml")
    assert (loaded.config, loaded.files, loaded.notices) == (parse("", WHERE), (), ())


def test_the_flag_wins_over_the_variable_and_that_over_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = written(tmp_path / "own.toml", "model = 'own'\nmax_tokens = 7")
    assert load(tmp_path, own=own).config.model == "own"
    project = written(project_file(tmp_path), "effort = 'low'")
    both = load(tmp_path, own=own)
    assert (both.config.effort, both.config.model, both.config.max_tokens) == ("low", "own", 7)
    assert both.files == (project, own)
    variable = written(tmp_path / "variable.toml", "model = 'variable'")
    monkeypatch.setenv("OCTOCHAT_CONFIG", str(variable))
    alone = load(tmp_path, own=own)
    assert (alone.config.model, alone.config.max_tokens) == ("variable", 20_000)
    flag = written(tmp_path / "flag.toml", "model = 'flag'")
    assert load(tmp_path, flag=flag, own=own).config.model == "flag"


def test_the_projects_tables_are_laid_over_the_users_key_by_key(tmp_path: Path) -> None:
    own = written(
        tmp_path / "own.toml",
        "context.strategies = ['fifo']\ncontext.fifo = {max_tokens = 5, min_history_messages = 2}\n"
        "permissions = {ask = ['a'], deny = ['b'], allow = ['c']}",
    )
    written(
        project_file(tmp_path),
        "context.strategies = ['pressure', 'fifo']\ncontext.fifo.max_tokens = 6\n"
        "permissions = {ask = ['d'], deny = ['e']}",
    )
    config = load(tmp_path, own=own).config
    assert config.pipeline[1] == Fifo(max_tokens=6, min_history_messages=2)
    said = config.permissions
    assert (said.ask, said.deny, said.allow) == (("a", "d"), ("b", "e"), ("c",))


def test_a_project_allows_itself_nothing_unless_the_user_trusts_it(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    project = written(
        project_file(tmp_path),
        f"permissions = {{allow = ['bash(*)'], deny = ['x'], trusted_folders = ['{tmp_path}']}}",
    )
    loaded = load(tmp_path, own=own)
    assert loaded.config.permissions.allow == loaded.config.permissions.trusted_folders == ()
    assert loaded.config.permissions.deny == ("x",)
    (notice,) = loaded.notices
    assert notice.startswith(f"{project}: not taken, for nobody has trusted it: permissions.allow.")
    written(own, f"permissions.trusted_folders = ['{tmp_path}']\npermissions.allow = ['a']")
    trusted = load(tmp_path, own=own)
    assert (trusted.config.permissions.allow, trusted.notices) == (("a", "bash(*)"), ())


def test_a_project_says_nothing_of_the_sandbox_unless_the_user_trusts_it(tmp_path: Path) -> None:
    own = written(tmp_path / "own.toml", "sandbox.mode = 'require'")
    written(project_file(tmp_path), "sandbox = {mode = 'off', network = true}")
    loaded = load(tmp_path, own=own)
    assert loaded.config.sandbox == SandboxSettings("require")
    (notice,) = loaded.notices
    assert "nobody has trusted it: sandbox." in notice
    written(own, f"permissions.trusted_folders = ['{tmp_path}']\nsandbox.mode = 'require'")
    assert load(tmp_path, own=own).config.sandbox == SandboxSettings("off", network=True)


def test_the_file_with_the_mistake_is_the_one_that_is_named(tmp_path: Path) -> None:
    own = written(tmp_path / "own.toml", "modl = 1")
    written(project_file(tmp_path), "model = 'x'")
    with pytest.raises(ConfigError, match=r"own\.toml: modl: unknown key"):
        load(tmp_path, own=own)


def test_a_named_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: No such file or directory"):
        load(tmp_path, flag=tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"model = '\xe9'")
    with pytest.raises(ConfigError, match=r"latin\.toml: this is not UTF-8 text"):
        load(tmp_path, flag=tmp_path / "latin.toml")
    with pytest.raises(ConfigError, match="Is a directory"):
        load(tmp_path, flag=tmp_path)


def test_the_users_file_lies_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_file().name == "config.toml"
    assert load(tmp_path / "work").config == parse("", WHERE)


@pytest.mark.parametrize(
    ("text", "expected"), [("90s", 90), ("5m", 300), ("1h", 3600), ("1.5h", 5400), ("2d", 172_800)]
)
def test_durations_are_read(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "5", "m", "-5m", "5 m", "5min", "5m\n"])
def test_other_texts_are_no_durations(text: str) -> None:
    with pytest.raises(ValueError, match="expected a duration such as"):
        seconds(text)


def test_reading_the_configuration_loads_nothing_heavy() -> None:
    code = "import sys, octochat.config.load; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = cast("Mapping[str, None]", dict.fromkeys(run.stdout.split()))
    for heavy in ("anthropic", "textual", "tiktoken", "asyncio", "rich", "httpx2"):
        assert heavy not in loaded


def test_a_config_can_be_built_in_code() -> None:
    assert Config() == parse("", WHERE)
