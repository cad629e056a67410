"""What a shell has started ends with it, also where the system tells of no processes (macOS)."""

from pathlib import Path

import pytest

from octochat.tools import processes
from tests.tools.test_bash import running
from tests.tools.toolbox import toolbox


async def test_where_there_is_no_proc_what_ignores_the_asking_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_PROCESSES", tmp_path / "none")
    box = toolbox(tmp_path)
    command = "trap '' TERM; sleep 600 & echo $! $$; wait"
    told = await box.failure("bash", command=command, timeout_ms=400)
    assert not any(running(int(pid)) for pid in told.split("\n")[0].split())
    assert await box.prints("echo alive") == "alive"
    await box.close()
