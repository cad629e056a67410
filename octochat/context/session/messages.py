"""The messages that the units of a view make for one model. Pure; it knows no requests."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from octochat.context.session.asides import ToolLoaded
from octochat.context.session.content import Message, Opaque, Thinking, ToolResult
from octochat.context.session.loaded_tools import Offers
from octochat.context.session.tool_definition import ToolDefinition
from octochat.context.session.units import Note, Prompt, Step, Unit, readable


@dataclass(frozen=True, slots=True)
class Reader:
    """The model that reads them."""

    model: str
    compacts: bool
    """Its API knows compactions that it signed; else it gets the words in them."""
    efforts: bool
    """Messages of the system may set its effort."""
    defers: bool
    """It can load tools; else it gets their definitions as words."""


@dataclass(slots=True)
class _System:
    """What the next message of the system says: it stands behind the user's words."""

    effort: str = ""
    changes: tuple[Opaque, ...] = ()

    def take(self) -> Message | None:
        """The message, once; None if there is nothing to say."""
        if not self.effort and not self.changes:
            return None
        made = Message("system", self.changes, self.effort)
        self.effort, self.changes = "", ()
        return made


def messages_of(
    units: Iterable[tuple[Unit, str | None]], tools: Sequence[ToolDefinition], reader: Reader
) -> tuple[Message, ...]:
    """Alternating messages that the API takes; for the rules see `View.messages`.

    Each unit comes with the digest of what stands before it, which decides about its thinking;
    None: the model does not bind it.
    """
    units = tuple(units)
    loads = (u.tool for u, _ in units if isinstance(u, Note) and isinstance(u.tool, ToolLoaded))
    offers = Offers(tools, loads, defers=reader.defers)
    merged: list[Message] = []
    system = _System()
    for unit, digest in units:
        if isinstance(unit, Note):
            if reader.efforts and unit.kind == "effort":
                system.effort = unit.setting
            if unit.tool is not None:
                system.changes += offers.changes(unit.tool)
        shown = unit if reader.compacts else readable(unit)
        for message in _messages(shown, offers, thinks=_thinks(unit, reader.model, digest)):
            if message.role == "assistant" and _spoken(merged) and (told := system.take()):
                merged.append(told)
            if merged and merged[-1].role == message.role:
                merged[-1] = Message(message.role, merged[-1].blocks + message.blocks)
            else:
                merged.append(message)
    if _spoken(merged) and (told := system.take()):
        merged.append(told)
    return tuple(merged)


def _spoken(messages: Sequence[Message]) -> bool:
    """Whether the user has the last word, so that a message of the system may follow."""
    return bool(messages) and messages[-1].role == "user"


def _thinks(unit: Unit, model: str, digest: str | None) -> bool:
    """Whether the unit's thinking may be sent (`digest` is None for a model that doesn't bind)."""
    return isinstance(unit, Step) and unit.model == model and digest in (None, unit.digest)


def _messages(unit: Unit, offers: Offers, *, thinks: bool) -> Iterator[Message]:
    match unit:
        case Note(kind="effort"):
            return
        case Note(tool=event) if event is not None:
            if words := offers.words(event):
                yield Message("user", words)
        case Note(blocks=blocks) | Prompt(blocks=blocks):
            yield Message("user", blocks)
        case Step():
            said = tuple(b for b in unit.blocks if thinks or not isinstance(b, Thinking))
            if said:
                yield Message("assistant", said)
            if unit.results:
                yield Message("user", _results(unit, offers))


def _results(step: Step, offers: Offers) -> tuple[ToolResult, ...]:
    return tuple(map(offers.result, step.results)) if offers.any else step.results
