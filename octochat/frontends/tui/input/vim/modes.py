"""The modes, and the keys that wait for more. It knows nothing of sending or history.

There are no registers, no marks and no searching but within a line: the box holds one prompt.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from textual import events

from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.vim import changes
from octochat.frontends.tui.input.vim.changes import ACTS, COMMANDS, INSERTING
from octochat.frontends.tui.input.vim.grammar import (
    IncompleteError,
    Look,
    UnknownError,
    VimCommand,
    parse,
)
from octochat.frontends.tui.input.vim.lines import line_start, on_letter
from octochat.frontends.tui.input.vim.motions import AGAIN, SEEKS
from octochat.frontends.tui.input.vim.spans import Selected, Span, object_of, span_of, target

NAMED = {"backspace": "h", "delete": "x"}
"""Keys without a character that are vim's."""
MOVING = {"left": "h", "right": "l", "up": "k", "down": "j", "home": "0", "end": "$"}
"""So are these, where an operator or a selection waits for a motion."""
OTHER_WAY = {"f": "F", "F": "f", "t": "T", "T": "t"}
TITLES: dict[Look, str] = {"normal": "NORMAL", "visual": "VISUAL", "lines": "V-LINE"}
TIMES = frozenset("iaIA")
"""Commands whose count says how often the text is inserted."""
MOST = 100
"""Most steps that one count undoes, or rows that it moves."""
Mode: TypeAlias = Literal["insert"] | Look


