"""A small layer of vim's modes over the input: enough to move, change, delete, put and undo.

It knows counts, the operators d, c and y with motions, and the commands in `COMMANDS`; there are
no visual mode, no registers and no searching.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

from textual import events

from octochat.tui.editor import Editor


class Vim:
    """The mode and the keys that wait for more."""

    def __init__(self) -> None:
        self.mode: Literal["insert", "normal"] = "insert"
        self.pending: str = ""

    def press(self, event: events.Key, editor: Editor) -> bool:
        """Whether the key was vim's; in normal mode every printable one is."""
        if self.mode == "insert":
            if event.key == "escape":
                self.mode = "normal"
                editor.go(max(_line_start(editor.text, editor.at), editor.at - 1))
                return True
            return False
        if event.key == "escape":
            waited = bool(self.pending)
            self.pending = ""
            return waited
        if event.key == "ctrl+r":
            editor.redo()
            return True
        if event.character is None or not event.character.isprintable():
            self.pending = ""
            return False
        self.pending += event.character
        if self._carry_out(editor):
            self.pending = ""
        return True

    def _carry_out(self, editor: Editor) -> bool:
        """Carry out what is pending; False while more must come."""
        parsed = re.fullmatch(r"([1-9]\d*)?([dcy])?([1-9]\d*)?(g|r)?(.)?", self.pending)
        if parsed is None:
            return True
        first, operator, second, prefix, key = parsed.groups()
        if key is None:
            return False
        count = int(first or 1) * int(second or 1)
        name = (prefix or "") + key
        if operator:
            self._operate(operator, name, min(count, 9999), editor)
        elif prefix == "r":
            _replace(editor, key)
        elif name in COMMANDS:
            self.mode = COMMANDS[name](editor, min(count, 9999))
        elif (to := _target(editor.text, editor.at, name, count)) is not None:
            editor.go(to)
        return True

    def _operate(self, operator: str, motion: str, count: int, editor: Editor) -> None:
        text, at = editor.text, editor.at
        if motion == operator:
            start, end = _lines(text, at, count)
        else:
            to = _target(text, at, motion, count)
            if to is None:
                return
            start, end = sorted((at, to))
            if motion in "e$":
                end = min(len(text), end + (motion == "e"))
        lines = motion == operator
        kept = text[start:end].removesuffix("\n") + "\n" if lines else text[start:end]
        if operator == "y":
            editor.killed = kept
            editor.go(start)
            return
        if lines and operator == "c":
            end -= text[start:end].endswith("\n")
        elif lines and end == len(text) and not text.endswith("\n"):
            start = max(0, start - 1)  # the last line goes with the break before it
        editor.cut(start, end)
        editor.killed = kept
        if operator == "c":
            self.mode = "insert"


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _lines(text: str, at: int, count: int) -> tuple[int, int]:
    start = _line_start(text, at)
    end = start
    for _ in range(count):
        end = min(len(text), _line_end(text, end) + 1)
    return start, end


def _next_word(text: str, at: int) -> int:
    found = re.compile(r"(?:\w+|[^\w\s]+)?\s*").match(text, at)
    return found.end() if found else at


def _word_end(text: str, at: int) -> int:
    found = re.compile(r"\s*(?:\w+|[^\w\s]+)").match(text, at + 1)
    return found.end() - 1 if found else max(at, len(text) - 1)


def _word_back(text: str, at: int) -> int:
    found = re.search(r"(?:\w+|[^\w\s]+)\s*$", text[:at])
    return found.start() if found else 0


def _below(text: str, at: int) -> int:
    column = at - _line_start(text, at)
    end = _line_end(text, at)
    if end == len(text):
        return at
    return min(end + 1 + column, _line_end(text, end + 1))


def _above(text: str, at: int) -> int:
    start = _line_start(text, at)
    if start == 0:
        return at
    return min(_line_start(text, start - 1) + at - start, start - 1)


def _first_letter(text: str, at: int) -> int:
    start = _line_start(text, at)
    line = text[start : _line_end(text, at)]
    return start + len(line) - len(line.lstrip())


