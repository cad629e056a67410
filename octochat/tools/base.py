"""What a tool is. It knows nothing of models, permission dialogs or the session log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from octochat.context.session.content import Said, ToolCall
from octochat.context.session.events import Event, ToolDefinition

Arguments: TypeAlias = Mapping[str, object]


class ToolError(Exception):
    """A tool could not do what it was asked. The message is content for the model."""


class RevealingError(ToolError):
    """A failure whose message shows some of what is in a file."""

    def __init__(self, bare: str, revealing: str) -> None:
        """`bare` is the message without that, for where the file may not be read."""
        super().__init__(revealing)
        self.bare = bare


FROM_NOTHING = "--- /dev/null"
"""How the diff of a new file begins."""


@dataclass(frozen=True, slots=True)
class Access:
    """What a call would touch: all that a permission rule can be about."""

    kind: Literal["none", "read", "write", "run", "call"]
    """`none` needs no permission anywhere (recall, skill); `call` does what only a server knows."""
    target: str
    """A path (relative to the working folder where it is inside); of `run` a shell command line, of
    `call` the arguments."""
    inside: bool = True
    """Whether the path lies in the working folder, links followed. Always True for `run`."""
    path: Path | None = None
    """The canonical path, where the target is one."""
    place: Path | None = None
    """Of `run`: the folder that the shell is in, canonical; None: the working folder."""
    sandboxed: bool = False
    """Of `run`: in a sandbox that reaches no network and can change only the working folder."""
    vouched: bool = False
    """Of `call`: it only reads, says a server whose word the person takes."""
    outside: str = ""
    """Of `run`: why it is to run outside the sandbox; empty where there is none or it does not."""
    preview: str = ""
    """What would change, as a unified diff; empty where that is not known beforehand."""
    fault: str = ""
    """Why the call is bound to fail, as far as is known; then nobody needs to be asked."""

    @property
    def makes_file(self) -> bool:
        """Whether a file would be written that is not there."""
        return self.preview.startswith(FROM_NOTHING)


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool answered."""

    content: tuple[Said, ...]
    failed: bool = False
    events: tuple[Event, ...] = ()
    """What else happened to the session (a skill was loaded); logged after the result."""
    note: str = ""
    """For the person only: how it came about."""
    diff: str = ""
    """For the person only: what changed in a file that was there before, as a unified diff."""


@dataclass(frozen=True, slots=True)
class Amended:
    """The call may run with other arguments: the person accepted a part of it."""

    arguments: Arguments
    note: str
    """What the person changed, in words for the model; it follows the result."""


@dataclass(frozen=True, slots=True)
class Permitted:
    """The call may run as it is, and there is something to say of that."""

    note: str
    """In words for the model; it follows the result."""


@dataclass(frozen=True, slots=True)
class HookAdvice:
    """What a hook wants of the permission for a call: it can spare a question, or want one."""

    decision: Literal["allow", "ask"]
    reason: str = ""
    """Why, for the person who is asked."""


Progress: TypeAlias = Callable[[str], None]
"""Called with pieces of what a running tool prints."""


class Tool(Protocol):
    """One tool. Stateful ones (the shell) are closed when the session ends."""

    @property
    def spec(self) -> ToolDefinition:
        """The tool as the model is told of it."""
        ...

    def access(self, arguments: Arguments) -> Access:
        """What this call would touch.

        Raises:
            ToolError: the arguments are not of the tool's form.
        """
        ...

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Do it, within what `access` (now permitted) says.

        Raises:
            ToolError: it could not be done; or the person interrupted, and this is what came.
            asyncio.CancelledError: the person interrupted; nothing it started goes on.
        """
        ...

    async def close(self) -> None:
        """Let go of what the tool holds."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A tool that knows before a call what it would change."""

    async def foreseen(self, arguments: Arguments, access: Access) -> Access:
        """The access with its preview, or with the fault for which the call is bound to fail.

        Raises:
            ToolError: the call can't be made now, whatever a person says to it.
        """
        ...


@runtime_checkable
class Forwarding(Protocol):
    """A tool whose calls are calls of others: those are permitted and run."""

    def forwarded(self, call: ToolCall) -> tuple[ToolCall, Tool]:
        """The call that is meant, and its tool.

        Raises:
            ToolError: there is no such tool.
        """
        ...
