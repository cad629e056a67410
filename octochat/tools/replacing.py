"""Replacements in a text file, one after the other, all or none; its line ends stay as they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from octochat.context.session.tool_marks import without_numbers
from octochat.tools.base import RevealingError
from octochat.tools.change import Change
from octochat.tools.near_miss import ambiguous, no_single_place, not_found
from octochat.tools.paths import missing
from octochat.tools.seen import Seen
from octochat.tools.textfile import Form, load


@dataclass(frozen=True, slots=True)
class Replacement:
    """One text that gives way to another."""

    old: str
    new: str
    everywhere: bool = False
    """Every occurrence, not just one."""

    @property
    def unnumbered(self) -> "Replacement | None":
        """The same without numbers before its lines, as `read` shows them; None without any."""
        old = without_numbers(self.old)
        if not old:
            return None
        new = without_numbers(self.new)
        return Replacement(old, self.new if new is None else new, self.everywhere)


def replacing(
    path: Path, shown: str, wanted: Sequence[Replacement], most_bytes: int, seen: Seen
) -> Change:
    """What the replacements would change.

    Raises:
        ToolError: there is no such file, it has changed unseen, or a text is not in it exactly
            once.
    """
    try:
        file = load(path, shown, most_bytes)
    except FileNotFoundError as error:
        raise missing(shown, path) from error
    seen.check(path, shown, file.text)
    text, replaced = file.text, 0
    for number, each in enumerate(wanted, 1):
        try:
            text, places = _replaced(text, each, shown, file.form.newline)
        except RevealingError as error:
            if len(wanted) == 1:
                raise
            said = f"edit {number} of {len(wanted)} can't be made, so none was: "
            raise RevealingError(f"{said}{error.bare}", f"{said}{error}") from error
        replaced += places
    # The pieces have their line ends already: encoding must leave them alone.
    form = Form(file.form.mark, file.form.encoding, errors=file.form.errors)
    return Change(file.text, text, form, replaced=replaced)


def _replaced(text: str, wanted: Replacement, shown: str, newline: str) -> tuple[str, int]:
    """The new text, and how many places were changed."""
    wanted = _plain(wanted)
    places = _places(text, wanted.old)
    if not places and (unnumbered := wanted.unnumbered):
        wanted, places = unnumbered, _places(text, unnumbered.old)
    bare = no_single_place(shown, len(places))
    if not places:
        told = not_found(shown, text.replace("\r\n", "\n"), wanted.old, wanted.new)
        raise RevealingError(bare, told)
    if len(places) > 1 and not wanted.everywhere:
        raise RevealingError(bare, ambiguous(shown, text, [start for start, _ in places]))
    pieces: list[str] = []
    at = 0
    for start, end in places:
        ends = text[start:end]
        own = newline if "\n" not in ends else ("\r\n" if "\r\n" in ends else "\n")
        pieces += (text[at:start], wanted.new.replace("\n", own))
        at = end
    return "".join((*pieces, text[at:])), len(places)


def _plain(wanted: Replacement) -> Replacement:
    old, new = (text.replace("\r\n", "\n") for text in (wanted.old, wanted.new))
    return Replacement(old, new, wanted.everywhere)


def _places(text: str, wanted: str) -> Sequence[tuple[int, int]]:
    r"""Where `wanted` stands; its `\n` stands for `\r\n` as well."""
    plain = text.replace("\r\n", "\n")
    starts = _starts(plain, wanted)
    if len(plain) == len(text):
        return [(start, start + len(wanted)) for start in starts]
    # How many carriage returns were taken out before each place, found by walking along.
    found: list[tuple[int, int]] = []
    real = at = 0
    for start in starts:
        begin = _advance(text, real, start - at)
        real, at = _advance(text, begin, len(wanted)), start + len(wanted)
        found.append((begin, real))
    return found


def _starts(text: str, wanted: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + len(wanted))


def _advance(text: str, start: int, characters: int) -> int:
    r"""The place so many characters on, `\r\n` counted as one."""
    while characters:
        window = text[start : start + characters]
        characters = window.count("\r\n") + (
            window.endswith("\r") and text.startswith("\n", start + len(window))
        )
        start += len(window)
    return start
