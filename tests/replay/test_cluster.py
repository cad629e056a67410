"""The lab on a Dask cluster: the same bytes, and a lost worker costs a retry."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from octochat.replay import command
from octochat.replay.recording import RawRecording

distributed: Any = pytest.importorskip("distributed", reason="octochat[cluster] is not installed")
lab: Any = pytest.importorskip("octochat.replay.cluster")

pytestmark = [
    # What the library's own threads and sockets leave behind when a cluster ends.
    pytest.mark.filterwarnings("default::ResourceWarning"),
    pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("default::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n in range(6):
        lines = [{"role": "user", "content": f"Look after src/{n}/main.py"}]
        for m in range(9):
            said = f"walrus{m} in src/{n}/main.py"
            lines.append({"role": "assistant", "content": said})
            lines.append({"role": "user", "content": f"walrus{m} " * 2_000})
        (tmp_path / f"talk{n}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "bad.jsonl").write_text("nonsense")
    return tmp_path


@pytest.mark.parametrize("shape", ["table", "json", "html"])
def test_a_cluster_gives_the_same_bytes(
    address: str, folder: Path, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(folder), "--strategies", "fifo{max_tokens=9000}", "--format", shape]
    assert command.main([*arguments, "--jobs", "1"]) == 0
    here = capsys.readouterr().out
    assert command.main([*arguments, "--scheduler", address]) == 0
    assert capsys.readouterr().out == here
    assert "bad.jsonl: no readable line in it" in here


def dies_once(mark: Path) -> Callable[[RawRecording], str]:
    """Work whose first worker is lost under way."""

    def work(raw: RawRecording) -> str:
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return raw.name
        os._exit(1)

    return work


def test_a_lost_worker_costs_a_retry(address: str, folder: Path, tmp_path: Path) -> None:
    paths = sorted(folder.glob("talk*.jsonl"))
    mark = tmp_path / "lost"
    with closing(lab.Cluster(address)) as cluster:
        done = dict(cluster.each(dies_once(mark), paths))
    assert mark.exists()
    assert done == {place: path.stem for place, path in enumerate(paths)}


def test_a_scheduler_that_is_not_there_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("octochat.replay.cluster.PATIENCE", 0.5)
    assert command.main([str(folder), "--scheduler", "tcp://127.0.0.1:9"]) == 2
    error = capsys.readouterr().err
    assert "no scheduler answers at tcp://127.0.0.1:9" in error
    assert error.count("\n") == 1
