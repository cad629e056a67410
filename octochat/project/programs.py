"""What small programs answer about the system and the project, within a bound of time."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 1.0
"""Seconds that one program may take, by default."""


@dataclass(frozen=True, slots=True)
class Programs:
    """Programs that run in a folder; none of them is taken from there."""

    folder: Path
    """The working folder, canonical."""
    root: Path
    """The repository's root: programs below it are not run."""
    env: Mapping[str, str]
    patience: float = PATIENCE
    """Seconds that one of them may take."""

    def answers(self, *commands: Sequence[str]) -> tuple[str, ...]:
        """What each printed, side by side; empty where it failed, took too long or is missing."""
        with ThreadPoolExecutor(len(commands)) as pool:
            return tuple(pool.map(self._answer, commands))

    def _answer(self, command: Sequence[str]) -> str:
        path = self._path()
        program = shutil.which(command[0], path=path)
        if program is None:
            return ""
        try:
            ran = subprocess.run(
                [program, *command[1:]],
                cwd=self.folder,
                env={**self.env, "PATH": path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.patience,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        return os.fsdecode(ran.stdout).strip("\n")

    def _path(self) -> str:
        """Where programs are looked for, also by those that run others."""
        places = self.env.get("PATH", os.defpath).split(os.pathsep)
        return os.pathsep.join(
            place for place in places if Path(place).is_absolute() and not self._inside(place)
        )

    def _inside(self, place: str) -> bool:
        return Path(os.path.realpath(place)).is_relative_to(self.root)
