"""`octochat replay` from its arguments to its output."""

import json
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar, cast
from weakref import finalize

import pytest

from octochat.config.strategies import KnownStrategies
from octochat.models.catalogue import info
from octochat.replay import command
from octochat.replay.contenders import ContenderError, named
from octochat.replay.outcome import Outcome
from octochat.replay.play_setting import PlaySetting
from octochat.replay.pool import OneProcess
from octochat.replay.recording import RawRecording, ReadError
from octochat.text.exit_codes import INTERRUPTED

T = TypeVar("T")
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
    rows = [line.split()[0] for line in out.splitlines() if re.match(r"\w+ +\$?\d", line)]
    assert rows == ["none", "random", "oracle", "pressure", "fifo"] * 4
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
    assert re.search(r"^mine +\$\d", out, re.MULTILINE)
    config.write_text("[context]\nstrategies = 7\n")
    assert replay(capsys, str(folder), "--config", str(config))[0] == 2


class InterruptedInTheMiddle(OneProcess):
    """Somebody presses Ctrl-C after the first recording of the second pass."""

    passes = 0

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        self.passes += 1
        for found in super().each(work, paths):
            yield found
            if self.passes == 2:
                raise KeyboardInterrupt


def test_an_interrupt_prints_what_is_done(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "OneProcess", InterruptedInTheMiddle)
    status, out, err = replay(capsys, str(folder), "--strategies", "fifo")
    assert status == INTERRUPTED
    assert "1 of 2 recordings are done" in err
    assert out.startswith("All recordings: 1 with")


def test_a_broken_contender_is_one_line_and_the_rest_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who = "fifo,nowhere:X,presure"
    status, out, err = replay(capsys, str(folder), "--strategies", who, "--format", "json")
    assert status == 0
    assert '"fifo"' in out
    assert err.count("octochat replay: ") == 2
    assert err.count("\n") == 2
    assert '"nowhere:X"' in err
    assert 'did you mean "pressure"?' in err


def test_contenders_are_names_pipelines_and_settings() -> None:
    setting = PlaySetting(info("claude-sonnet-5-5"))
    text = "fifo, fifo+pressure, fifo{max_tokens=9, low_water=0.5}"
    known = KnownStrategies()
    found, _ = named(text, setting, known)
    assert [c.name for c in found] == ["fifo", "fifo+pressure", "fifo{max_tokens=9, low_water=0.5}"]
    assert [strategy.name for strategy in found[1].pipeline] == ["fifo", "pressure"]
    assert found[2].pipeline[0] != found[0].pipeline[0]
    good, wrong = named("fifo,", setting, known)
    assert [c.name for c in good] == ["fifo"]
    assert [type(error) for error in wrong] == [ContenderError]


class Backwards(OneProcess):
    """The last recording is done first."""

    def each(
        self, work: Callable[[RawRecording], T], paths: Sequence[Path]
    ) -> Generator[tuple[int, T | ReadError], None, None]:
        yield from reversed(list(super().each(work, paths)))


