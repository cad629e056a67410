"""A session's sandbox: probed once, when it is first asked for, and put up for every new shell.

It knows no tools: it says what to run, and runs nothing but the probe.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from octochat.sandbox import bubblewrap, seatbelt
from octochat.sandbox.aside import Aside
from octochat.sandbox.probe import Missing, Program, probed
from octochat.sandbox.secrets import without_secrets
from octochat.sandbox.settings import SandboxSettings
from octochat.sandbox.walls import Ground, walls

_TEMPORARY = "/tmp"  # noqa: S108  it is the sandbox's own


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What one shell is put into."""

    words: tuple[str, ...]
    """What stands before the shell on the command line."""
    env: Mapping[str, str]
    """What commands see as their environment."""
    aside: Aside
    """Watches over what can't be walled in."""


class Sandbox:
    """What a person wants of it, and what this system can do."""

    def __init__(self, settings: SandboxSettings, ground: Ground) -> None:
        self.settings = settings
        """What the person wants."""
        self._ground = ground

    @cached_property
    def _probed(self) -> Program | Missing:
        return probed(network=self.settings.network)

    @property
    def on(self) -> bool:
        """Whether commands run inside."""
        return isinstance(self._probed, Program)

    @property
    def free(self) -> bool:
        """Whether what runs inside needs no question: it reaches no network."""
        return self.on and not self.settings.network

    @property
    def name(self) -> str:
        """What puts it up, in words for people; empty where there is none."""
        return self._probed.name if isinstance(self._probed, Program) else ""

    @property
    def missing(self) -> str:
        """Why there is none and what to do, one line without a period; empty where there is."""
        return self._probed.why if isinstance(self._probed, Missing) else ""

    def put_up(self, env: Mapping[str, str]) -> Enclosure:
        """What a new shell is put into; `env` is what it would see outside."""
        assert isinstance(self._probed, Program)
        found = walls(self._ground)
        if sys.platform == "darwin":
            more = seatbelt.arguments(found, network=self.settings.network)
            temporary = self._ground.scratch / "tmp"
            temporary.mkdir(mode=0o700, parents=True, exist_ok=True)
        else:
            more = bubblewrap.arguments(found, self._ground.folder)
            temporary = Path(_TEMPORARY)
        inside = {"TMPDIR": str(temporary), "XDG_CACHE_HOME": f"{temporary}/cache"}
        return Enclosure(
            (*self._probed.words, *more),
            without_secrets(env) | inside,
            Aside.now(self._ground, found),
        )
