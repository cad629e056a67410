"""The text area that prompts are written in: pastes fold to chips, keys go to the prompt first.

It knows nothing of sending, history or completion: whoever builds it passes a function that sees
each key before it does. Editing keys act at once, in the order they were pressed (Textual's own
bindings act only after a key has bubbled up, so that fast typing can overtake them).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from re import Match
from typing import ClassVar, TypeAlias

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.widgets.text_area import Edit, EditResult, Location, Selection

from octochat.frontends.shared.drafts import CHIP, OPENED, Draft, beside, chip_for, clean, is_big
from octochat.frontends.tui.copying import MouseArea
from octochat.frontends.tui.input.kill_ring import KillRing
from octochat.frontends.tui.terminal.undo_batches import UndoBatches
from octochat.frontends.tui.typed_app import after_layout, app_of

Keymap: TypeAlias = Mapping[str, Callable[["Editor"], None]]
"""What a key does, by Textual's name of the key."""
CHECKPOINTS = 200
"""Steps that can be undone."""
CHECKPOINT_SECONDS = 2.0
"""A pause after which typing is a new step to undo."""
CHECKPOINT_CHARACTERS = 100
"""So is more than this."""


class Editor(MouseArea):
    """A multi-line input without frame or gutter, as high as its text."""

    DEFAULT_CSS = """
    Editor {
        height: auto;
        max-height: 12;
        border: none;
        padding: 0;
        background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & .text-area--placeholder { color: $text-muted; }
        & > .editor--chip { color: $text-accent; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"editor--chip"}

    def __init__(
        self,
        take_key: Callable[[events.Key], bool],
        edited: Callable[[], None],
        keymap: Keymap,
    ) -> None:
        super().__init__(compact=True, highlight_cursor_line=False, tab_behavior="focus")
        # A blinking cursor costs more of a core than all the rest of an idle screen.
        self.cursor_blink = False
        self.match_cursor_bracket = False
        self._take_key = take_key
        self._edited = edited
        self.keymap: Keymap = keymap
        self.pastes: dict[int, str] = {}
        self.batches: UndoBatches = UndoBatches(
            CHECKPOINTS, CHECKPOINT_SECONDS, CHECKPOINT_CHARACTERS
        )
        self.history = self.batches
        self.kills: KillRing = KillRing()
        """What was cut with keys, for yanking."""
        self.marking: bool = False
        """Moving selects: emacs' mark is set."""
        self._strokes = 0
        self._killed = self._yanked = -1
        """The strokes of the last cut and of the last yank."""
        self._yank_start = 0

    def on_mount(self) -> None:
        # Input methods open their window at the real cursor, also when the layout moves the text.
        after_layout(self, self._place_cursor)

    @property
    def draft(self) -> Draft:
        """What stands here."""
        return Draft(self.text, dict(self.pastes)).used()

    def show(self, draft: Draft) -> None:
        """Put a draft in place of what stands here (undo brings that back), cursor at the end."""
        if not (draft.text or self.text):
            return  # as at most starts: an edit takes a moment of the first paint
        draft = beside(draft, self.pastes)
        self.pastes.update(draft.pastes)
        text = draft.text if CHIP.search(draft.text) else self._folded(draft.text)
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)
        self.scroll_cursor_visible()

    @property
    def before_cursor(self) -> str:
        """The line up to the cursor."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    @property
    def escapes_newline(self) -> bool:
        """Whether a backslash before the cursor says that Enter begins a new line."""
        before = self.before_cursor
        return (len(before) - len(before.rstrip("\\"))) % 2 == 1

    @property
    def cursor_row(self) -> int:
        """The row that the cursor is on as the text is wrapped."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y

    @property
    def last_row(self) -> int:
        """The last row of the wrapped text."""
        return max(0, self.wrapped_document.height - 1)

    def on_key(self, event: events.Key) -> None:
        """The prompt's keys, then the keymap's; what is left is text."""
        self._strokes += 1
        action = None
        taken = self._take_key(event) or (action := self.keymap.get(event.key)) is not None
        if taken:
            event.stop()
            event.prevent_default()
        if action is not None:
            action(self)

    def on_paste(self, event: events.Paste) -> None:
        """A paste keeps its lines; a big one becomes a chip."""
        event.stop()
        event.prevent_default()
        self._strokes += 1
        self.put(self._folded(clean(event.text)))

    def put(self, text: str) -> None:
        """Put text in place of the selection, as if typed."""
        self._replace_via_keyboard(text, *self.selection)
        self.history.checkpoint()

    def cut(self, start: int, end: int) -> None:
        """Take out the characters from `start` to `end` of the text, to be yanked.

        What is cut with one key after the other is yanked together.
        """
        start, end = self.whole_chips(*sorted((start, end)))
        if start == end:
            return
        text, forward = self.text[start:end], start == self.at
        if self._killed != self._strokes - 1:
            self.kills.add(text)
        elif forward:
            self.kills.after(text)
        else:
            self.kills.before(text)
        self._killed = self._strokes
        self.take(start, end)

    def yank(self) -> None:
        """Put what was cut last."""
        self._yank_start = min(map(self.index, self.selection))
        self.put(self.kills.newest)
        self._yanked = self._strokes

    def yank_older(self) -> None:
        """Right after a yank: put what was cut before instead."""
        if self._yanked != self._strokes - 1:
            return
        self.rewrite(self._yank_start, self.at, self.kills.older())
        self._yanked = self._strokes

    def take(self, start: int, end: int) -> None:
        """Take out the characters from `start` to `end` of the text."""
        self._delete_via_keyboard(self.location(start), self.location(end))

    def rewrite(self, start: int, end: int, text: str) -> None:
        """Put a text in place of the characters from `start` to `end`, the cursor behind it."""
        self.replace(text, self.location(start), self.location(end))
        self.go(start + len(text))

    def mark(self, start: int, end: int) -> None:
        """Select from one place to another, where the cursor then stands."""
        self.selection = Selection(self.location(start), self.location(end))

    @property
    def span(self) -> tuple[int, int]:
        """The places where the selection begins and where the cursor is."""
        return self.index(self.selection.start), self.index(self.selection.end)

    @property
    def at(self) -> int:
        """The cursor's place, in characters from the beginning of the text."""
        return self.index(self.cursor_location)

    def index(self, location: Location) -> int:
        """A location's place, in characters from the beginning of the text."""
        row, column = location
        return sum(len(line) + 1 for line in self.text.split("\n")[:row]) + column

    def location(self, at: int) -> Location:
        """Row and column of a place in characters from the beginning of the text."""
        before = self.text[:at]
        return before.count("\n"), at - (before.rfind("\n") + 1)

    def go(self, at: int) -> None:
        """Move the cursor to a place in characters from the beginning of the text."""
        at = max(0, min(at, len(self.text)))
        self.move_cursor(self.location(at))

    def open_chip(self) -> bool:
        """Put the pasted text in place of the chip under the cursor; False where there is none."""
        at = self.at
        chip = next((c for c in self._chips() if c.start() <= at <= c.end()), None)
        if chip is None:
            return False
        pasted = self.pastes[int(chip[1])]
        if len(pasted) > OPENED:
            self.notify("Too long to open here: Ctrl+G opens it in your editor")
        else:
            self.rewrite(*chip.span(), pasted)
            self.go(chip.start())
        return True

    def undo(self) -> None:
        """Take back the last step."""
        super().undo()
        self._edited()

    def redo(self) -> None:
        """Take back the last undo."""
        super().redo()
        self._edited()

    def _undo_batch(self, edits: Sequence[Edit]) -> None:
        """One by one: Textual wraps wrongly where the edits of a step lie in different lines."""
        for edit in reversed(edits):
            super()._undo_batch([edit])

    def _redo_batch(self, edits: Sequence[Edit]) -> None:
        for edit in edits:
            super()._redo_batch([edit])

    def edit(self, edit: Edit) -> EditResult:
        """Carry out an edit, of chips always whole, and say so before the next key."""
        if self.pastes:
            start, end = self.whole_chips(self.index(edit.top), self.index(edit.bottom))
            edit = replace(edit, from_location=self.location(start), to_location=self.location(end))
        self.marking = False
        result = super().edit(edit)
        self._edited()
        return result

    def get_line(self, line_index: int) -> Text:
        """A line, its chips set off."""
        line = super().get_line(line_index)
        for chip in CHIP.finditer(line.plain):
            if int(chip[1]) in self.pastes:
                line.stylize(self._chip_style, chip.start(), chip.end())
        return line

    def on_click(self, event: events.Click) -> None:
        """A double click opens the chip under it."""
        if event.chain == 2 and self.open_chip():  # noqa: PLR2004 - two clicks are a double click
            event.stop()

    @property
    def _chip_style(self) -> Style:
        return self.get_component_rich_style("editor--chip", partial=True)

    def _chips(self) -> Iterator[Match[str]]:
        """The chips of pastes in the text."""
        if self.pastes:
            yield from (c for c in CHIP.finditer(self.text) if int(c[1]) in self.pastes)

    def whole_chips(self, start: int, end: int) -> tuple[int, int]:
        """The same places, but not inside of a chip: what lies between holds it whole."""
        for chip in self._chips():
            if start == end and chip.start() < start < chip.end():
                return chip.end(), chip.end()
            if start < chip.end() and end > chip.start():
                start, end = min(start, chip.start()), max(end, chip.end())
        return start, end

    def _folded(self, text: str) -> str:
        if not is_big(text):
            return text
        number = max(self.pastes, default=0) + 1
        self.pastes[number] = text
        return chip_for(text, number)

    def _place_cursor(self, _screen: object) -> None:
        if self.has_focus:
            app_of(self).cursor_position = Offset(*self.cursor_screen_offset)