class Vim:
    """The mode, and what commands remember of those before them."""

    def __init__(self) -> None:
        self.pending: str = ""
        """Keys that wait for more."""
        self._inserting = True
        self._selected: Selected | None = None
        self._before: Selected | None = None
        """What was selected last."""
        self._sought = VimCommand(motion="f", letter="\0")
        """The last f, F, t or T."""
        self._last: VimCommand | None = None
        """The last change, for the dot."""
        self._inserted = ""
        """What was typed in the last insert mode."""
        self._around: tuple[str, str] | None = None
        """The text on both sides of the cursor when a command began insert mode."""

    @property
    def mode(self) -> Mode:
        """The mode it is in."""
        if self._inserting:
            return "insert"
        return self._selected.look if self._selected else "normal"

    @property
    def title(self) -> str:
        """The mode and what is pending, in words; empty in insert mode."""
        mode = self.mode
        return "" if mode == "insert" else f"{TITLES[mode]} {self.pending}".rstrip()

    def begin(self) -> None:
        """Another text comes: it begins in insert mode."""
        self._inserting, self._selected, self._around, self.pending = True, None, None, ""

    def press(self, event: events.Key, editor: Editor) -> str:
        """Take a key; gives the one that is left for the prompt, empty if it was vim's."""
        if self._inserting:
            if event.key != "escape":
                return event.key
            self._leave_insert(editor)
            return ""
        if self._selected and editor.span != self._selected.shown(editor.text):
            self._selected = None  # the mouse or a paste was here
        if event.key == "escape":
            return self._escape(editor)
        if event.key == "ctrl+r":
            editor.action_redo()
            return ""
        waits = bool(self.pending or self._selected)
        key = (NAMED | MOVING if waits else NAMED).get(event.key, "")
        key = key or (event.character or "" if event.is_printable else "")
        if not key:
            self.pending = ""
            self._deselect(editor)
            return event.key
        self.pending += key
        return self._carry_out(editor)

    def _carry_out(self, editor: Editor) -> str:
        look = self._selected.look if self._selected else "normal"
        try:
            command = parse(self.pending, look)
        except IncompleteError:
            return ""
        except UnknownError:
            self.pending = ""
            return ""
        self.pending = ""
        at = self._selected.at if self._selected else editor.at
        command = self._sought_again(command, editor.text, at)
        if self._selected:
            self._in_visual(command, self._selected, editor)
        elif not command.name and command.motion in ("j", "k"):
            return _by_rows(command, editor)
        else:
            self._in_normal(command, editor)
        return ""

    def _in_normal(self, command: VimCommand, editor: Editor) -> None:
        editor.go(on_letter(editor.text, editor.at))
        text, at = editor.text, editor.at
        match command.name:
            case "":
                to = target(command, text, at)
                editor.go(at if to is None else on_letter(text, to))
            case "v" | "V":
                self._select(Selected(at, at, "visual" if command.name == "v" else "lines"), editor)
            case "gv":
                self._select(self._before or Selected(at, at), editor)
            case "u":
                for _ in range(min(command.count or 1, MOST)):
                    editor.action_undo()
                editor.go(on_letter(editor.text, editor.at))
            case ".":
                self._repeat(command.count, editor)
            case _:
                self._change(command, editor)

    def _change(self, command: VimCommand, editor: Editor) -> None:
        """Carry out a command that changes or keeps text; all of it is undone together."""
        name, count, text, at = command.name, command.count or 1, editor.text, editor.at
        editor.batches.begin()
        if name != "y":
            self._last = command
        if name in ACTS:
            if span := span_of(command, text, at):
                self._act(name, span, editor)
        elif name in INSERTING:
            INSERTING[name](editor)
            self._enter_insert(editor)
        elif name in COMMANDS:
            COMMANDS[name](editor, count)
        elif "\n" not in text[at : at + count] and at + count <= len(text):
            changes.replace(editor, Span(at, at + count), command.letter)
            editor.go(at + count - 1)
        self._rest(editor)

    def _act(self, name: str, span: Span, editor: Editor) -> None:
        start, end = editor.whole_chips(span.start, span.end)
        ACTS[name](editor, Span(start, end, span.lines))
        if name == "c":
            self._enter_insert(editor)

    def _rest(self, editor: Editor) -> None:
        """A command is over, unless it began insert mode."""
        if not self._inserting:
            editor.batches.end()
            editor.go(on_letter(editor.text, editor.at))

    def _in_visual(self, command: VimCommand, selected: Selected, editor: Editor) -> None:
        text, at, name = editor.text, selected.at, command.name
        if name in ("v", "V"):
            look: Look = "visual" if name == "v" else "lines"
            if look == selected.look:
                self._deselect(editor)
            else:
                self._select(replace(selected, look=look), editor)
        elif name in ("o", "O"):
            self._select(Selected(at, selected.anchor, selected.look), editor)
        elif name:
            self._change_selected(command, selected, editor)
        elif found := object_of(command, text, at):
            look = "lines" if found.lines else selected.look
            self._select(Selected(found.start, max(found.start, found.end - 1), look), editor)
        elif command.motion[0] not in ("i", "a"):
            to = target(command, text, at)
            to = at if to is None else on_letter(text, to)
            self._select(replace(selected, at=to), editor)

    def _change_selected(self, command: VimCommand, selected: Selected, editor: Editor) -> None:
        name, span = command.name, selected.span(editor.text)
        if command.motion == name:
            selected = replace(selected, look="lines")
            span = selected.span(editor.text)
        if name in ACTS and name != "y":
            self._last = selected.as_command(name, editor.text) or self._last
        self._deselect(editor)
        editor.go(span.start)
        editor.batches.begin()
        match name:
            case "p" | "P":
                changes.put_over(editor, span)
            case "r":
                changes.replace(editor, span, command.letter)
            case "J":
                breaks = editor.text.count("\n", span.start, span.end - span.lines)
                changes.join(editor, max(1, breaks))
            case _:
                self._act(name, span, editor)
        self._rest(editor)

    def _select(self, selected: Selected, editor: Editor) -> None:
        self._selected = self._before = selected
        editor.mark(*selected.shown(editor.text))

    def _deselect(self, editor: Editor) -> None:
        if self._selected:
            at, self._selected = self._selected.at, None
            editor.go(on_letter(editor.text, at))

    def _escape(self, editor: Editor) -> str:
        """Forget what is pending, or else what is selected; the key if there was neither."""
        if self.pending:
            self.pending = ""
            return ""
        if self._selected is None:
            return "escape"
        self._deselect(editor)
        return ""

    def _enter_insert(self, editor: Editor) -> None:
        self._inserting = True
        self._around = editor.text[: editor.at], editor.text[editor.at :]

    def _leave_insert(self, editor: Editor) -> None:
        self._inserting = False
        if self._around is not None:
            self._inserted = _between(editor.text, *self._around)
            if self._last and self._last.name in TIMES and self._inserted:
                editor.put(self._inserted * ((self._last.count or 1) - 1))
            self._around = None
        editor.batches.end()
        editor.go(max(line_start(editor.text, editor.at), editor.at - 1))

    def _repeat(self, count: int | None, editor: Editor) -> None:
        """Do the last change once more."""
        if self._last is None:
            return
        inserted = self._inserted
        self._change(replace(self._last, count=count or self._last.count), editor)
        if self._inserting:
            editor.put(inserted)
            self._leave_insert(editor)

    def _sought_again(self, command: VimCommand, text: str, at: int) -> VimCommand:
        """Remember what is sought in the line; seek it again for `;` and `,`."""
        if command.motion in SEEKS:
            self._sought = command
        if command.motion not in AGAIN:
            return command
        before = self._sought
        motion = before.motion if command.motion == ";" else OTHER_WAY[before.motion]
        beside = {"t": at + 1, "T": at - 1}.get(motion, -1)
        count = command.count or 1
        count += beside >= 0 and text[beside : beside + 1] == before.letter  # it is there already
        return replace(command, motion=motion, letter=before.letter, count=count)


def _between(text: str, before: str, after: str) -> str:
    """What came between two parts of a text; nothing if they have changed."""
    inside = len(text) >= len(before) + len(after)
    if not (inside and text.startswith(before) and text.endswith(after)):
        return ""
    return text[len(before) : len(text) - len(after)]


def _by_rows(command: VimCommand, editor: Editor) -> str:
    """Up and down as the text is wrapped; at its edge the key is one for the history."""
    up = command.motion == "k"
    for number in range(min(command.count or 1, MOST)):
        if editor.cursor_row == (0 if up else editor.last_row):
            return "" if number else ("up" if up else "down")
        (editor.action_cursor_up if up else editor.action_cursor_down)()
    return ""
