"""Asks for permission in words and numbers. An empty line never permits anything."""

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from octochat.frontends.plain.keyboard import Keyboard
from octochat.frontends.shared.endings import ENDINGS
from octochat.permissions.ask import AllowAlways, AllowOnce, AllowSession, Approval, Deny, Verdict
from octochat.permissions.widths import Width, said
from octochat.text.harmless import visible

FIRST = (
    "1  yes, once",
    "2  yes, and every call like it until you leave",
    "3  yes, and every call like it in this folder from now on",
    "4  no (a reason may follow: 4 REASON)",
)
Lasting: TypeAlias = Literal["session", "always"]


class Questions:
    """An `Approver` at a terminal of lines."""

    def __init__(
        self, keyboard: Keyboard, say: Callable[[str], None], call: Callable[[], None]
    ) -> None:
        """`say` prints a line, `call` calls a person who has waited long."""
        self._keyboard = keyboard
        self._say = say
        self._call = call

    async def ask(self, approval: Approval) -> Verdict:
        """The answer, however long it takes. Ctrl-D is a no, Ctrl-C a no that ends the turn."""
        for line in approval_lines(approval):
            self._say(line)
        self._call()
        with _signals_end_reading():
            try:
                return self._verdict(approval)
            except EOFError:
                self._say("")
                return Deny()
            except KeyboardInterrupt:  # the loop hears of it as well, and ends the turn
                self._say("")
                return Deny()

    def _verdict(self, approval: Approval) -> Verdict:
        while True:
            for line in FIRST:
                self._say(line)
            word, _, reason = self._keyboard.answer().partition(" ")
            match word.lower():
                case "1":
                    return AllowOnce()
                case "2" | "3" if rules := self._width(approval):
                    return AllowSession(rules) if word == "2" else AllowAlways(rules)
                case "4" | "n" | "no":
                    return Deny(reason.strip() or self._reason())
                case _:
                    self._say("Please answer with a number from 1 to 4.")

    def _width(self, approval: Approval) -> Width | None:
        """How much is allowed; None: back to the question."""
        offered = approval.widths
        self._say("What exactly?")
        for number, each in enumerate(offered, 1):
            self._say(f"{number}  {visible(said(each))}")
        self._say(f"{len(offered) + 1}  back")
        while True:
            answer = self._keyboard.answer()
            if answer == str(len(offered) + 1):
                return None
            if answer.isdecimal() and 1 <= int(answer) <= len(offered):
                return offered[int(answer) - 1]
            self._say(f"Please answer with a number from 1 to {len(offered) + 1}.")

    def _reason(self) -> str:
        self._say("Why not? The model reads it. (Empty for no reason.)")
        return self._keyboard.answer()


def approval_lines(approval: Approval) -> Iterator[str]:
    """Who wants what, in full."""
    access, name = approval.access, approval.call.name
    where = "" if access.inside else ", outside the working folder"
    match access.kind:
        case "run":
            yield f"Question: {name} wants to run:"
            yield from (f"  {line}" for line in visible(access.target).split("\n"))
        case "write":
            verb = "create" if access.makes_file else "change"
            yield f"Question: {name} wants to {verb} {visible(access.target)}{where}:"
            yield from (f"  {line}" for line in visible(access.preview).splitlines())
        case "read":
            yield f"Question: {name} wants to read {visible(access.target)}{where}."
        case "call" | "none":
            yield f"Question: {name} wants to run."
    yield from (f"Careful: this {words}." for words in approval.dangers)
    if access.kind in ("read", "none") or not (access.preview or access.kind == "run"):
        rest = {k: v for k, v in approval.call.arguments.items() if str(v) != access.target}
        yield from (f"  {visible(key)}: {visible(str(value))}" for key, value in rest.items())


@contextmanager
def _signals_end_reading() -> Generator[None]:
    """Let Ctrl-C, or who ends octochat, end the reading of a line, which the loop waits for."""
    heard = (signal.SIGINT, *ENDINGS)
    before = [signal.signal(each, signal.default_int_handler) for each in heard]
    try:
        yield
    finally:
        for each, handler in zip(heard, before, strict=True):
            signal.signal(each, handler)
