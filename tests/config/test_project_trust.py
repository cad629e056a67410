"""A project may only tighten, until the person has seen what its file says and trusts it."""

import os
from pathlib import Path

import pytest

from octochat.config.load import ANSWERS, ConfigError, load, project_file
from octochat.config.project_trust import Answers
from tests.config.test_load import written


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OCTOCHAT_CONFIG", raising=False)


LOOSE = {
    "model": 'model = "claude-opus-5"',
    "models": "[models.x]\ninput = 0.0",
    "max_tokens": "max_tokens = 60_000",
    "thinking_budget": "thinking_budget = 100_000",
    "effort": 'effort = "max"',
    "cache_ttl": 'cache_ttl = "1h"',
    "profile": 'profile = "careful"',
    "recall.tokens": "recall.tokens = 1_000_000",
    "retry.attempts": "retry.attempts = 100",
    "tools.output_chars": "tools.output_chars = 100_000_000",
    "max_cost": "max_cost = 100.0",
    "max_turns": "max_turns = 500",
    "cache": 'cache.keep_warm = "auto"',
    "compression.decision": "compression.decision.ignore_cost = true",
    "recall.sessions": 'recall.sessions = "always"',
    "sandbox": 'sandbox.mode = "auto"',
    "privacy": "privacy.mask_secrets = false",
    "tools.pass_environment": 'tools.pass_environment = ["*"]',
    "permissions.allow": 'permissions.allow = ["bash"]',
    "permissions.mode": 'permissions.mode = "accept-edits"',
}
OWN = 'max_cost = 1.0\nmax_turns = 5\nmodel = "mine"\n'


@pytest.mark.parametrize("key", LOOSE)
def test_what_loosens_is_left_out_until_this_content_is_trusted(key: str, tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", OWN)
    project = written(project_file(tmp_path), LOOSE[key])
    first = load(tmp_path, own=own)
    assert first.left_out == (key,)
    assert first.config == load(tmp_path / "elsewhere", own=own).config
    assert first.notices == (
        f"{project}: not taken, for nobody has trusted it: {key}. /trust shows and takes it.",
    )
    answers = Answers(own.with_name(ANSWERS))
    answers.remember(project, first.digest, trusted=True)
    trusted = load(tmp_path, own=own)
    assert (trusted.left_out, trusted.notices) == ((), ())
    assert trusted.config != first.config
    written(project, f"{LOOSE[key]}\n# changed")
    assert load(tmp_path, own=own).left_out == (key,)


def test_a_no_is_remembered_and_quiet(tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", OWN)
    project = written(project_file(tmp_path), "max_cost = 100.0")
    first = load(tmp_path, own=own)
    Answers(own.with_name(ANSWERS)).remember(project, first.digest, trusted=False)
    refused = load(tmp_path, own=own)
    assert (refused.config.max_cost, refused.notices) == (1.0, ())
    assert refused.left_out == ("max_cost",)


def test_what_tightens_is_taken(tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", OWN)
    said = "max_cost = 0.5\nmax_turns = 3\npermissions = {mode = 'plan', deny = ['bash']}\n"
    said += "effort = 'low'\nprofile = 'thrifty'\nthinking = 'off'\nmax_tokens = 9_000\n"
    written(project_file(tmp_path), said)
    loaded = load(tmp_path, own=own)
    assert (loaded.left_out, loaded.notices) == ((), ())
    config = loaded.config
    assert (config.max_cost, config.max_turns, config.permissions.mode) == (0.5, 3, "plan")
    assert (config.effort, config.profile, config.max_tokens) == ("low", "thrifty", 9_000)


def test_no_limit_is_no_tighter_limit_and_ask_no_tighter_mode_than_plan(tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", f"{OWN}permissions.mode = 'plan'")
    written(project_file(tmp_path), "max_cost = 0.0\npermissions.mode = 'ask'")
    config = load(tmp_path, own=own).config
    assert (config.max_cost, config.permissions.mode) == (1.0, "plan")


def test_trust_in_a_content_does_not_load_code(tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", "")
    project = written(project_file(tmp_path), 'context.strategies = ["mine:Lazy"]')
    written(project.parent / "mine.py", "raise SystemExit('it ran')")
    Answers(own.with_name(ANSWERS)).remember(project, load(tmp_path, own=own).digest, trusted=True)
    (notice,) = load(tmp_path, own=own).notices
    assert "is not loaded" in notice


def test_a_projects_file_is_read_only_if_it_is_regular_and_of_a_sane_size(tmp_path: Path) -> None:
    own = written(tmp_path / "own/config.toml", "")
    project = written(project_file(tmp_path), "# " + "x" * 300_000)
    with pytest.raises(ConfigError, match="larger than 256 KiB"):
        load(tmp_path, own=own)
    project.write_text("a = " + "[" * 50_000)
    with pytest.raises(ConfigError, match=r"nested too deeply|not TOML"):
        load(tmp_path, own=own)
    project.unlink()
    os.mkfifo(project)
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path, own=own)
    project.unlink()
    project.symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path, own=own)


def test_a_damaged_file_of_answers_answers_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "answers", '{"file": 1}\n[[[\n"x"\n')
    assert Answers(path).of(tmp_path, "x") is None
    Answers(path).remember(tmp_path, "x", trusted=True)
    assert Answers(path).of(tmp_path, "x") is True
