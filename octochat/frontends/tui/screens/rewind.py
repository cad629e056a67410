"""Back to an earlier prompt: Escape twice asks to which."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from octochat.commands.execute import changed_files
from octochat.context.session.content import Said
from octochat.context.session.events import Entry, Prompted
from octochat.context.session.ran import own_words
from octochat.context.session.state import surviving
from octochat.engine import tasks
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.frontends.tui.transcript.cards.prompt import said
from octochat.models.port import Notice
from octochat.session.session import Session
from octochat.text.figures import clock
from octochat.text.harmless import harmless


class RewindScreen(ModalScreen[int | None]):
    """Gives the number of a prompt, or None."""

    DEFAULT_CSS = """
    RewindScreen {
        align: center middle;
        & > #prompts {
            width: 90%; max-width: 100; height: auto; max-height: 80%;
            border: round $primary; padding: 0 1; background: $background;
            border-subtitle-color: $text-muted;
        }
        & OptionList { height: auto; border: none; padding: 0; background: $background; }
        & OptionList:focus { border: none; background-tint: transparent; }
        & OptionList:focus > .option-list--option-highlighted {
            background: $primary 25%; color: $foreground;
        }
    }
    """
    BINDINGS = [("escape", "dismiss(None)", "Close")]  # noqa: RUF012  # Textual's own form

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        prompts = [
            Option(_line(entry, entry.event), str(entry.id))
            for entry in reversed(surviving(self._session.engine.log.entries))
            if isinstance(entry.event, Prompted)
        ]
        with Vertical(id="prompts") as box:
            box.border_title = Content("Back to which prompt?")
            box.border_subtitle = Content("Enter takes it back to be said anew · Esc closes")
            yield OptionList(*prompts or [Option("You haven't said anything yet.", disabled=True)])

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(int(event.option.id or 0))


def _line(entry: Entry, event: Prompted) -> Content:
    first = " ".join(harmless(own_words(event.blocks) or said(event.blocks)).split())[:200]
    return styled((f"{clock(entry.at)}  ", FAINT), first)


def rewound(session: Session, prompt: int) -> tuple[Sequence[Said], Sequence[Entry | Notice]]:
    """Take back a prompt and all that followed; gives what it said, and what there is to show."""
    before = tuple(session.engine.log.entries)
    undone = tasks.rewind(session.engine, prompt)
    if undone is None:
        return (), ()
    shown: list[Entry | Notice] = [undone[0]]
    if files := changed_files(before, prompt - 1):
        names = ", ".join(files)
        shown.append(Notice(f"Your files keep the changes made since then: {names}", "warning"))
    return undone[1].blocks, shown
