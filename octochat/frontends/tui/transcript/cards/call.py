"""A tool call and its result: one line that opens to input and output."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from octochat.context.session.content import ToolCall
from octochat.context.session.events import EntryId, Returned
from octochat.context.session.tool_marks import unmarked
from octochat.frontends.tui.render.blocks import EMPTY, FAINT, Block, fits, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.frontends.tui.transcript.cards.clip import clipped
from octochat.frontends.tui.transcript.cards.prompt import said
from octochat.frontends.tui.transcript.tool_calls import (
    input_blocks,
    said_whole,
    searchable,
    summary,
)
from octochat.text.figures import seconds, size, tokens
from octochat.tools.registry import facts_of

State: TypeAlias = Literal["writing", "waiting", "running", "done", "failed", "interrupted"]

ICONS: dict[State, tuple[str, str]] = {
    "waiting": ("○", FAINT),
    "done": ("✓", "$text-success"),
    "failed": ("✗", "$text-error"),
    "interrupted": ("■", "$text-warning"),
}
NOTABLE = 0.05
"""Seconds below which a tool takes no time."""
PATIENCE = 1.0
"""Seconds of waiting for the person that are worth a word."""
TAIL = 200_000
"""Characters kept of what a running tool prints."""


class CallCard(Card):
    """A tool at work, from the first piece of its arguments to its result."""

    foldable = True
    tight = True

    def __init__(self, at: float, call: ToolCall, entry: EntryId | None = None) -> None:
        super().__init__(at, entry)
        self.call = call
        self.state: State = "waiting"
        self._written = 0
        self._since = at
        self._output = ""
        self._facts = ""
        self._note = ""
        self._diff = ""

    @property
    def running(self) -> bool:
        return self.state in {"writing", "running"}

    def grow(self, characters: int) -> None:
        """The model is still writing the arguments."""
        self.state = "writing"
        self._written += characters

    def start(self, at: float) -> None:
        """Permission was given, the tool runs."""
        self.state, self._since = "running", at

    def write(self, piece: str) -> None:
        """Add what the running tool has just printed."""
        self._output = (self._output + piece)[-TAIL:]

    def finish(self, result: Returned) -> None:
        """Take the result in."""
        self.state = "failed" if result.failed else "done"
        self._output = said(result.content)
        waited = f"waited {seconds(result.waited)} for you" if result.waited >= PATIENCE else ""
        self._note = " · ".join(filter(None, (result.note, waited)))
        took = seconds(result.seconds) if result.seconds >= NOTABLE else ""
        much = result.note if facts_of(self.call).new_text else size(self._bare)
        self._facts = " · ".join(filter(None, (much, took)))
        self._diff = result.diff

    def interrupt(self) -> None:
        """It never came to an end."""
        if self.state in {"writing", "waiting", "running"}:
            self.state = "interrupted"

    def blocks(self, page: Page) -> Sequence[Block]:
        icon = (page.frame, "$text-primary") if self.running else ICONS[self.state]
        title = styled((self.call.name, "bold"), "  ") + summary(self.call, self._diff)
        head = header(icon, title, self._right(page), opened=self.opened)
        if self.opened:
            told = said_whole(self.call) and fits(head, page.width)
            return [head, *self._inside(() if told else input_blocks(self.call, self._diff))]
        if self.state == "failed" and self._output.strip():
            return [head, _reason(self._bare if self._bare.strip() else self._output)]
        return [head]

    def _right(self, page: Page) -> str:
        match self.state:
            case "writing":
                return f"writing {tokens(self._written)} characters"
            case "running":
                return f"running {page.now - self._since:.0f} s"
            case "waiting":
                return "waiting"
            case "interrupted":
                return "interrupted"
            case "done" | "failed":
                return self._facts

    def _inside(self, given: Sequence[Block]) -> Sequence[Block]:
        style = "$text-error" if self.state == "failed" else "$foreground 85%"
        blocks = list(given)
        if self._note:
            blocks.append(Block(styled((f"  {self._note}", f"italic {FAINT}"))))
        if self._output:
            blocks += [Block(EMPTY)] if blocks else []
            blocks += clipped(self._output, style, whole=self.whole)
        return blocks

    def text(self) -> str:
        return f"{self.call.name}\n{searchable(self.call)}\n{self._note}\n{self._output}"

    @property
    def _bare(self) -> str:
        """What the tool showed, without numbers of lines and the like."""
        return unmarked(self.call.name, self._output)

    def copied(self) -> str:
        """What a copy of the card holds: what the tool showed."""
        return self._bare or searchable(self.call)


def _reason(output: str) -> Block:
    """The line of a failure that most likely says why: its last."""
    last = output.strip().split("\n")[-1]
    (block,) = clipped(last, "$text-error", whole=True)
    return Block(block.text, lead=block.lead, hang=block.hang, wrap="cut", action="toggle")