@pytest.mark.parametrize("shape", ["table", "json", "html"])
def test_the_order_in_which_recordings_are_done_does_not_matter(
    folder: Path, shape: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [str(folder), "--strategies", "fifo", "--format", shape]
    _, forwards, _ = replay(capsys, *arguments)
    monkeypatch.setattr(command, "OneProcess", Backwards)
    assert replay(capsys, *arguments)[1] == forwards


def test_none_may_be_named_and_takes_part_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for asked, rows in (("none,fifo", ["none", "random", "oracle", "fifo"]), ("none", ["none"])):
        _, out, _ = replay(
            capsys, str(folder / "long.jsonl"), "--strategies", asked, "--format", "json"
        )
        names = [row["name"] for row in json.loads(out)["sections"][0]["rows"]]
        assert names[: len(rows)] == rows
        assert names.count("none") == 1


def test_the_legend_says_what_nobody_names(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for shape in ("table", "html"):
        _, out, _ = replay(capsys, str(folder), "--strategies", "fifo", "--format", shape)
        for said in (
            "drops at random",
            "looks ahead",
            "seed 1",
            "most that a model can make use of",
        ):
            assert said in out


def test_a_recording_is_priced_as_the_model_it_was_made_with_unless_another_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(conversation(24, "src/main.py"))
    lines[0]["model"] = "claude-opus-5-20260101"
    (folder / "brief.jsonl").write_text("\n".join(map(json.dumps, lines)))
    arguments = (str(folder), "--strategies", "none", "--format", "json")
    own = json.loads(replay(capsys, *arguments)[1])
    named = json.loads(replay(capsys, *arguments, "--model", "claude-haiku-4-5")[1])
    assert own["sections"][0]["models"] == {"claude-opus-5-20260101": 1, "claude-sonnet-5-5": 1}
    assert named["sections"][0]["models"] == {"claude-haiku-4-5": 2}
    costs = [
        {each["name"]: each["results"][0]["cost"] for each in tree["recordings"]}
        for tree in (own, named)
    ]
    assert costs[0]["brief"] > 2 * costs[0]["long"]
    assert costs[1]["brief"] < 2 * costs[1]["long"]


def test_what_stands_beside_a_recording_is_measured(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"question": "Which file?", "answer": "main", "evidence_message_indexes": [0]}
    (folder / "long.qa.json").write_text(json.dumps({"qa": [asked]}))
    summary = {"before_message_index": 47, "summary": "Look after src/long/main.py. " * 9}
    (folder / "long.compactions.json").write_text(json.dumps([summary]))
    (folder / "brief.qa.json").write_text("{")
    _, out, _ = replay(
        capsys, str(folder), "--strategies", "sliding_window{turns=1}", "--format", "json"
    )
    tree = json.loads(out)
    section = tree["sections"][0]
    none, *_, window = section["rows"]
    assert section["questions"] == 1
    assert none["questions"]["evidence"]["in_context"] == 1.0
    assert window["questions"]["evidence"]["in_context"] == 0.0
    assert section["beside_summaries"]["their_names"]["in_context"] == 1.0
    assert any("brief: its questions are left out" in fault for fault in tree["left_out"])


def test_a_part_of_the_recordings_is_put_aside_for_reporting(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "xyz":
        (folder / f"{name}.jsonl").write_bytes((folder / "brief.jsonl").read_bytes())
    names: dict[str, list[str]] = {}
    for part in ("tuning", "reporting"):
        arguments = (str(folder), "--strategies", "none", "--format", "json", "--part", part)
        tree = json.loads(replay(capsys, *arguments)[1])
        names[part] = [each["name"] for each in tree["recordings"]]
    assert names == {"tuning": ["brief", "long", "x", "z"], "reporting": ["y"]}


class Watched(Outcome):
    """An outcome that can be watched while it lives."""

    __slots__ = ("__weakref__",)


@dataclass(slots=True)
class Alive:
    now: int = 0
    most: int = 0

    def watched(self, found: T) -> T:
        if not isinstance(found, Outcome):
            return found
        made = Watched(**{f.name: getattr(found, f.name) for f in fields(Outcome)})
        finalize(made, self.gone)
        self.now += 1
        self.most = max(self.most, self.now)
        return cast("T", made)

    def gone(self) -> None:
        self.now -= 1


@pytest.mark.parametrize("shape", ["table", "json", "html"])
def test_outcomes_are_let_go_as_they_come(
    folder: Path, shape: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = {"role": "assistant", "content": "hello"}
    lines = "\n".join(map(json.dumps, [{"role": "user", "content": "hi"}, answer]))
    for n in range(40):
        (folder / f"tiny{n}.jsonl").write_text(lines)
    alive = Alive()

    class Watching(OneProcess):
        def each(
            self, work: Callable[[RawRecording], T], paths: Sequence[Path]
        ) -> Generator[tuple[int, T | ReadError], None, None]:
            for place, found in super().each(work, paths):
                yield place, alive.watched(found)

    monkeypatch.setattr(command, "OneProcess", Watching)
    _, out, _ = replay(capsys, str(folder), "--strategies", "none", "--format", shape)
    assert "tiny39" in out or shape == "table"
    assert 1 <= alive.most <= 3
