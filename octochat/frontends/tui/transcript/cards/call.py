"""A tool call and its result: one line that opens to input and output."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from octochat.context.session.content import ToolCall
from octochat.context.session.events import EntryId, Returned
from octochat.context.session.tool_marks import NUMBERED, unmarked
from octochat.frontends.shared import outcomes
from octochat.frontends.shared.changes import SHOWN, Change, change_of
from octochat.frontends.shared.outcomes import Outcome, outcome_of
from octochat.frontends.tui.render.blocks import EMPTY, FAINT, Block, fits, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page, header
from octochat.frontends.tui.transcript.cards.clip import clipped
from octochat.frontends.tui.transcript.cards.glance import first_lines, last_lines
from octochat.frontends.tui.transcript.cards.prompt import said
from octochat.frontends.tui.transcript.tool_calls import (
    input_blocks,
    said_whole,
    searchable,
    summary,
)
from octochat.text.figures import count, elapsed, seconds
from octochat.tools.facts import UNCHANGED, ToolFacts, facts_of

State: TypeAlias = Literal["writing", "waiting", "running"] | Outcome

ICONS: dict[State, tuple[str, str]] = {
    "waiting": ("○", FAINT),
    "done": ("✓", "$text-success"),
    "failed": ("✗", "$text-error"),
    "stopped": ("■", "$text-warning"),
    "ended": ("■", "$text-warning"),
    "skipped": ("■", FAINT),
    "refused": ("✗", "$text-warning"),
    "planning": ("✗", "$text-warning"),
}
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
        self._written = 1
        """Lines of arguments that have come."""
        self._since = at
        self._output = ""
        self._bare = ""
        """What the tool showed, without numbers of lines and the like."""
        self._right = ""
        self._waited = ""
        self._diff = ""
        self._note = ""

    @property
    def running(self) -> bool:
        return self.state in {"writing", "running"}

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in {"writing", "waiting", "running"}

    def grow(self, json: str) -> None:
        """The model is still writing the arguments."""
        self.state = "writing"
        self._written += json.count(r"\n")

    def start(self, at: float) -> None:
        """Permission was given, the tool runs."""
        self.state, self._since = "running", at

    def write(self, piece: str) -> None:
        """Add what the running tool has just printed."""
        self._output = self._bare = (self._output + piece)[-TAIL:]

    def finish(self, result: Returned) -> None:
        """Take the result in."""
        self.state, self._output = outcome_of(result, said(result.content))
        self._bare = unmarked(self.call.name, self._output)
        self._right = outcomes.facts(self.call, result, self.state, self._output)
        if result.waited >= PATIENCE:
            self._waited = f"waited {seconds(result.waited)} for you"
        self._diff, self._note = result.diff, result.note

    def interrupt(self) -> None:
        """It never came to an end."""
        if not self.ended:
            self.state = "stopped"
            self._right = outcomes.WORDS["stopped"]

    @property
    def tall(self) -> bool:
        return self.opened or bool(self._glance)

    def blocks(self, page: Page) -> Sequence[Block]:
        change = self._change
        icon = (page.frame, "$text-primary") if self.running else ICONS[self.state]
        asked = self._facts.old_text and self.state != "failed"  # else the file may be there
        known = self.state == "done" or asked
        told = change if known else Change()
        title = styled((self.call.name, "bold"), "  ") + summary(self.call, told)
        head = header(icon, title, self._beside(page), opened=self.opened)
        if self.opened:
            whole = said_whole(self.call) and fits(head, page.width)
            return [head, *self._inside(() if whole else input_blocks(self.call, change))]
        return [head, *self._seen(change, page.width)]

    def guess(self, width: int) -> int:
        if self.opened or not self._glance:
            return super().guess(width)
        most = SHOWN if self._glance == "change" else self._most
        return 2 + min((self._diff or self._bare).count("\n") + 1, most + 1)

    @property
    def _facts(self) -> ToolFacts:
        return facts_of(self.call)

    @property
    def _change(self) -> Change:
        return change_of(self.call, self._diff, self._note)

    @property
    def _most(self) -> int:
        return outcomes.LAST_OF_FAILURE if self.state == "failed" else outcomes.LAST

    @property
    def _glance(self) -> Literal["", "change", "output"]:
        """What is seen of it without opening it."""
        if self.state == "done" and self._facts.texts(self.call):
            return "" if UNCHANGED in self._note else "change"
        shown = self._facts.prints or self.state in {"failed", "refused"}
        shown = shown and self.state != "planning"  # what else it says is for the model
        return "output" if shown and self._bare.strip() else ""

    def _seen(self, change: Change, width: int) -> Sequence[Block]:
        match self._glance:
            case "change":
                return first_lines(change, SHOWN, width)
            case "output":
                style = "$foreground 85%" if self._facts.prints else "$text-error"
                return last_lines(self._bare, self._most, style, width, printed=self._facts.prints)
            case "":
                return ()

    def _beside(self, page: Page) -> str:
        match self.state:
            case "writing":
                return f"writing · {count(self._written, 'line')}"
            case "running":
                return f"running · {elapsed(page.now - self._since)}"
            case "waiting":
                return "waiting"
            case _:
                return self._right

    def _inside(self, given: Sequence[Block]) -> Sequence[Block]:
        style = "$text-error" if self.state == "failed" else "$foreground 85%"
        blocks = list(given)
        if self._waited:
            blocks.append(Block(styled((f"  {self._waited}", f"italic {FAINT}"))))
        if self._output and not self._shown_by_diff:
            blocks += [Block(EMPTY)] if blocks else []
            numbered = self.call.name in NUMBERED
            blocks += clipped(self._output, style, whole=self.whole, numbered=numbered)
        return blocks

    @property
    def _shown_by_diff(self) -> bool:
        """Whether the result says only what the diff shows: `edited a.py in 1 place`."""
        changed = self.state == "done" and self._facts.texts(self.call) is not None
        return changed and "\n" not in self._output.strip()

    def text(self) -> str:
        return f"{self.call.name}\n{searchable(self.call)}\n{self._right}\n{self._output}"

    def copied(self) -> str:
        """What a copy of the card holds: what the tool showed."""
        return self._bare or searchable(self.call)
