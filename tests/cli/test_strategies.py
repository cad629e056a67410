"""`octochat strategies`, and the own strategy of docs/strategies.md."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pytest
import tomli

from octochat.cli.strategies import main, paragraphs, settings, strategy_text
from octochat.config.load import ConfigError, config_of, parse
from octochat.context.plans.strategy import Strategy, section
from octochat.context.session.edits import Hold
from octochat.context.strategies import STRATEGIES
from tests.context.strategies.stage import after, called, left, replied, said, situation
from tests.root import ROOT

PAGE = (ROOT / "docs/strategies.md").read_text(encoding="utf-8")
ALL = list(STRATEGIES.values())


def test_every_module_of_the_package_has_a_strategy_that_is_found() -> None:
    folder = ROOT / "octochat/context/strategies"
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    assert modules == {cls.__module__.rpartition(".")[2] for cls in ALL}
    assert [cls.name for cls in ALL] == sorted(STRATEGIES)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_each_says_what_it_is_when_to_use_it_and_all_its_settings(
    strategy: type[Strategy],
) -> None:
    what, when = paragraphs(strategy)
    assert what.endswith(".")
    assert when.startswith("Best ")
    text = strategy_text(strategy)
    assert all(len(line) <= 100 or " = " in line for line in text.splitlines())
    keys = [key.partition(".")[0] for key, _ in settings(strategy)]
    assert set(keys) == {part.name for part in fields(cast("Any", strategy))}


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_the_settings_as_printed_are_the_defaults(strategy: type[Strategy]) -> None:
    text = "\n".join([f"[{section(strategy)}]", *(f"{k} = {v}" for k, v in settings(strategy))])
    assert config_of(tomli.loads(text)) == config_of({})


def test_the_command_prints_all_or_those_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line in STRATEGIES] == list(
        STRATEGIES
    )
    assert main(["fifo"]) == 0
    out = capsys.readouterr().out
    assert "    [context.fifo]\n    max_tokens = 0\n    min_history_messages = 4\n" in out
    assert "pressure" not in out


def test_an_unknown_name_ends_with_the_near_miss(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["prority"])
    assert ended.value.code == 2
    assert "there is no strategy prority; did you mean priority?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("context.strategies = ['sumarize']", 'did you mean "summarize"?'),
        ("context.tool_cleanup.safe_zone = 5", 'did you mean "safe_zone_tokens"?'),
        ("context.groop_hybrid.group_size = 5", 'did you mean "group_hybrid"?'),
        ("context.ttl_prune.soft_trim.max_char = 5", 'did you mean "max_chars"?'),
        ("context.priority.low_water = 0", "context.priority.low_water: expected a number above 0"),
    ],
)
def test_a_typo_in_a_strategys_name_or_key_names_the_near_miss(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        parse(text, Path("c.toml"))


def test_a_pipeline_of_several_is_taken_in_its_order() -> None:
    config = parse("context.strategies = ['ttl_prune', 'tool_cleanup', 'pressure']", Path("c"))
    assert [s.name for s in config.pipeline] == ["ttl_prune", "tool_cleanup", "pressure"]


def test_the_pages_own_strategy_works_and_has_no_more_lines_than_promised() -> None:
    code = PAGE.split("<!-- own strategy -->\n```python\n")[1].split("```")[0]
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "docs/strategies.md", "exec"), names)
    cls = names["DropFailures"]
    body = [line for line in code[code.index("@dataclass") :].splitlines() if line.strip()]
    assert len(body) <= 20
    assert isinstance(cls().decide(situation(said(), replied())), Hold)
    failing = [called("no", failed=True)] * 4
    now = situation(said(), *failing, called("yes"), replied(), said())
    assert left(after(cls(), now)) == [0, 3, 4, 5, 6, 7]
    assert left(after(cls(keep=1), now)) == [0, 4, 5, 6, 7]
