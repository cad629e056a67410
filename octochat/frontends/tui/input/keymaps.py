"""What editing keys do in the input: the usual ones, and the ones that emacs has.

A third layer, vim's modes, is in `vim/`, over the usual keys: it is loaded where it is wanted.
"""

import re
from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from textual import events

from octochat.frontends.tui.input.editor import Editor, Keymap

KeymapName: TypeAlias = Literal["default", "emacs", "vim"]


class EditingModes(Protocol):
    """What a key means where that depends on the keys before it, as in vim."""

    @property
    def title(self) -> str:
        """The mode in words; empty where it is the usual one."""
        ...

    def begin(self) -> None:
        """Another text comes."""

    def press(self, event: events.Key, editor: Editor) -> str:
        """Take a key; gives the one that is left for the prompt, empty if there is none."""
        ...


_WORD_AHEAD = re.compile(r"\W*\w*")
_WORD_BEFORE = re.compile(r"\w*\W*\Z")
_BLANK_BEFORE = re.compile(r"\S*\s*\Z")


def _selecting(move: Callable[[Editor, bool], None]) -> Callable[[Editor], None]:
    return lambda editor: move(editor, True)


def _moving(move: Callable[[Editor, bool], None]) -> Callable[[Editor], None]:
    return lambda editor: move(editor, editor.marking)


def _word_left(editor: Editor, select: bool) -> None:
    editor.move_cursor(editor.location(_start_of_word(editor)), select=select)


def _word_right(editor: Editor, select: bool) -> None:
    editor.move_cursor(editor.location(_end_of_word(editor)), select=select)


def _start_of_text(editor: Editor, select: bool) -> None:
    editor.move_cursor((0, 0), select=select)


def _end_of_text(editor: Editor, select: bool) -> None:
    editor.move_cursor(editor.document.end, select=select)


def _start_of_word(editor: Editor) -> int:
    found = _WORD_BEFORE.search(editor.text[: editor.at])
    return found.start() if found else 0


def _end_of_word(editor: Editor) -> int:
    found = _WORD_AHEAD.match(editor.text, editor.at)
    return found.end() if found else editor.at


def _kill_line(editor: Editor) -> None:
    """Cut to the end of the line; at the end, the line break."""
    rest = editor.text[editor.at :]
    to_end = rest.find("\n")
    editor.cut(editor.at, editor.at + (len(rest) if to_end < 0 else to_end or 1))


def _kill_to_start(editor: Editor) -> None:
    """Cut to the start of the line; at the start, the line, with the break that it leaves."""
    start = editor.text.rfind("\n", 0, editor.at) + 1
    end = editor.text.find("\n", start) + 1 or len(editor.text)
    if start < editor.at:
        editor.cut(start, editor.at)
    elif start < end:
        editor.cut(start, end)
    else:
        editor.cut(start - 1, end)


def _kill_region(editor: Editor) -> None:
    """Cut what is selected, or else back to a blank, as a shell does."""
    if editor.selection.is_empty:
        found = _BLANK_BEFORE.search(editor.text[: editor.at])
        editor.cut(found.start() if found else 0, editor.at)
    else:
        editor.cut(*editor.span)


def _kill_word_left(editor: Editor) -> None:
    editor.cut(_start_of_word(editor), editor.at)


def _kill_word_right(editor: Editor) -> None:
    editor.cut(editor.at, _end_of_word(editor))


def _copy_region(editor: Editor) -> None:
    """Keep what is selected for yanking, and leave it where it is."""
    if not editor.selection.is_empty:
        editor.kills.add(editor.selected_text)
    editor.marking = False
    editor.go(editor.at)


def _mark(editor: Editor) -> None:
    """Begin to select at the cursor, or anew where something is selected."""
    editor.go(editor.at)
    editor.marking = True


def _transpose(editor: Editor) -> None:
    """Swap the characters around the cursor, at the end of the line the two before it."""
    text, at = editor.text, editor.at
    if text[at : at + 1] in ("", "\n"):
        at -= 1
    if at > 0 and "\n" not in text[at - 1 : at + 1]:
        editor.rewrite(at - 1, at + 1, text[at] + text[at - 1])


