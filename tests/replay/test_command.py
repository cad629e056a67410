"""`octochat replay` from its arguments to its output."""

import json
import re
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from octochat.config.strategies import KnownStrategies
from octochat.models.catalogue import info
from octochat.replay import command
from octochat.replay.bill import Setting
from octochat.replay.contenders import ContenderError, named
from octochat.replay.lab import Experiment
from octochat.replay.outcome import Outcome
from octochat.replay.pool import outcomes
from octochat.replay.recording import ReadError

Line = dict[str, object]


def conversation(rounds: int, path: str) -> Iterator[Line]:
    yield {"model": "m", "human_message_indexes": [0]}
    yield {"role": "user", "content": f"Look after {path}"}
    for n in range(rounds):
        use = {"type": "tool_use", "id": f"t{n}", "name": "read", "input": {"n": n}}
        yield {"role": "assistant", "content": [use]}
        result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": "long " * 4_000}
        yield {"role": "user", "content": [result]}
    yield {"role": "assistant", "content": f"{path} is done"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rounds in (("brief", 2), ("long", 24)):
        lines = map(json.dumps, conversation(rounds, f"src/{name}/main.py"))
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return tmp_path


def replay(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = command.main([*arguments, "--jobs", "1"])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_table_has_every_contender_and_the_baselines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = replay(capsys, str(folder), "--strategies", "pressure,fifo")
    assert status == 0
    rows = [line.split()[0] for line in out.splitlines() if re.match(r"\w+ +\d", line)]
    assert rows == ["none", "random", "oracle", "pressure", "fifo"] * 2
    assert out.startswith("All recordings: 2 with 28 calls")
    assert "Recordings over 60,000 tokens: 1 with 25 calls" in out


@pytest.mark.parametrize("shape", ["table", "json", "html"])
def test_the_same_input_gives_the_same_output_with_any_number_of_processes(
    folder: Path, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(folder), "--strategies", "pressure", "--format", shape]
    _, one, _ = replay(capsys, *arguments)
    assert command.main([*arguments, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == one


def test_json_says_what_every_strategy_cost_kept_and_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = replay(
        capsys, str(folder / "long.jsonl"), "--strategies", "pressure", "--format", "json"
    )
    tree = json.loads(out)
    none, *_, pressure = tree["sections"][0]["rows"]
    assert none["cost_ratio"] == 1.0
    assert none["recall"]["far"]["in_context"] in (None, 1.0)
    assert pressure["violations"] == 0
    assert pressure["mean_context"] < none["mean_context"]
    assert tree["recordings"][0]["results"][-1]["edits"]
    assert "decide_seconds" not in pressure


def test_the_page_needs_nothing_from_outside(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "lab.html"
    status, _, _ = replay(capsys, str(folder), "--format", "html", "--out", str(out))
    text = out.read_text()
    assert status == 0
    assert text.count("<svg") == 3
    assert not re.search(r"<script|src=|href=|@import|url\(|https?:", text)
    assert "prefers-color-scheme: dark" in text


def test_a_name_from_a_recording_can_not_break_the_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "brief.jsonl").rename(folder / "<b>&.jsonl")
    _, out, _ = replay(
        capsys, str(folder / "<b>&.jsonl"), "--strategies", "fifo", "--format", "html"
    )
    assert "&lt;b&gt;&amp;" in out
    assert "<b>" not in out


def test_a_broken_file_is_named_and_the_rest_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.jsonl").write_text("nonsense")
    status, out, _ = replay(capsys, str(folder), "--strategies", "fifo")
    assert status == 0
    assert f"{folder / 'bad.jsonl'}: no readable line in it" in out
    assert "All recordings: 2 with" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name files or folders"),
        (("nowhere",), "nowhere: no such file"),
        (
            ("{folder}", "--strategies", "presure"),
            'there is no strategy "presure"; did you mean "pressure"?',
        ),
        (("{folder}", "--strategies", "fifo{low_wather=1}"), "low_water"),
        (("{folder}", "--strategies", "fifo{low_water=}"), "fifo{low_water=}"),
        (("--session", "none-such"), "none-such"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    folder: Path,
    arguments: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(folder))
    status, _, err = replay(
        capsys, *(a.format(folder=folder) if a == "{folder}" else a for a in arguments)
    )
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_a_configuration_takes_part_under_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder / "mine.toml"
    config.write_text('[context]\nstrategies = ["fifo"]\n[context.fifo]\nmax_tokens = 20000\n')
    _, out, _ = replay(capsys, str(folder / "long.jsonl"), "--config", str(config))
    assert re.search(r"^mine +\d", out, re.MULTILINE)
    config.write_text("[context]\nstrategies = 7\n")
    assert replay(capsys, str(folder), "--config", str(config))[0] == 2


def test_an_interrupt_prints_what_is_done(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(
        experiment: Experiment, paths: list[Path], jobs: int
    ) -> Generator[tuple[int, Outcome | ReadError], None, None]:
        yield from list(outcomes(experiment, paths, jobs))[:1]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "outcomes", interrupted)
    status, out, err = replay(capsys, str(folder), "--strategies", "fifo")
    assert status == command.INTERRUPTED
    assert "1 of 2 recordings are done" in err
    assert out.startswith("All recordings: 1 with")


def test_contenders_are_names_pipelines_and_settings() -> None:
    setting = Setting(info("claude-sonnet-5-5"))
    text = "fifo, fifo+pressure, fifo{max_tokens=9, low_water=0.5}"
    found = list(named(text, setting, KnownStrategies()))
    assert [c.name for c in found] == ["fifo", "fifo+pressure", "fifo{max_tokens=9, low_water=0.5}"]
    assert [strategy.name for strategy in found[1].pipeline] == ["fifo", "pressure"]
    assert found[2].pipeline[0] != found[0].pipeline[0]
    with pytest.raises(ContenderError):
        list(named("fifo,", setting, KnownStrategies()))


def test_the_order_in_which_recordings_are_done_does_not_matter(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def backwards(
        experiment: Experiment, paths: list[Path], jobs: int
    ) -> Generator[tuple[int, Outcome | ReadError], None, None]:
        with closing(outcomes(experiment, paths, jobs)) as stream:
            yield from reversed(list(stream))

    arguments = [str(folder), "--strategies", "fifo", "--format", "json"]
    _, forwards, _ = replay(capsys, *arguments)
    monkeypatch.setattr(command, "outcomes", backwards)
    assert replay(capsys, *arguments)[1] == forwards
