"""`kill -9` at random moments of a session loses no entry that was shown.

A hundred of them, or `OCTOCHAT_KILLS=500 pytest tests/e2e/test_kill.py`.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from octochat.context.codec.trees import from_tree
from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Entry, Prompted, Replied
from octochat.context.session.state import replay
from octochat.context.session.validity import problems
from octochat.storage.log import Log
from tests.e2e.answers import Director
from tests.e2e.home import EAGER, Home, home
from tests.server.threaded import served

KILLS = 25
"""In one session."""
SESSIONS = max(int(os.environ.get("OCTOCHAT_KILLS", "100")) // (2 * KILLS), 1)
"""With each of the two models."""
MOST_RUNS = 4 * KILLS
SPARED = 4
"""One run of so many is not killed."""


class Octochat:
    """octochat, one process after the other, on one session."""

    def __init__(self, at: Home, process: "subprocess.Popen[str]", model: str) -> None:
        self.home = at
        self.model = model
        self._process = process
        self._out = at.root / "stdout"

    def says(self, prompt: str, *, kill: float | None) -> dict[str, Any]:
        """Run it; how it ended."""
        session = [path.stem for path in self.home.sessions]
        argv = ["-p", prompt, "--output-format", "stream-json", "--allow-all"]
        argv += ["-r", session[0]] if session else ["--model", self.model]
        wish = {"argv": argv, "stdout": str(self._out), "kill": kill}
        assert self._process.stdin
        assert self._process.stderr
        self._process.stdin.write(json.dumps(wish) + "\n")
        self._process.stdin.flush()
        other: list[str] = []
        for line in iter(self._process.stderr.readline, ""):
            if line.startswith("{"):
                return json.loads(line)
            other.append(line)
        raise AssertionError(f"what forks has ended, exit {self._process.wait()}: {''.join(other)}")

    @property
    def shown(self) -> list[Entry]:
        """The entries that stood on stdout when it ended."""
        lines = self._out.read_bytes().split(b"\n")[:-1] if self._out.exists() else []
        told = [json.loads(line) for line in lines]
        for line in told:
            kind = line.pop("kind")
            line["is_entry"] = kind == "entry"
        return [from_tree(Entry, line) for line in told if line.pop("is_entry")]

    @property
    def kept(self) -> list[Entry]:
        """What the session file gives."""
        if not self.home.sessions:
            return []
        log = Log(self.home.sessions[0], weigh=lambda _: 1, clock=lambda: 0.0)
        log.close()
        return list(log.entries)


@contextmanager
def forks(at: Home) -> Generator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.forks"],
        env=at.environment,
        cwd=at.project,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process


def prompts(rng: random.Random) -> str:
    if rng.random() < 0.2:
        return rng.choice(
            ("/done", "/compact", "/undo", "/restore", "/retry", "/skill use debugging")
        )
    return "please look again. " * rng.randint(1, 60)


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-sonnet-4-6"])
@pytest.mark.timeout(900)  # a busy machine is slow at it
@pytest.mark.parametrize("number", range(SESSIONS))
def test_kill_9_loses_nothing_that_was_shown(model: str, number: int, tmp_path: Path) -> None:
    rng = random.Random(f"{model} {number}")
    with served() as server:
        server.default = Director(rng)
        at = home(tmp_path, server.env, EAGER)
        with forks(at) as process:
            octochat = Octochat(at, process, model)
            killed = runs = shown = 0
            kept: list[Entry] = []
            whole = 0.0
            while killed < KILLS:
                assert runs < MOST_RUNS
                spared = runs % SPARED == 0  # it tells how long one takes on this machine, now
                kill = None if spared else rng.uniform(0, 1.4 * whole)
                runs += 1
                end = octochat.says(prompts(rng), kill=kill)
                killed += end["code"] == -9
                whole = end["seconds"] if spared else whole
                kept = octochat.kept
                assert set(map(repr, octochat.shown)) <= set(map(repr, kept))
                shown += len(octochat.shown)
                view = replay([*kept, Entry(len(kept) + 1, 0.0, 1, Prompted((Text("?"),)))]).view
                assert problems(view.messages(model, binds=True)) == ()
            assert octochat.says("and now?", kill=None)["code"] in (0, 1)
        assert server.refusals == []
    kinds = [type(entry.event) for entry in kept]
    assert kinds.count(Replied) > KILLS / 4
    assert Condensed in kinds
    assert shown > KILLS
