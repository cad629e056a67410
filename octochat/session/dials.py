"""What the person can turn while a session goes on: the mode and the effort.

What is set counts at once for permissions; the model is told of it before its next reply, and only
of what is different from what it was told last.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from octochat.context.session.events import Entry
from octochat.context.session.state import State, surviving
from octochat.context.session.steering import Effort, EffortChanged, ModeChanged, Steering
from octochat.models.catalogue import ModelInfo
from octochat.permissions import modes
from octochat.permissions.ask import Permissions
from octochat.permissions.modes import Mode

T = TypeVar("T")


@dataclass(slots=True)
class Dials:
    """The mode and the effort as they are set."""

    permissions: Permissions
    known: Callable[[str], ModelInfo]
    """What is known of a model by its name."""
    may_allow_all: bool = False
    """octochat was started so that nothing need be asked."""
    effort: Effort | None = None
    """None: the model's own."""

    @property
    def mode(self) -> Mode:
        """The mode that holds."""
        return self.permissions.mode

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that may be chosen, in order; the one alone if it was set for good."""
        if self.mode == "read-only":
            return ("read-only",)
        return tuple(m for m in modes.CYCLE if m != "allow-all" or self.may_allow_all)

    def go_on(self, mode: Mode | None, effort: Effort | None, *, chosen: bool) -> None:
        """Take up what a session was left with; a mode that was `chosen` for this start stands."""
        if mode and not chosen:
            self.permissions.mode = mode
        self.effort = effort or self.effort

    def next_mode(self) -> Mode:
        """Go on to the mode behind this one."""
        self.permissions.mode = _behind(self.modes, self.mode)
        return self.mode

    def efforts(self, state: State) -> tuple[Effort, ...]:
        """What may be chosen now: what the model takes, in mid-conversation if that has begun."""
        model = self.known(state.model)
        return model.efforts if model.turns_effort or not state.ledger.calls else ()

    def next_effort(self, state: State) -> Effort | None:
        """Go on to the effort behind this one; None where there is nothing to choose."""
        if offered := self.efforts(state):
            self.effort = _behind(offered, self.effort or "high")
            return self.effort
        return None

    def effective(self, state: State) -> Effort | None:
        """The effort that the model is asked for with its next request; None: its own."""
        wanted = self.effort if self.effort in self.efforts(state) else state.view.told("effort")
        model = self.known(state.model)
        return next((each for each in model.efforts if each == wanted), None)

    def untold(self, state: State) -> Iterator[Steering]:
        """What the model has yet to be told before it replies again."""
        if self.mode != (state.view.told("mode") or "ask"):
            yield ModeChanged(self.mode, modes.told(self.mode))
        wanted = self.effort
        if wanted and wanted in self.efforts(state) and wanted != state.view.told("effort"):
            yield EffortChanged(wanted, top_level=not state.ledger.calls)


def resumed(entries: Sequence[Entry]) -> tuple[Mode | None, Effort | None]:
    """Mode and effort that a session was in when it was left; None where it never left its own.

    What only a flag of the command line gives is not carried on: the next one has to say it again.
    """
    events = [entry.event for entry in surviving(entries)]
    named = (event.mode for event in reversed(events) if isinstance(event, ModeChanged))
    last = next(named, None)
    mode: Mode | None = next((m for m in modes.CYCLE[:3] if m == last), None)
    worked = (event for event in reversed(events) if isinstance(event, EffortChanged))
    effort = next(worked, None)
    return mode, effort.effort if effort else None


def _behind(row: Sequence[T], place: T) -> T:
    return row[(row.index(place) + 1) % len(row)] if place in row else row[0]
