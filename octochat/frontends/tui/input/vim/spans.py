"""From a command and a place to the part of the text that it is about. Pure functions."""

from dataclasses import dataclass

from octochat.frontends.tui.input.vim.grammar import Look, VimCommand
from octochat.frontends.tui.input.vim.lines import line_end, line_start, whole_lines
from octochat.frontends.tui.input.vim.motions import CHANGE_WORD, MOTIONS, SEEKS, Motion, seek
from octochat.frontends.tui.input.vim.objects import OBJECTS, WHOLE_LINES


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the text."""

    start: int
    end: int
    """Not included."""
    lines: bool = False
    """It is whole lines, the last line break included where there is one."""


@dataclass(frozen=True, slots=True)
class Selected:
    """What is selected in visual mode."""

    anchor: int
    """Where it began."""
    at: int
    """Where the cursor stands: the character there is selected too."""
    look: Look = "visual"

    def span(self, text: str) -> Span:
        """The part of the text."""
        first, last = sorted((self.anchor, self.at))
        if self.look == "lines":
            return Span(*whole_lines(text, first, last), lines=True)
        return Span(first, min(len(text), last + 1))

    def shown(self, text: str) -> tuple[int, int]:
        """What is to be marked, from the anchor's side to the cursor's.

        A character under the cursor looks selected by itself, so that the cursor stays on it.
        """
        forth = self.at >= self.anchor
        if self.look == "lines":
            ends = (line_start, line_end) if forth else (line_end, line_start)
            return ends[0](text, self.anchor), ends[1](text, self.at)
        return self.anchor + (not forth), self.at

    def as_command(self, name: str, text: str) -> VimCommand | None:
        """The command of normal mode that does the same to as much text; None if there is none."""
        span = self.span(text)
        if span.lines:
            return VimCommand(
                name, text.count("\n", span.start, max(self.at, self.anchor)) + 1, name
            )
        length = span.end - span.start
        return None if "\n" in text[span.start : span.end] else VimCommand(name, length, "l")


def target(command: VimCommand, text: str, at: int) -> int | None:
    """Where a motion leads; None if it leads nowhere."""
    return _motion(command).move(text, at, command.count)


def object_of(command: VimCommand, text: str, at: int) -> Span | None:
    """The object around a place; None if the command is about none, or there is none."""
    how, name = command.motion[:1], command.motion[1:]
    if how not in ("i", "a") or name not in OBJECTS:
        return None
    found = OBJECTS[name](text, at, how)
    return Span(*found, lines=name in WHOLE_LINES) if found else None


def span_of(command: VimCommand, text: str, at: int) -> Span | None:
    """What an operator is to act on; None if that is nothing."""
    if command.motion == command.name:
        down = (command.count or 1) - 1
        last = MOTIONS["j"].move(text, at, down) if down else at
        return Span(*whole_lines(text, at, at if last is None else last), lines=True)
    if command.motion[0] in ("i", "a"):
        return object_of(command, text, at)
    motion = _motion(command)
    if command.name == "c" and command.motion in CHANGE_WORD and text[at : at + 1].strip():
        motion = CHANGE_WORD[command.motion]
    to = motion.move(text, at, command.count)
    if to is None:
        return None
    start, end = sorted((at, to))
    match motion.kind:
        case "lines":
            stuck = to == at and command.motion in ("j", "k")
            return None if stuck else Span(*whole_lines(text, start, end), lines=True)
        case "onto":
            return Span(start, min(len(text), end + 1))
        case "to":
            return Span(start, _word_ends(text, start, end) if command.motion in "wW" else end)


def _motion(command: VimCommand) -> Motion:
    if command.motion in SEEKS:
        return seek(command.letter, command.motion)
    return MOTIONS[command.motion]


def _word_ends(text: str, start: int, end: int) -> int:
    """Words end with their line: the break after the last one is not among what `dw` takes."""
    end_of_word = start + len(text[start:end].rstrip())
    if "\n" not in text[end_of_word:end]:
        return end
    return end_of_word if end_of_word > start else line_end(text, start)
