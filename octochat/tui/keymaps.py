"""What editing keys do in the input: the usual ones, and the ones that emacs has.

A third layer, vim's modes, is in `vim.py`, over the usual keys.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from octochat.tui.editor import Editor, Keymap

KeymapName: TypeAlias = Literal["default", "emacs", "vim"]


def _selecting(move: Callable[[Editor, bool], None]) -> Callable[[Editor], None]:
    return lambda editor: move(editor, True)


def _moving(move: Callable[[Editor, bool], None]) -> Callable[[Editor], None]:
    return lambda editor: move(editor, False)


def _kill_line(editor: Editor) -> None:
    """Cut to the end of the line; at the end, the line break."""
    rest = editor.text[editor.at :]
    to_end = rest.find("\n")
    editor.cut(editor.at, editor.at + (len(rest) if to_end < 0 else to_end or 1))


def _kill_to_start(editor: Editor) -> None:
    """Cut to the start of the line; at the start, the line break before it."""
    start = editor.text.rfind("\n", 0, editor.at) + 1
    editor.cut(start if start < editor.at else max(0, editor.at - 1), editor.at)


def _kill_word_left(editor: Editor) -> None:
    if not editor.selection.is_empty:
        editor.action_delete_left()
        return
    left = editor.index(editor.get_cursor_word_left_location())
    editor.cut(left, editor.at)


def _kill_word_right(editor: Editor) -> None:
    right = editor.index(editor.get_cursor_word_right_location())
    editor.cut(editor.at, right)


def _yank(editor: Editor) -> None:
    editor.put(editor.killed)


def _start_of_text(editor: Editor) -> None:
    editor.go(0)


def _end_of_text(editor: Editor) -> None:
    editor.go(len(editor.text))


USUAL: Keymap = {
    "up": _moving(Editor.action_cursor_up),
    "down": _moving(Editor.action_cursor_down),
    "left": _moving(Editor.action_cursor_left),
    "right": _moving(Editor.action_cursor_right),
    "ctrl+left": _moving(Editor.action_cursor_word_left),
    "ctrl+right": _moving(Editor.action_cursor_word_right),
    "alt+left": _moving(Editor.action_cursor_word_left),
    "alt+right": _moving(Editor.action_cursor_word_right),
    "alt+b": _moving(Editor.action_cursor_word_left),
    "alt+f": _moving(Editor.action_cursor_word_right),
    "home": _moving(Editor.action_cursor_line_start),
    "end": _moving(Editor.action_cursor_line_end),
    "ctrl+a": _moving(Editor.action_cursor_line_start),
    "ctrl+e": _moving(Editor.action_cursor_line_end),
    "ctrl+home": _start_of_text,
    "ctrl+end": _end_of_text,
    "shift+up": _selecting(Editor.action_cursor_up),
    "shift+down": _selecting(Editor.action_cursor_down),
    "shift+left": _selecting(Editor.action_cursor_left),
    "shift+right": _selecting(Editor.action_cursor_right),
    "shift+home": _selecting(Editor.action_cursor_line_start),
    "shift+end": _selecting(Editor.action_cursor_line_end),
    "ctrl+shift+left": _selecting(Editor.action_cursor_word_left),
    "ctrl+shift+right": _selecting(Editor.action_cursor_word_right),
    "backspace": Editor.delete_left,
    "delete": Editor.action_delete_right,
    "ctrl+w": _kill_word_left,
    "ctrl+backspace": _kill_word_left,
    "alt+backspace": _kill_word_left,
    "alt+d": _kill_word_right,
    "alt+delete": _kill_word_right,
    "ctrl+u": _kill_to_start,
    "ctrl+k": _kill_line,
    "ctrl+z": Editor.action_undo,
    "ctrl+underscore": Editor.action_undo,
    "ctrl+y": Editor.action_redo,
    "ctrl+x": Editor.action_cut,
    "ctrl+v": Editor.action_paste,
    "f7": Editor.action_select_all,
}
"""The keys of most editors, and those of readline that collide with none of them."""

EMACS: Keymap = {
    **USUAL,
    "ctrl+b": _moving(Editor.action_cursor_left),
    "ctrl+f": _moving(Editor.action_cursor_right),
    "ctrl+p": _moving(Editor.action_cursor_up),
    "ctrl+n": _moving(Editor.action_cursor_down),
    "ctrl+d": Editor.action_delete_right,
    "ctrl+h": Editor.delete_left,
    "ctrl+y": _yank,
    "alt+less_than_sign": _start_of_text,
    "alt+greater_than_sign": _end_of_text,
}
"""emacs: what is killed is yanked, and the letters move."""

KEYMAPS: dict[KeymapName, Keymap] = {"default": USUAL, "emacs": EMACS, "vim": USUAL}
