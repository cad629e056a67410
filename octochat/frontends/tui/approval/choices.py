"""How a question for permission is answered: what may be chosen next, and what a choice means.

A state machine without widgets: keys go in, rows to show or a verdict come out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, cast

from octochat.frontends.tui.approval.body import covered
from octochat.frontends.tui.approval.hunks import Hunk, note, only, part_of, parts_of
from octochat.frontends.tui.input.completion import Choice
from octochat.permissions.ask import (
    AllowAlways,
    AllowOnce,
    AllowPart,
    AllowSession,
    Approval,
    Deny,
    Verdict,
)
from octochat.permissions.rules import covers
from octochat.permissions.widths import Width, said, understood
from octochat.tools.base import Access, Amended
from octochat.tools.facts import facts_of

READ_BYTES = 1_000_000
"""Largest file whose change is offered in parts."""
Lasting: TypeAlias = Callable[[Width], Verdict]


@dataclass(frozen=True, slots=True)
class Asking:
    """What is shown below the question."""

    rows: tuple[Choice, ...]
    keys: str
    """What the keys do, in short."""
    place: int = 0
    """The row that is chosen."""
    line: str | None = None
    """What stands in the line to be written; None where there is none."""
    placeholder: str = ""
    said: str = ""
    """A sentence about the line."""
    details: tuple[str, ...] = ()
    """For each row what a short label may hide; said of the one that is chosen."""
    wrong: bool = False
    """The line can't be taken as it is."""
    parts: bool = False
    """The rows are the parts of the change: the chosen one is to be seen."""


