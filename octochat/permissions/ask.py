"""Asks for permission and remembers the answers. What the rules mean stands in `rules.py`."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from octochat.context.session.content import ToolCall
from octochat.permissions import refusals
from octochat.permissions.danger import dangers
from octochat.permissions.modes import Mode
from octochat.permissions.rule import Rule
from octochat.permissions.rules import Allowed, Ask, Decision, Denied, Rules, advised, decide
from octochat.permissions.widths import Width, widths
from octochat.tools.base import Access, Amended, HookAdvice, Permitted


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person is asked."""

    call: ToolCall
    access: Access
    widths: tuple[Width, ...]
    """What "always" could mean, the narrowest first."""
    dangers: tuple[str, ...] = ()
    """What deserves a second look, a few words each."""


@dataclass(frozen=True, slots=True)
class AllowOnce:
    """Yes, this time."""


@dataclass(frozen=True, slots=True)
class AllowSession:
    """Yes, and all that the rules cover until octochat ends."""

    rules: Width


@dataclass(frozen=True, slots=True)
class AllowAlways:
    """Yes, and all that the rules cover in this folder from now on."""

    rules: Width


@dataclass(frozen=True, slots=True)
class Deny:
    """No. The model gets the reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class AllowPart:
    """Yes, this time, to a part of it."""

    amended: Amended


@dataclass(frozen=True, slots=True)
class NobodyToAsk:
    """There is no answer: this run has nobody who could give one."""


Verdict: TypeAlias = AllowOnce | AllowPart | AllowSession | AllowAlways | Deny | NobodyToAsk


Answer: TypeAlias = str | Amended | Permitted | None
"""None if a call may run, `Permitted` if there is something to say of that, `Amended` if changed;
else why not, in words for the model."""


class Approver(Protocol):
    """Someone who can be asked."""

    async def ask(self, approval: Approval) -> Verdict:
        """The answer, however long it takes."""
        ...


@dataclass(frozen=True, slots=True)
class Headless:
    """Where nobody can be asked."""

    async def ask(self, approval: Approval) -> Verdict:  # noqa: ARG002
        """That there is nobody."""
        return NobodyToAsk()


def forgotten(rule: Rule) -> None:
    """Where "always" lasts as long as the session: no file remembers it."""


def ignore_trouble(text: str) -> None:
    """Where nobody wants to know what went wrong."""


@dataclass(frozen=True, slots=True)
class Granted:
    """A rule that came of an answer."""

    rule: Rule
    lasting: bool
    """The file of the "always" answers has it."""


class Permissions:
    """What the engine asks before it runs a tool."""

    def __init__(
        self,
        rules: Rules,
        approver: Approver,
        *,
        mode: Mode = "ask",
        remember: Callable[[Rule], None] = forgotten,
        forget: Callable[[Rule], None] = forgotten,
        always: Sequence[Rule] = (),
        tell: Callable[[str], None] = ignore_trouble,
    ) -> None:
        """Make them.

        Args:
            rules: all that hold, those of earlier answers included.
            approver: who is asked.
            mode: how much is asked at first.
            remember: writes an "always" down.
            forget: takes one out of its file again.
            always: the rules among `rules` that came of earlier answers.
            tell: hears one line where writing fails.
        """
        self.granted: list[Granted] = [Granted(rule, lasting=True) for rule in always]
        """What came of answers, those of earlier sessions in this folder first."""
        self._forget = forget
        self.rules: Rules = rules
        """The rules as they stand, those of this session included."""
        self._approver = approver
        self.mode: Mode = mode
        """The mode that holds now."""
        self._remember = remember
        self._tell = tell
        self._turn = asyncio.Lock()

    async def check(
        self, tool: str, call: ToolCall, access: Access, hook: HookAdvice | None = None
    ) -> Answer:
        """What becomes of the call.

        Asks the person where the rules leave it open; one question at a time. A hook may spare the
        question or want one, and no more: docs/hooks.md#tool-calls.
        """
        async with self._turn:
            decision = advised(self._decided(tool, access), hook, access, self.rules)
            match decision:
                case Allowed():
                    return None
                case Denied(why, rule):
                    told = (why, access, tool, self.rules, self.mode)
                    return refusals.denied(*told) if rule else why
                case Ask():
                    offered = widths(access, tool, self.rules)
                    doubts = dangers(access, self.rules.scratch)
                    if hook and hook.decision == "ask":
                        doubts = (
                            *doubts,
                            f"a hook asks: {hook.reason}" if hook.reason else "a hook asks",
                        )
                    approval = Approval(call, access, offered, doubts)
                    verdict = await self._approver.ask(approval)
                    if isinstance(verdict, NobodyToAsk):
                        return refusals.unasked(decision, access, tool, self.rules, self.mode)
                    return self._carried_out(verdict, tool)

    def may_show(self, tool: str, access: Access) -> bool:
        """Whether the model may see what is in the file that a call failed to change.

        It may if it may read the file; or if the person is asked about either.
        """
        reading = self._reading(access)
        if isinstance(reading, Ask):
            return isinstance(decide(access, tool, self.rules, self.mode), Ask)
        return isinstance(reading, Allowed)

    def _reading(self, access: Access) -> Decision:
        reading = replace(access, kind="read")
        return decide(reading, reading.kind, self.rules, self.mode)

    def _decided(self, tool: str, access: Access) -> Decision:
        decision = decide(access, tool, self.rules, self.mode)
        if access.fault and isinstance(decision, Ask):
            # Nobody is asked about what fails anyway; but the failure tells what is in the file.
            return Denied(access.fault) if self._reading(access) == Allowed() else decision
        return decision

    def _carried_out(
        self, verdict: AllowOnce | AllowPart | AllowSession | AllowAlways | Deny, tool: str
    ) -> Answer:
        match verdict:
            case AllowOnce():
                return None
            case AllowPart(amended):
                return amended
            case AllowSession(rules):
                return self._added(rules, tool, lasting=False)
            case AllowAlways(rules):
                return self._added(rules, tool, lasting=self._kept(rules))
            case Deny(reason):
                return refusals.said_no(reason)

    def take_back(self, granted: Granted) -> None:
        """Ask again about what an answer has allowed.

        Raises:
            OSError: the file of the "always" answers can't be written; nothing has changed.
            ValueError: that file is not of the form any more; nothing has changed.
        """
        if granted.lasting:
            self._forget(granted.rule)
        self.granted.remove(granted)
        allow = list(self.rules.allow)
        allow.remove(granted.rule)
        self.rules = replace(self.rules, allow=tuple(allow))

    def _added(self, rules: Width, tool: str, *, lasting: bool) -> Permitted | None:
        """Take the rules in; where they allow less than it seems, both sides are told."""
        self.rules = replace(self.rules, allow=(*self.rules.allow, *rules))
        self.granted += [Granted(rule, lasting) for rule in rules]
        denied = (refusals.still_asked(rule, tool, self.rules) for rule in rules)
        denying = next((rule for rule in denied if rule), None)
        if denying is None:
            return None
        self._tell(refusals.told_to_person(tool, denying))
        return Permitted(refusals.told_to_model(tool, denying))

    def _kept(self, rules: Width) -> bool:
        """Write the rules down; whether that worked."""
        try:
            for rule in rules:
                self._remember(rule)
        except (OSError, UnicodeError) as error:
            what = " and ".join(map(str, rules))
            self._tell(f"{what} could not be saved and lasts for this session only: {error}")
            return False
        return True
