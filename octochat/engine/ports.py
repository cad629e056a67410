"""What the engine works with (model, tools, permission, keeper), and what the keeper may touch."""

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from octochat.context.plans.situation import Situation
from octochat.context.session.events import Entry, Event, Recalled, Replied
from octochat.context.session.state import State
from octochat.engine.ask import Terms
from octochat.engine.run_tool import Permission
from octochat.engine.stopping import Stopper
from octochat.hooks.hooks import Hooks
from octochat.models.catalogue import ModelInfo
from octochat.models.port import Delta, Model
from octochat.storage.log import Log
from octochat.tools.base import Tool

Remember: TypeAlias = Callable[[Situation, Sequence[Entry]], Awaitable[Recalled | None]]
"""Finds what of the folded part goes along with the prompt being answered, if anything does."""
News: TypeAlias = Callable[[State], Awaitable[Sequence[Event]]]
"""Finds what changed around the session and the model must know, as events that add to it."""
Stream: TypeAlias = AsyncGenerator[Entry | Delta, None]


def nothing_to_tell(state: State) -> Iterable[Event]:  # noqa: ARG001 - the port has it
    """Where nothing can be set while a session goes on."""
    return ()


class LiveSession(Protocol):
    """A session at work, for those who change it without asking its model."""

    log: Log
    state: State
    stopper: Stopper

    @property
    def terms(self) -> Terms:
        """How the session's model is asked now."""
        ...

    @property
    def spent(self) -> str:
        """That no model may be called any more, in words; else empty."""
        ...

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def append(self, event: Event) -> Entry:
        """Log an event and take it into the state.

        Raises:
            LogError: it could not be written; nothing has changed.
        """
        ...


class ContextKeeper(Protocol):
    """Keeps the context in shape; see `compress.py`."""

    def situation(self, session: LiveSession) -> Situation:
        """What a strategy gets to look at now."""
        ...

    def look(self, session: LiveSession) -> Stream:
        """Let every strategy have its one look before a request."""
        ...

    def fit(self, session: LiveSession, over: str) -> Stream:
        """Make the next request fit: the API said that the last one did not.

        Raises:
            ModelError: nothing that may go is left (`too_long`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine works with."""

    model: Model
    tools: Mapping[str, Tool]
    permission: Permission
    keeper: ContextKeeper
    clock: Callable[[], float]
    info: Callable[[str], ModelInfo]
    """What is known of a model by its name."""
    used: Callable[[State, Replied], None]
    """Told of every answer with its bill, to learn how the model counts tokens."""
    warnings: deque[str] = field(default_factory=deque[str])
    """What the parts want a person to know, one line each; shown after the tool at work."""
    untold: Callable[[State], Iterable[Event]] = nothing_to_tell
    """What the model is to be told before it replies: what was set since it was told last."""
    remember: Remember | None = None
    """Automatic recall; None: it is off."""
    news: News | None = None
    """Asked before each request; None: nothing is ever new."""
    hooks: Hooks = field(default_factory=Hooks)
    """Commands that run at points of the session."""
    mask_secrets: bool = field(kw_only=True)
    """Whether keys of known shapes are masked in what tools give."""
