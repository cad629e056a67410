"""What the model is shown: system prompt, tools, and the units of the conversation.

It knows how units are folded and trimmed, and which messages they make.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Literal

from octochat.context.codec.trees import canonical
from octochat.context.session.asides import ToolLoaded, ToolWithdrawn
from octochat.context.session.content import Message, Text
from octochat.context.session.edits import Fold, PromptTrim, ResultTrim, Trim, UnitId
from octochat.context.session.events import ToolDefinition, ToolsChanged
from octochat.context.session.messages import Reader, messages_of
from octochat.context.session.steering import EffortChanged, ModeChanged, Steering
from octochat.context.session.units import (
    INTERRUPTED,
    Note,
    NoteKind,
    Prompt,
    ShownResult,
    Step,
    Unit,
    Units,
    covered,
    cut,
    digest_of,
    original_size,
    scaled,
    shortened,
    signed,
    trimmed,
)

__all__ = [
    "INTERRUPTED",
    "Note",
    "NoteKind",
    "Prompt",
    "ShownResult",
    "Step",
    "Unit",
    "Units",
    "View",
    "covered",
    "original_size",
    "shortened",
]

_TOOLS = tuple[ToolDefinition, ...]


@dataclass(frozen=True)
class View:
    """System prompt, tools, and the units of the conversation."""

    system: str = ""
    tools: tuple[ToolDefinition, ...] = ()
    head: int = 0
    """Tokens of system prompt and tool definitions."""
    units: Units = ()
    effort: str = ""
    """The effort that every request asks for; empty for the model's own."""

    @property
    def size(self) -> int:
        """Tokens, all parts together, by octochat's ruler."""
        return self.head + sum(unit.size for unit in self.units)

    @cached_property
    def prefix_hash(self) -> str:
        """The hash of what every request begins with: system prompt and tools."""
        return digest_of(self.system + canonical(self.tools, _TOOLS))

    @property
    def digest(self) -> str:
        """The running hash over everything that a request made now would hold."""
        digest = self.prefix_hash
        for unit in self.units:
            digest = self._behind(unit, digest)
        return digest

    def _behind(self, unit: Unit, digest: str) -> str:
        """The running hash after one more unit.

        A compaction that the API signed leads to where what it stands for led, as long as system
        and tools are the same: so the thinking that directly follows it stays valid.
        """
        if isinstance(unit, Note) and unit.digest and unit.prefix_hash == self.prefix_hash:
            return unit.digest
        return digest_of(digest + unit.fingerprint)

    def unit(self, wanted: UnitId) -> Unit | None:
        """The unit with this id, if it is in the view."""
        return next((unit for unit in self.units if unit.id == wanted), None)

    def add(self, unit: Unit) -> "View":
        """The view with one more unit at its end."""
        # Unpacking copies twice, which a session of 20,000 messages feels.
        return replace(self, units=self.units + (unit,))  # noqa: RUF005 - copies once

    def steered(self, unit: UnitId, size: int, event: Steering) -> "View":
        """The view once the model is told of another mode or effort."""
        match event:
            case ModeChanged(mode, text):
                return self.add(Note(unit, (Text(text),), size, "mode", setting=mode))
            case EffortChanged(effort, top_level=True):
                return replace(self, effort=effort)
            case EffortChanged(effort):
                return self.add(Note(unit, (), size, "effort", setting=effort))

    def redeclared(self, size: int, event: ToolsChanged) -> "View":
        """The view with other tools, or another system prompt, of `size` tokens together."""
        system = event.system or self.system
        return replace(self, tools=event.tools, system=system, head=size)

    def equipped(self, unit: UnitId, size: int, event: ToolLoaded | ToolWithdrawn) -> "View":
        """The view once a tool is offered, or withdrawn."""
        return self.add(Note(unit, (), size, "tool", tool=event))

    def told(self, kind: Literal["mode", "effort"]) -> str:
        """What the model was told of it last; empty where nothing is left of that."""
        notes = (u for u in reversed(self.units) if isinstance(u, Note) and u.kind == kind)
        last = next(notes, None)
        return last.setting if last else self.effort if kind == "effort" else ""

    def answer(self, answer: ShownResult) -> "View":
        """Attach a tool result to the latest step that waits for it; the same view if none does."""
        for back, unit in enumerate(reversed(self.units), 1):
            if isinstance(unit, Step) and answer.result.call_id in unit.waiting:
                i = len(self.units) - back
                step = replace(unit, answers=(*unit.answers, answer))
                return replace(self, units=(*self.units[:i], step, *self.units[i + 1 :]))
        return self

    def split(self, first: UnitId, last: UnitId) -> tuple[Units, Units, Units]:
        """The units before, within and after the run from `first` to `last`.

        Raises:
            ValueError: the view has no such run.
        """
        ids = [unit.id for unit in self.units]
        i, j = ids.index(first), ids.index(last) + 1
        if j <= i:
            raise ValueError(f"no run of units from {first} to {last}")
        return self.units[:i], self.units[i:j], self.units[j:]

    def folded(self, fold: Fold, note: UnitId, size: int, answering: UnitId | None) -> "View":
        """The run as a note of `size` tokens. Order: note, kept units, the prompt being answered.

        (What is kept behind the last folded unit stays where it was: it came after the prompt.)

        Raises:
            ValueError: the view has no such run.
        """
        before, run, after = self.split(fold.first, fold.last)
        keep = frozenset(fold.keep)
        gone = tuple(unit for unit in run if unit.id not in keep)
        end = max(
            (i for i, unit in enumerate(run) if unit.id not in keep and not _standing(unit)),
            default=0,
        )
        kept = tuple(unit for unit in run[:end] if unit.id in keep)
        asked = tuple(unit for unit in kept if unit.id == answering)
        others = tuple(unit for unit in kept if unit.id != answering)
        rest = tuple(unit for unit in run[end:] if unit.id in keep)
        covers = tuple(sorted(_covered(gone)))
        made = Note(note, fold.note, size, covers=covers, replaced=sum(map(original_size, gone)))
        if signed(fold.note) and not before and len(gone) == len(run):
            made = replace(
                made, prefix_hash=self.prefix_hash, digest=replace(self, units=run).digest
            )
        return replace(self, units=(*before, made, *others, *asked, *rest, *after))

    def trimmed(self, trims: Iterable[Trim]) -> "View":
        """The view with some tool results, and texts of prompts, shortened."""
        trims = tuple(trims)
        by_call = {trim.call_id: trim for trim in trims if isinstance(trim, ResultTrim)}
        by_unit = {trim.unit: trim for trim in trims if isinstance(trim, PromptTrim)}
        if not by_call and not by_unit:
            return self
        units = (trimmed(cut(unit, by_unit.get(unit.id)), by_call) for unit in self.units)
        return replace(self, units=tuple(units))

    def rewritten(self, note: UnitId, text: str, size: int) -> "View":
        """The view with another text in place of a note; its place and what it stands for stay."""
        units = (
            replace(unit, blocks=(Text(text),), size=size, prefix_hash="", digest="")
            if isinstance(unit, Note) and unit.id == note
            else unit
            for unit in self.units
        )
        return replace(self, units=tuple(units))

    def unbound(self, after: UnitId) -> "View":
        """The view in which replies behind unit `after` keep their thinking to themselves.

        They were written behind a compression that was taken back. Even where that was the API's
        own, and stood for the same words, the thinking before it is bound to nothing in them.
        """
        units = (
            replace(unit, digest="") if isinstance(unit, Step) and unit.id > after else unit
            for unit in self.units
        )
        return replace(self, units=tuple(units))

    def scaled(self, scale: float) -> "View":
        """The view as a model counts it whose tokens are `scale` to one of those it is counted in.

        Only sizes change, and with them nothing that is sent.
        """
        units = tuple(scaled(unit, scale) for unit in self.units)
        return replace(self, units=units, head=ceil(self.head * scale))

    @property
    def unfinished(self) -> bool:
        """Whether the model still owes an answer: to a prompt, or to what its tools returned."""
        spoken = (unit for unit in reversed(self.units) if not isinstance(unit, Note))
        last = next(spoken, None)
        return isinstance(last, Prompt) or (isinstance(last, Step) and bool(last.calls))

    def begins_with(self, sent: "View") -> bool:
        """Whether it only adds to another view, so that a cache that holds that one is read."""
        same = self.prefix_hash == sent.prefix_hash
        return same and bool(sent.units) and self.units[: len(sent.units)] == sent.units

    @property
    def mid_turn(self) -> bool:
        """Whether it ends with what tools returned."""
        last = next((unit for unit in reversed(self.units) if not _steers(unit)), None)
        return isinstance(last, Step) and bool(last.calls)

    def messages(
        self,
        model: str,
        *,
        binds: bool,
        compacts: bool = True,
        efforts: bool = False,
        defers: bool = False,
    ) -> tuple[Message, ...]:
        """The view as alternating messages that the API takes.

        A compaction that the API signed goes back as it came, or, to a model whose API does not
        know the like (`compacts` is false), as the words in it.

        Thinking goes back only to the model that wrote it, and, where that model `binds` thinking
        to what came before it, only if the running digest at its place is the one that its request
        had ("Preserved thinking"). What was left out when a later reply was made is left out now
        too, because both follow from the same digests.

        Where messages of the system may set the effort (`efforts`), one stands behind the user's
        words before the next reply, wherever the person chose it. So does one that offers or
        withdraws tools, to a model that can load them (`defers`); any other is told in words.
        """
        reader = Reader(model, compacts, efforts, defers)
        return messages_of(self._placed(binds=binds), self.tools, reader)

    def _placed(self, *, binds: bool) -> Iterator[tuple[Unit, str | None]]:
        """Each unit with the running digest before it, where that counts."""
        digest = self.prefix_hash if binds else None
        for unit in self.units:
            yield unit, digest
            if digest is not None:
                digest = self._behind(unit, digest)


def _standing(unit: Unit) -> bool:
    """Whether it is a note that stays until it is out of date."""
    return isinstance(unit, Note) and unit.kind in ("skill", "instructions")


def _steers(unit: Unit) -> bool:
    return isinstance(unit, Note) and unit.kind in ("mode", "effort", "tool")


def _covered(units: Units) -> set[UnitId]:
    return {original for unit in units for original in covered(unit)}
