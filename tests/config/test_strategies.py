"""Strategies of other people: named in a configuration, installed, broken, and not trusted."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from octochat.config.load import ConfigError, Loaded, known_here, load, project_file
from octochat.config.strategies import GROUP
from octochat.context.strategies import STRATEGIES

CODE = '''
from dataclasses import dataclass
from typing import ClassVar

from octochat.strategy import Decision, Hold, Positive, Situation


@dataclass(frozen=True)
class Lazy:
    """It holds."""

    name: ClassVar[str] = "lazy"
    keep: Positive = 2

    def decide(self, situation: Situation) -> Decision:
        return Hold("later")
'''


@pytest.fixture(autouse=True)
def _loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test loads is forgotten after it."""
    monkeypatch.delenv("OCTOCHAT_CONFIG", raising=False)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if "octochat_strategy_" in name:
            del sys.modules[name]


def beside(path: Path, config: str, code: str = CODE) -> Path:
    """A configuration file, and `mine.py` beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config)
    (path.parent / "mine.py").write_text(code)
    return path


def loaded(tmp_path: Path, config: str, code: str = CODE) -> Loaded:
    return load(tmp_path, flag=beside(tmp_path / "c.toml", config, code))


def test_a_strategy_beside_the_configuration_is_in_force_with_its_settings(tmp_path: Path) -> None:
    text = "context.strategies = ['mine:Lazy', 'fifo']\ncontext.lazy.keep = 7"
    found = loaded(tmp_path, text)
    assert [strategy.name for strategy in found.config.pipeline] == ["lazy", "fifo"]
    assert getattr(found.config.strategy["lazy"], "keep", None) == 7
    assert found.notices == ()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("context.lazy.kep = 1", r'context\.lazy\.kep: unknown key \(did you mean "keep"\?\)'),
        ("context.lazy.keep = 0", r"context\.lazy\.keep: expected 1 or more"),
        ("context.lasy.keep = 1", r'context\.lasy: unknown key \(did you mean "lazy"\?\)'),
    ],
)
def test_its_settings_are_checked_like_any_other(
    tmp_path: Path, setting: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        loaded(tmp_path, f"context.strategies = ['mine:Lazy']\n{setting}")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("Lezy = 1", 'there is no "Lazy" in'),
        ("Lazy = 1", "it is not a class"),
        (CODE.replace('"lazy"', '"La zy"'), "it needs a `name: ClassVar[str]`"),
        (CODE.replace('"lazy"', '"strategies"'), "can't hold its settings"),
        (CODE.replace("def decide", "def decied"), "it has no method `decide`"),
        (CODE.replace("(frozen=True)", ""), "it is not a frozen dataclass"),
        (CODE.replace("Positive = 2", "Positive"), "its settings: "),
        (CODE.replace("keep: Positive", "keep: set[int]"), "its settings: "),
        (CODE.replace('"lazy"', '"fifo"'), 'there is another strategy "fifo"'),
    ],
)
def test_a_broken_one_is_one_line_and_the_rest_goes_on(tmp_path: Path, code: str, why: str) -> None:
    text = "context.strategies = ['mine:Lazy', 'fifo']\ncontext.lazily.keep = 1"
    found = loaded(tmp_path, text, code)
    (notice,) = found.notices
    assert notice.startswith('the strategy "mine:Lazy" is left out: ')
    assert why in notice
    assert "\n" not in notice
    assert [strategy.name for strategy in found.config.pipeline] == ["fifo"]


def test_a_projects_code_is_loaded_only_where_its_folder_is_trusted(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    own = tmp_path / "own.toml"
    project = beside(
        project_file(tmp_path),
        "context.strategies = ['mine:Lazy', 'fifo']\ncontext.lazy.keep = 3",
        f"import os\nos.mkdir({str(ran)!r})\n{CODE}",
    )
    (notice,) = load(tmp_path, own=own).notices
    assert notice.startswith(f'{project}: "mine:Lazy" is not loaded; to trust this folder')
    assert not ran.exists()
    own.write_text(f"permissions.trusted_folders = ['{tmp_path}']")
    trusted = load(tmp_path, own=own)
    assert ran.exists()
    assert [strategy.name for strategy in trusted.config.pipeline] == ["lazy", "fifo"]


def test_those_of_installed_packages_have_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "somebodys.py").write_text(CODE)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    package = tmp_path / "somebodys-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        f"[{GROUP}]\nlazy = somebodys:Lazy\nold = not_there_any_more:Old\n"
    )
    own = tmp_path / "own.toml"
    own.write_text("context.strategies = ['lazy']\ncontext.lazy.keep = 4")
    found = load(tmp_path, own=own)
    assert getattr(found.config.pipeline[0], "keep", None) == 4
    (notice,) = found.notices
    assert notice.startswith('the strategy "not_there_any_more:Old" is left out: ')
    assert set(found.known.types) == {*STRATEGIES, "lazy"}


def test_with_a_wrong_configuration_the_others_are_still_known(tmp_path: Path) -> None:
    beside(project_file(tmp_path), "modl = 1\nmax_tokens = 0")
    known = known_here(tmp_path)
    assert known.types == STRATEGIES
    assert ["modl: " in known.notices[0], "max_tokens: " in known.notices[1]] == [True, True]
