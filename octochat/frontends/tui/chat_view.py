"""What a chat is shown on: input, transcript, questions, status line, the terminal's own means."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from octochat.context.session.content import Said
from octochat.context.session.ran import commands_in, own_words
from octochat.frontends.shared.ran_words import attached
from octochat.frontends.tui.approval.panel import ApprovalPanel
from octochat.frontends.tui.input.prompt import PromptInput
from octochat.frontends.tui.main_pane import MainPane
from octochat.frontends.tui.status.gauge_reading import gauge_of
from octochat.frontends.tui.status.status_line import StatusLine
from octochat.frontends.tui.terminal.output import Terminal
from octochat.frontends.tui.transcript.cards.offer import OfferCard, WaysCard
from octochat.frontends.tui.transcript.cards.report import ReportCard
from octochat.models.port import Notice
from octochat.session.offers import Offer
from octochat.session.plans import QUESTION, WAYS, plan_of
from octochat.session.session import Session

Severity: TypeAlias = Literal["information", "warning", "error"]


@dataclass(frozen=True, slots=True)
class ChatView:
    """The parts of the screen, and what is told on them of a session."""

    prompt: PromptInput
    status: StatusLine
    pane: MainPane
    approvals: ApprovalPanel
    terminal: Terminal

    def note(self, text: str, severity: Severity = "warning") -> None:
        """Tell the person something in the transcript."""
        self.pane.transcript.show(Notice(text, severity))

    def give_back(self, blocks: Sequence[Said]) -> None:
        """Put a prompt that was taken back, or not taken, into the input, if that is empty.

        The commands that it told of go along with the next message in any case.
        """
        if (words := own_words(blocks)) and not self.prompt.editor.text:
            self.prompt.prefill(words)
        for ran in commands_in(blocks):
            self.prompt.attach(attached(ran))

    def show_figures(self, session: Session) -> None:
        """Bring the status line up to date."""
        self.status.show(gauge_of(session))

    def make_offer(self, offer: Offer | None) -> None:
        """Ask what the session asks at the start; the input takes the answer."""
        self.prompt.answered = offer.answered if offer else str
        if offer:
            now, rest = self.pane.transcript.clock(), f"and Enter, or {offer.command}"
            card = OfferCard(now, offer.question, offer.key, rest, command=offer.command)
            self.pane.transcript.add(card)

    def offer_plan(self, session: Session) -> None:
        """Ask what becomes of the plan that the turn ended with; the input takes the answer."""
        if not (plan := plan_of(session)):
            return
        self.prompt.answered = plan.answered
        transcript = self.pane.transcript
        asked = f"{QUESTION} Answer y, e or c, or say why not."
        transcript.model.add(WaysCard(transcript.clock(), asked, WAYS))
        transcript.update()

    def offer_retry(self, session: Session) -> None:
        """Say how to go on where a turn was cut off, unless that is the last thing said."""
        transcript = self.pane.transcript
        cards = (card for card in reversed(transcript.cards) if not isinstance(card, ReportCard))
        if not session.engine.unfinished or isinstance(next(cards, None), OfferCard):
            return
        said = "" if session.engine.stopper.stopped else "The turn was cut off:"
        transcript.model.add(OfferCard(transcript.clock(), said, "/retry", "goes on with it"))
        transcript.update()


ViewOn: TypeAlias = Callable[
    [PromptInput, StatusLine, MainPane, Terminal, Path], Awaitable[ChatView]
]


async def view_on(
    prompt: PromptInput, status: StatusLine, pane: MainPane, terminal: Terminal, folder: Path
) -> ChatView:
    """The view on these parts, with the questions that the pane did not have yet."""
    approvals = ApprovalPanel(
        folder=folder, typed_at=lambda: prompt.typed_at, give_back=prompt.give_back
    )
    await pane.ask_with(approvals)
    return ChatView(prompt, status, pane, approvals, terminal)