class ApprovalChoices:
    """The way from a question to a verdict."""

    def __init__(
        self, approval: Approval, past: Sequence[tuple[str, Access]], folder: Path
    ) -> None:
        self._approval = approval
        self._past = past
        self._folder = folder
        self._old = self._new = ""
        self.parts: tuple[Hunk, ...] = ()
        self._accepted: set[int] = set()
        self._why = ""
        """What was written of why not, when the line was left."""
        self._lasting: Lasting = AllowSession
        self._step: Callable[[str, int, str], Asking | Verdict] = self._at_first

    def compare(self) -> None:
        """Take a change of a file apart. Reads the file: for a thread."""
        call, access = self._approval.call, self._approval.access
        facts = facts_of(call)
        texts = facts.texts(call)
        if texts is None or access.path is None:
            return
        if facts.several in call.arguments:
            self.parts = tuple(part_of(*pair) for pair in facts.pairs(call))
            return
        old, new = texts if facts.old_text else (_read(access.path), texts[1])
        if old:
            self._old, self._new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
            self.parts = parts_of(self._old, self._new)

    def press(self, key: str, place: int, line: str) -> Asking | Verdict:
        """What comes of a key, with the row that is chosen and the line as it stands."""
        return self._step(key.lower(), place, line)

    def edited(self, line: str) -> Asking:
        """What to show when the line has changed."""
        return self._pattern(line) if self._step == self._at_pattern else self._reason(line)

    def first(self) -> Asking:
        """What can be answered at all."""
        self._step = self._at_first
        rows = [
            Choice("y", "y  Yes, once", brief="y yes"),
            Choice("s", "s  Yes, for this session …", "until octochat ends", brief="s session …"),
            Choice("a", "a  Yes, always …", "remembered for this folder", brief="a always …"),
            Choice("n", "n  No …", "and say why", brief="n no …"),
        ]
        if len(self.parts) > 1:
            parts = f"{len(self.parts)} parts"
            rows.insert(1, Choice("p", "p  Yes, parts of it …", parts, brief="p parts …"))
        return Asking(tuple(rows), "Enter answers · Esc no")

    def _at_first(self, key: str, place: int, _line: str) -> Asking | Verdict:
        rows = self.first().rows
        match rows[place].insert if key == "enter" else key:
            case "y":
                return AllowOnce()
            case "p" if len(self.parts) > 1:
                self._accepted = set(range(len(self.parts)))
                return self._choosing(0)
            case "s":
                self._lasting = AllowSession
                return self._widths(0)
            case "a":
                self._lasting = AllowAlways
                return self._widths(0)
            case "n":
                return self._reason(self._why)
            case "escape":
                return Deny()
            case _:
                return replace(self.first(), place=place)

    def _widths(self, place: int) -> Asking:
        self._step = self._at_widths
        rows = [Choice(said(each), said(each), self._covered(each)) for each in self._offered()]
        rows.append(Choice("e", "e  Another pattern …"))
        what = "Always" if self._lasting is AllowAlways else "This session"
        whole = tuple(said(each) if len(each) > 1 else "" for each in self._offered())
        keys = f"{what} · Enter takes · Esc back"
        return Asking(tuple(rows), keys, place, details=(*whole, ""))

    def _at_widths(self, key: str, place: int, _line: str) -> Asking | Verdict:
        offered = self._offered()
        if key == "escape":
            return self.first()
        if key == "e" or (key == "enter" and place == len(offered)):
            chosen = offered[min(place, len(offered) - 1)]
            return self._pattern(said(chosen))
        if key == "enter":
            return self._lasting(offered[place])
        return self._widths(place)

    def _pattern(self, line: str) -> Asking:
        self._step = self._at_pattern
        keys = "Enter takes · Esc back"
        try:
            told, wrong = self._reach(understood(line)), False
        except ValueError as error:
            told, wrong = str(error), True
        return Asking((), keys, line=line, said=told, wrong=wrong)

    def _at_pattern(self, key: str, _place: int, line: str) -> Asking | Verdict:
        if key == "escape":
            return self._widths(0)
        try:
            rules = understood(line)
        except ValueError:
            return self._pattern(line)
        return self._lasting(rules)

    def _reason(self, line: str) -> Asking:
        self._step = self._at_reason
        return Asking(
            (), "Enter says no · Esc back", line=line, placeholder="Why not; the model reads it"
        )

    def _at_reason(self, key: str, _place: int, line: str) -> Asking | Verdict:
        self._why = line
        return self.first() if key == "escape" else Deny(line.strip())

    def _choosing(self, place: int) -> Asking:
        self._step = self._at_parts
        rows = tuple(
            Choice(
                str(number),
                f"[{'x' if number in self._accepted else ' '}] part {number + 1}",
                _in_short(part),
            )
            for number, part in enumerate(self.parts)
        )
        keys = "Space marks · Enter accepts what is marked · Esc back"
        return Asking(rows, keys, place, parts=True)

    def _at_parts(self, key: str, place: int, _line: str) -> Asking | Verdict:
        match key:
            case "escape":
                return self.first()
            case "space" | " " | "x":
                self._accepted ^= {place}
                return self._choosing(place)
            case "enter":
                return self._partly()
            case _:
                return self._choosing(place)

    def _partly(self) -> Verdict:
        if len(self._accepted) == len(self.parts):
            return AllowOnce()
        if not self._accepted:
            return Deny("no part of this change was accepted")
        given, facts = self._approval.call.arguments, facts_of(self._approval.call)
        key, what = facts.new_text, only(self._old, self._new, self.parts, self._accepted)
        if isinstance(edits := given.get(facts.several), list):
            listed = cast("list[object]", edits)
            key, what = facts.several, [listed[number] for number in sorted(self._accepted)]
        return AllowPart(Amended({**given, key: what}, note(self.parts, self._accepted)))

    def _offered(self) -> Sequence[Width]:
        return self._approval.widths

    def _reach(self, rules: Width) -> str:
        """What rules that were written by hand cover, this call first."""
        this = [(self._approval.call.name, self._approval.access)]
        but = "" if covers(rules, this, self._folder) else "not this call, which runs once; "
        return f"covers {but}{self._covered(rules)}"

    def _covered(self, rules: Width) -> str:
        return covered(rules, covers(rules, self._past, self._folder))


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > READ_BYTES:
            return None
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _in_short(part: Hunk) -> str:
    text = next((line.strip() for line in (*part.added, *part.removed) if line.strip()), "")
    return f"+{len(part.added)} −{len(part.removed)}  {text}"
