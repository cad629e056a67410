"""The shell's sandbox as the model meets it: arguments, refusals, and what to do where it fails.

It knows no shell.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from octochat.sandbox.aside import ENDING
from octochat.sandbox.sandbox import Enclosure, Sandbox
from octochat.text.harmless import one_line
from octochat.tools import arguments as given
from octochat.tools.base import Arguments, ToolError

ARGUMENTS: Mapping[str, Mapping[str, object]] = {
    "outside": {
        "type": "boolean",
        "description": (
            "Run this one command outside the sandbox, in a shell of its own that ends with it. "
            "The person is asked: only for what failed because of the sandbox or is bound to."
        ),
    },
    "reason": {"type": "string", "description": "With outside: why, for the person."},
}
"""What the tool takes besides while there is a sandbox."""
_LONGEST = 200
"""Characters of a reason that are shown."""
_IN_THE_WAY = re.compile(
    r"read-only file system|operation not permitted|permission denied|resource busy|"
    r"network is unreachable|could not resolve|name resolution|name or service not known|"
    r"nodename nor servname|connection refused|failed to connect|getaddrinfo|ENOTFOUND|EAI_AGAIN|"
    r"sandbox",
    re.IGNORECASE,
)
_WAY_OUT = "if the sandbox is why, call again with outside: true and a reason; the person is asked"


@dataclass(slots=True)
class Enclosed:
    """A shell's place in a sandbox, if there is one."""

    sandbox: Sandbox | None
    """None: the person wants none."""
    folder: Path
    _now: Enclosure | None = None
    _taken: list[Path] = field(default_factory=list[Path])

    @property
    def on(self) -> bool:
        """Whether commands run inside."""
        return self.sandbox is not None and self.sandbox.on

    @property
    def free(self) -> bool:
        """Whether what runs inside needs no question."""
        return self.sandbox is not None and self.sandbox.free

    def check(self) -> None:
        """See that a command may run.

        Raises:
            ToolError: the person wants a sandbox without fail, and there is none.
        """
        wanted = self.sandbox is not None and self.sandbox.settings.mode == "require"
        if self.sandbox is not None and wanted and not self.sandbox.on:
            raise ToolError(
                f'no command runs: [sandbox] mode is "require", and {self.sandbox.missing}'
            )

    def outside(self, arguments: Arguments) -> str:
        """Why a call has to run outside, for people; empty where it does not or nothing is inside.

        Raises:
            ToolError: there is no reason.
        """
        wanted, reason = given.flag(arguments, "outside"), given.optional_text(arguments, "reason")
        if not wanted or not self.on:
            return ""
        if not reason.strip():
            raise ToolError("outside needs a reason, which the person reads")
        return one_line(reason.strip())[:_LONGEST]

    def put_up(self, env: Mapping[str, str]) -> Enclosure:
        """What a new shell is put into; nothing where there is no sandbox."""
        assert self.sandbox is not None
        self._now = self.sandbox.put_up(env)
        return self._now

    @property
    def outdated(self) -> bool:
        """Whether the walls have to be put up anew."""
        return self._now is not None and self._now.aside.outdated()

    def clear(self, *, ended: bool = False) -> None:
        """Put aside what must not be there; with `ended` the shell is gone for good."""
        if self._now is not None:
            self._taken += self._now.aside.put()
        if ended:
            self._now = None

    def told(self, *, failed: bool, printed: str) -> Iterable[str]:
        """What the model has to know after a command."""
        if taken := [one_line(str(path.relative_to(self.folder))) for path in self._taken]:
            self._taken.clear()
            what = f"put aside, as NAME{ENDING}, since it decides what runs outside"
            yield f"{what}: {', '.join(taken)}"
        if failed and self.on and (_IN_THE_WAY.search(printed) or taken):
            yield _WAY_OUT
