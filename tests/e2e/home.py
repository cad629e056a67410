"""A person's home, project and environment on a temporary disk, and octochat started in it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from octochat.permissions.ask import Approver, Headless
from octochat.session.build import open_session
from octochat.session.opening import Options
from octochat.session.session import Session
from tests.root import ROOT

"""Where octochat's source is."""

EAGER = """
[context]
max_session_tokens = 30000
output_reserve = 2000
safety_margin_tokens = 100

[compression]
require_benefit = false
note_max_tokens = 600

[[compression.pressure_levels]]
threshold = 7000
target_ratio = 2.0
[[compression.pressure_levels]]
threshold = 10000
target_ratio = 4.0
[[compression.pressure_levels]]
threshold = 14000
target_ratio = 8.0

[retry]
attempts = 3
first_wait = "0s"
longest_wait = "0s"
"""
"""Compressions come early, retries at once."""


@dataclass(frozen=True, slots=True)
class Home:
    """Folders of one person; nothing outside of them is read or written."""

    root: Path
    server: Mapping[str, str]
    """The environment in which the SDK finds the server; empty: no key, no network."""

    @property
    def project(self) -> Path:
        """The working folder."""
        return self.root / "project"

    @property
    def data(self) -> Path:
        """`OCTOCHAT_DATA_DIR`."""
        return self.root / "data"

    @property
    def temporary(self) -> Path:
        """`TMPDIR`."""
        return self.root / "tmp"

    @property
    def sessions(self) -> list[Path]:
        """The session files, oldest first."""
        return sorted((self.data / "sessions").glob("*.jsonl"))

    @property
    def environment(self) -> dict[str, str]:
        """All that octochat is told of its surroundings."""
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.root),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "OCTOCHAT_DATA_DIR": str(self.data),
            "TMPDIR": str(self.temporary),
            **self.server,
        }

    @property
    def settings(self) -> Path:
        """The person's own configuration."""
        return self.root / "config" / "octochat" / "config.toml"

    def configure(self, toml: str) -> None:
        """Write the person's own configuration."""
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        self.settings.write_text(toml, encoding="utf-8")

    def enter(self, patch: pytest.MonkeyPatch) -> None:
        """Make this process see the home as its own."""
        for name in [n for n in os.environ if n.startswith(("ANTHROPIC_", "OCTO", "XDG_"))]:
            patch.delenv(name)
        for name, value in self.environment.items():
            patch.setenv(name, value)
        patch.chdir(self.project)

    def open(self, approver: Approver | None = None, **said: Any) -> Session:
        """A session as `cli` would open it. Only after `enter`."""
        return open_session(Options(self.project, **said), approver or Headless())

    def run(
        self, *arguments: str, stdin: bytes = b"", cwd: Path | None = None, **more: Any
    ) -> subprocess.CompletedProcess[bytes]:
        """`octochat ARGUMENTS` as a process of its own."""
        return subprocess.run(
            [sys.executable, "-m", "octochat", *arguments],
            input=stdin,
            env=self.environment | more.pop("environment", {}),
            cwd=cwd or self.project,
            capture_output=True,
            timeout=200,
            check=False,
            **more,
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """The same, still running."""
        return subprocess.Popen(
            [sys.executable, "-m", "octochat", *arguments],
            env=self.environment,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def home(root: Path, server: Mapping[str, str] | None = None, config: str = "") -> Home:
    """A new home with a small project in it."""
    made = Home(root, server or {})
    made.project.mkdir(parents=True)
    made.temporary.mkdir()
    (made.project / "README.md").write_text("# The project\n\n" + "It has words. " * 40)
    (made.project / "notes.txt").write_text("".join(f"note {n}: TODO\n" for n in range(150)))
    made.configure(config)
    return made
