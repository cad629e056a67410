"""What models bill for a counted token: learned, bounded, kept between sessions."""

import json
from collections.abc import Callable
from math import isclose
from pathlib import Path

import pytest

from octochat.models.catalogue import ModelSettings, catalogue
from octochat.models.tokens.calibration import HIGHEST, LOWEST, START, Calibration


@pytest.mark.parametrize(("billed", "bound"), [(1, LOWEST), (10**7, HIGHEST)])
def test_the_factor_stays_sane(tmp_path: Path, billed: int, bound: float) -> None:
    calibration = Calibration(tmp_path / "tokens.json")
    calibration.learn("m", 1_000_000, billed)
    calibration.learn("m", 10_000, billed)
    assert calibration.factor("m") == bound


def test_a_model_with_another_tokenizer_starts_higher() -> None:
    assert isclose(Calibration(None).factor("claude-sonnet-5-5"), START * 1.3)
    assert Calibration(None).factor("claude-sonnet-4-6") == START


def test_a_model_starts_with_what_claudes_others_have_billed_by_their_tokenizers() -> None:
    calibration = Calibration(None)
    calibration.learn("claude-sonnet-4-6", 10**6, 1.4 * 10**6)
    calibration.learn("local", 10**6, 3 * 10**6)
    assert isclose(calibration.factor("claude-haiku-4-5"), 1.4, rel_tol=0.01)
    assert isclose(calibration.factor("claude-opus-5"), 1.4 * 1.3, rel_tol=0.01)


def test_the_configuration_may_say_how_a_model_counts() -> None:
    known = catalogue({"mine": ModelSettings(token_factor=2.0)})
    assert Calibration(None, known).factor("mine") == 2 * START


def test_nothing_is_learned_from_nothing(tmp_path: Path) -> None:
    calibration = Calibration(tmp_path / "tokens.json")
    calibration.learn("m", 0, 5)
    calibration.learn("m", 5, 0)
    assert calibration.factor("m") == START


def test_the_factor_is_kept_between_sessions_and_models_do_not_overwrite_each_other(
    tmp_path: Path,
) -> None:
    path = tmp_path / "data" / "tokens.json"
    one, other = Calibration(path), Calibration(path)
    assert one.factor("a") == other.factor("b") == START
    one.learn("a", 10**6, 10**6)
    other.learn("b", 10**6, 2 * 10**6)
    again = Calibration(path)
    assert isclose(again.factor("a"), 1.0, abs_tol=0.01)
    assert isclose(again.factor("b"), 2.0, abs_tol=0.01)
    assert [file.name for file in path.parent.iterdir()] == ["tokens.json"]


def spoil(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


@pytest.mark.parametrize(
    "damage",
    [
        spoil(""),
        spoil("{"),
        spoil("[1]"),
        spoil(json.dumps({"m": {"counted": "x"}})),
        spoil(json.dumps({"m": {"counted": 0}})),
        spoil(json.dumps({"m": {"counted": -1}})),
        Path.mkdir,
    ],
)
def test_a_damaged_file_means_starting_anew(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    damage(tmp_path / "tokens.json")
    calibration = Calibration(tmp_path / "tokens.json")
    assert calibration.factor("m") == START
    calibration.learn("m", 10**6, 2 * 10**6)
    assert isclose(calibration.factor("m"), 2.0, abs_tol=0.01)


def test_without_a_file_it_learns_for_this_session_only() -> None:
    calibration = Calibration(None)
    calibration.learn("m", 10**6, 2 * 10**6)
    assert isclose(calibration.factor("m"), 2.0, abs_tol=0.01)
