"""The text area that prompts are written in: pastes fold to chips, keys go to the prompt first.

It knows nothing of sending, history or completion: whoever builds it passes a function that sees
each key before it does. Editing keys act at once, in the order they were pressed (Textual's own
bindings act only after a key has bubbled up, so that fast typing can overtake them).
"""

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeAlias

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, Location

from octochat.tui.draft import CHIP, OPENED, Draft, beside, chip_for, clean, is_big
from octochat.tui.within import after_layout, app_of

Keymap: TypeAlias = Mapping[str, Callable[["Editor"], None]]
"""What a key does, by Textual's name of the key."""


class Editor(TextArea):
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
        self.killed: str = ""
        """What was last cut with a key, for yanking."""

    def on_mount(self) -> None:
        # Input methods open their window at the real cursor, also when the layout moves the text.
        after_layout(self, self._place_cursor)

    @property
    def draft(self) -> Draft:
        """What stands here."""
        return Draft(self.text, dict(self.pastes)).used()

    def show(self, draft: Draft) -> None:
        """Put a draft in place of what stands here (undo brings that back), cursor at the end."""
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
    def cursor_row(self) -> int:
        """The row that the cursor is on as the text is wrapped."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y

    @property
    def last_row(self) -> int:
        """The last row of the wrapped text."""
        return max(0, self.wrapped_document.height - 1)

    def on_key(self, event: events.Key) -> None:
        """The prompt's keys, then the keymap's; what is left is text."""
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
        self.put(self._folded(clean(event.text)))

    def put(self, text: str) -> None:
        """Put text in place of the selection, as if typed."""
        self._replace_via_keyboard(text, *self.selection)
        self.history.checkpoint()

    def cut(self, start: int, end: int) -> None:
        """Take out the characters from `start` to `end` of the text, to be yanked."""
        start, end = sorted((start, end))
        if start == end:
            return
        self.killed = self.text[start:end]
        self._delete_via_keyboard(self.location(start), self.location(end))

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
        row, column = self.cursor_location
        for chip in CHIP.finditer(self.document.get_line(row)):
            pasted = self.pastes.get(int(chip[1]))
            if chip.start() <= column <= chip.end() and pasted is not None:
                if len(pasted) > OPENED:
                    self.notify("Too long to open here: Ctrl+G opens it in your editor")
                    return True
                self.replace(pasted, (row, chip.start()), (row, chip.end()))
                self.move_cursor((row, chip.start()))
                return True
        return False

    def delete_left(self) -> None:
        """Delete the character before the cursor, or the whole chip that ends there."""
        row, column = self.cursor_location
        for chip in CHIP.finditer(self.document.get_line(row)):
            if chip.end() == column and self.selection.is_empty:
                self._delete_via_keyboard((row, chip.start()), (row, column))
                return
        self.action_delete_left()

    def edit(self, edit: Edit) -> EditResult:
        """Carry out an edit and say so before the next key."""
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

    def _folded(self, text: str) -> str:
        if not is_big(text):
            return text
        number = max(self.pastes, default=0) + 1
        self.pastes[number] = text
        return chip_for(text, number)

    def _place_cursor(self, _screen: object) -> None:
        if self.has_focus:
            app_of(self).cursor_position = Offset(*self.cursor_screen_offset)