def _transpose_words(editor: Editor) -> None:
    """Swap the word before the cursor, or around it, with the next one; else the two before it."""
    words = list(re.finditer(r"\w+", editor.text))
    after = next((n for n, word in enumerate(words) if word.end() > editor.at), len(words) - 1)
    if words and words[after].start() <= editor.at < words[after].end():
        after += 1
    after = min(after, len(words) - 1)
    if after < 1:
        return
    one, two = words[after - 1], words[after]
    between = editor.text[one.end() : two.start()]
    editor.rewrite(one.start(), two.end(), f"{two[0]}{between}{one[0]}")


def _rewriting_word(how: Callable[[str], str]) -> Callable[[Editor], None]:
    """Rewrite the rest of the word, or the next one, and go behind it."""

    def act(editor: Editor) -> None:
        start, end = editor.at, _end_of_word(editor)
        editor.rewrite(start, end, how(editor.text[start:end]))

    return act


USUAL: Keymap = {
    "up": _moving(Editor.action_cursor_up),
    "down": _moving(Editor.action_cursor_down),
    "left": _moving(Editor.action_cursor_left),
    "right": _moving(Editor.action_cursor_right),
    "ctrl+left": _moving(_word_left),
    "ctrl+right": _moving(_word_right),
    "alt+left": _moving(_word_left),
    "alt+right": _moving(_word_right),
    "alt+b": _moving(_word_left),
    "alt+f": _moving(_word_right),
    "home": _moving(Editor.action_cursor_line_start),
    "end": _moving(Editor.action_cursor_line_end),
    "ctrl+a": _moving(Editor.action_cursor_line_start),
    "ctrl+e": _moving(Editor.action_cursor_line_end),
    "ctrl+home": _moving(_start_of_text),
    "ctrl+end": _moving(_end_of_text),
    "shift+up": _selecting(Editor.action_cursor_up),
    "shift+down": _selecting(Editor.action_cursor_down),
    "shift+left": _selecting(Editor.action_cursor_left),
    "shift+right": _selecting(Editor.action_cursor_right),
    "shift+home": _selecting(Editor.action_cursor_line_start),
    "shift+end": _selecting(Editor.action_cursor_line_end),
    "ctrl+shift+left": _selecting(_word_left),
    "ctrl+shift+right": _selecting(_word_right),
    "backspace": Editor.action_delete_left,
    "shift+backspace": Editor.action_delete_left,
    "delete": Editor.action_delete_right,
    "ctrl+w": _kill_region,
    "ctrl+backspace": _kill_word_left,
    "alt+backspace": _kill_word_left,
    "alt+d": _kill_word_right,
    "alt+delete": _kill_word_right,
    "ctrl+delete": _kill_word_right,
    "ctrl+u": _kill_to_start,
    "ctrl+k": _kill_line,
    "ctrl+t": _transpose,
    "ctrl+underscore": Editor.action_undo,
    "ctrl+shift+minus": Editor.action_undo,
    "ctrl+slash": Editor.action_undo,
    "ctrl+y": Editor.action_redo,
    "alt+y": Editor.yank,
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
    "ctrl+h": Editor.action_delete_left,
    "ctrl+y": Editor.yank,
    "alt+y": Editor.yank_older,
    "ctrl+@": _mark,
    "alt+w": _copy_region,
    "alt+t": _transpose_words,
    "alt+u": _rewriting_word(str.upper),
    "alt+l": _rewriting_word(str.lower),
    "alt+c": _rewriting_word(lambda word: re.sub(r"\w+", lambda w: w[0].capitalize(), word)),
    "alt+less_than_sign": _moving(_start_of_text),
    "alt+greater_than_sign": _moving(_end_of_text),
}
"""emacs: what is killed is yanked, and the letters move."""

KEYMAPS: dict[KeymapName, Keymap] = {"default": USUAL, "emacs": EMACS, "vim": USUAL}
