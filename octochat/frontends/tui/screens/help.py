"""The help screen: what the keys do and which commands there are. All of it is given as data."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from octochat.commands.spec import CommandSpec
from octochat.frontends.tui.input.keymaps import KeymapName
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.frontends.tui.screens.overlay import Overlay

Row = tuple[str, str]

INPUT_KEYS: Sequence[Row] = (
    ("Enter", "send"),
    ("Shift+Enter", "a new line; so do Alt+Enter, Ctrl+J, and \\ before Enter"),
    ("↑ ↓", "at the edges: what was sent before; while the model works, what waits"),
    ("Ctrl+R", "search what was sent, in all sessions"),
    ("Tab", "complete a /command or an @file"),
    ("! at the start", "a line for your shell; what it prints goes with your next message"),
    ("!! at the start", "the same for you alone; Esc stops both"),
    ("Backspace", "in the empty input: take the last ! line off your next message"),
    ("Ctrl+O", "open a folded paste; so does a double click"),
    ("Ctrl+G", "write in $VISUAL or $EDITOR"),
    ("Esc", "stop the model or the tool; pressed twice at rest: back to an earlier prompt"),
    ("Ctrl+D", "in the empty input, pressed twice at rest: leave"),
)
EDITING_KEYS: Mapping[KeymapName, Sequence[Row]] = {
    "default": (
        ("Ctrl+A Ctrl+E", "start and end of the line"),
        ("Alt+B Alt+F", "a word back, a word on"),
        ("Ctrl+W Ctrl+U", "cut the word or the line before the cursor; Ctrl+U again: the line"),
        ("Alt+D Ctrl+K", "cut the word or the line after it"),
        ("Alt+Y Ctrl+T", "put what was cut; swap two characters"),
        ("Ctrl+_ Ctrl+Y", "undo, redo"),
    ),
    "emacs": (
        ("Ctrl+A Ctrl+E", "start and end of the line; Ctrl+B Ctrl+F Ctrl+P Ctrl+N move"),
        ("Alt+B Alt+F", "a word back, a word on; Alt+< Alt+> to the ends of the text"),
        ("Ctrl+W Ctrl+U", "cut the region, or else the word; the line before the cursor, the line"),
        ("Alt+D Ctrl+K", "cut the word or the line after it; Alt+Backspace: the word before it"),
        ("Ctrl+Y Alt+Y", "yank; then what was cut before"),
        ("Ctrl+Space Alt+W", "set the mark; copy the region"),
        ("Ctrl+T Alt+T", "swap two characters, two words"),
        ("Alt+U Alt+L Alt+C", "the word in capitals, in small letters, capitalised"),
        ("Ctrl+_", "undo"),
    ),
    "vim": (
        ("Esc", "normal mode; every prompt begins in insert mode"),
        ("h j k l w b e ge W B E", "move; also 0 ^ $ gg G { } % f F t T ; ,"),
        ("d c y > < gu gU g~", 'with a motion, doubled, or with iw a" i( ap and so on'),
        ("x X s S D C Y r ~ J p P", "as in vim, with counts"),
        ("i a I A o O", "insert"),
        ("v V", "visual mode; o swaps its ends, gv brings it back"),
        ("u Ctrl+R .", "undo, redo, the last change once more (Ctrl+R inserting: search)"),
    ),
}
"""How the input is edited, by `keys` under `[tui]`."""
APPROVAL_KEYS: Sequence[Row] = (
    ("Y", "yes, once"),
    ("P", "yes, to parts of a change"),
    ("S", "yes, for this session: choose how much"),
    ("A", "yes, always: choose how much"),
    ("N", "no, with a reason for the model"),
    ("Esc", "back, at last no"),
    ("PgUp PgDn", "scroll what would be done; so do U and D"),
)


class HelpScreen(Overlay[str | None]):
    """Gives the command that was typed and sent from here, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False, priority=True)
    ]

    def __init__(
        self, commands: Sequence[CommandSpec], *sections: tuple[str, Sequence[Row]]
    ) -> None:
        """`sections` are titles with keys and what they do, shown before the commands."""
        super().__init__()
        rows = [(f"/{c.name} {c.usage}".rstrip(), c.help) for c in commands]
        self._sections = (*sections, ("Commands", rows))

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="overlay"):
            yield Input(placeholder="Find a key or a command", compact=True)
            with VerticalScroll(can_focus=False):
                yield Static(markup=False)

    def on_mount(self) -> None:
        frame = self.query_one("#help")
        frame.border_title, frame.border_subtitle = (
            "Help",
            Content("↑ ↓ PgUp PgDn scroll · Esc closes"),
        )
        words = self.query_one(Input)
        words.cursor_blink = False
        words.focus()

    def on_resize(self) -> None:
        self._show()

    @on(Input.Changed)
    def changed(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        """The arrows scroll; letters go to the search line."""
        body = self.query_one(VerticalScroll)
        match event.key:
            case "up":
                body.scroll_up(animate=False)
            case "down":
                body.scroll_down(animate=False)
            case "pageup":
                body.scroll_page_up(animate=False)
            case "pagedown":
                body.scroll_page_down(animate=False)
            case _:
                return
        event.stop()
        event.prevent_default()

    def _show(self) -> None:
        width = self.query_one(VerticalScroll).content_size.width - 2
        text = page(self._sections, self.query_one(Input).value, width)
        self.query_one(Static).update(text)


def page(sections: Sequence[tuple[str, Sequence[Row]]], words: str, width: int) -> Content:
    """All sections as text in two columns; only rows that hold the words."""
    wanted = words.casefold().split()
    shown: list[Content] = []
    for title, rows in sections:
        kept = [row for row in rows if all(w in " ".join(row).casefold() for w in wanted)]
        if kept:
            shown += [styled((title, "bold $text-primary")), *_lines(kept, width), Content("")]
    return Content("\n").join(shown) if shown else Content("No key or command has these words.")


def _lines(rows: Sequence[Row], width: int) -> Sequence[Content]:
    """The rows; what is said of a key stands beside it, on as many lines as it takes."""
    left = min(max(len(key) for key, _ in rows), max(12, width // 3))
    room = max(10, width - left - 4)
    lines: list[Content] = []
    for key, said in rows:
        keys, words = wrap(key, left), wrap(said, room)
        for a, b in zip_longest(keys, words, fillvalue=""):
            lines.append(styled((f"  {a:<{left}}", "bold"), "  ", (b, FAINT)))
    return lines