MOTIONS: Mapping[str, Callable[[str, int], int]] = {
    "h": lambda text, at: max(_line_start(text, at), at - 1),
    "l": lambda text, at: min(_line_end(text, at), at + 1),
    " ": lambda text, at: min(len(text), at + 1),
    "j": _below,
    "k": _above,
    "w": _next_word,
    "e": _word_end,
    "b": _word_back,
    "0": _line_start,
    "^": _first_letter,
    "$": _line_end,
    "gg": lambda _text, _at: 0,
    "G": lambda text, _at: len(text),
}


def _target(text: str, at: int, motion: str, count: int) -> int | None:
    move = MOTIONS.get(motion)
    if move is None:
        return None
    for _ in range(count):
        to = move(text, at)
        if to == at:
            break
        at = to
    return at


def _replace(editor: Editor, character: str) -> None:
    at = editor.at
    if at < _line_end(editor.text, at):
        editor.replace(character, editor.location(at), editor.location(at + 1))
        editor.go(at)


def _put(editor: Editor, at: int) -> None:
    if "\n" in editor.killed:
        end = _line_end(editor.text, at)
        editor.go(end)
        editor.put("\n" + editor.killed.removesuffix("\n"))
        editor.go(end + 1)
    else:
        editor.go(at)
        editor.put(editor.killed)


def _insert_at(place: Callable[[str, int], int]) -> Callable[[Editor, int], Literal["insert"]]:
    def command(editor: Editor, _count: int) -> Literal["insert"]:
        editor.go(place(editor.text, editor.at))
        return "insert"

    return command


def _change(cut: Callable[[Editor, int], None]) -> Callable[[Editor, int], Literal["insert"]]:
    def command(editor: Editor, count: int) -> Literal["insert"]:
        cut(editor, count)
        return "insert"

    return command


def _stay(act: Callable[[Editor, int], None]) -> Callable[[Editor, int], Literal["normal"]]:
    def command(editor: Editor, count: int) -> Literal["normal"]:
        act(editor, count)
        return "normal"

    return command


def _cut_characters(editor: Editor, count: int) -> None:
    editor.cut(editor.at, min(_line_end(editor.text, editor.at), editor.at + count))


def _cut_before(editor: Editor, count: int) -> None:
    editor.cut(max(_line_start(editor.text, editor.at), editor.at - count), editor.at)


def _cut_rest(editor: Editor, _count: int) -> None:
    editor.cut(editor.at, _line_end(editor.text, editor.at))


def _open_below(editor: Editor, _count: int) -> None:
    editor.go(_line_end(editor.text, editor.at))
    editor.put("\n")


def _open_above(editor: Editor, _count: int) -> None:
    start = _line_start(editor.text, editor.at)
    editor.go(start)
    editor.put("\n")
    editor.go(start)


def _join(editor: Editor, _count: int) -> None:
    end = _line_end(editor.text, editor.at)
    if end < len(editor.text):
        editor.replace(" ", editor.location(end), editor.location(end + 1))
        editor.go(end)


def _undo(editor: Editor, count: int) -> None:
    for _ in range(min(count, 100)):
        editor.undo()


COMMANDS: Mapping[str, Callable[[Editor, int], Literal["insert", "normal"]]] = {
    "i": _insert_at(lambda _text, at: at),
    "a": _insert_at(lambda text, at: min(_line_end(text, at), at + 1)),
    "I": _insert_at(_first_letter),
    "A": _insert_at(_line_end),
    "o": _change(_open_below),
    "O": _change(_open_above),
    "s": _change(_cut_characters),
    "C": _change(_cut_rest),
    "x": _stay(_cut_characters),
    "X": _stay(_cut_before),
    "D": _stay(_cut_rest),
    "J": _stay(_join),
    "u": _stay(_undo),
    "p": _stay(lambda editor, _: _put(editor, min(len(editor.text), editor.at + 1))),
    "P": _stay(lambda editor, _: _put(editor, editor.at)),
}
