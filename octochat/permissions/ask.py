"""Asks for permission and remembers the answers. What the rules mean stands in `rules.py`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from octochat.context.session.content import ToolCall
from octochat.permissions import refusals
from octochat.permissions.modes import Mode
from octochat.permissions.rules import (
    Allowed,
    Ask,
    Decision,
    Denied,
    Rule,
    Rules,
    decide,
    widths,
)
from octochat.tools.base import Access, Amended, Permitted


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person is asked."""

    call: ToolCall
    access: Access
    widths: tuple[Rule, Rule, Rule]
    """What "always" could mean: exactly this, those like it, many more."""


@dataclass(frozen=True, slots=True)
class AllowOnce:
    """Yes, this time."""


@dataclass(frozen=True, slots=True)
class AllowSession:
    """Yes, and all that the rule covers until octochat ends."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class AllowAlways:
    """Yes, and all that the rule covers in this folder from now on."""

    rule: Rule


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


class Permissions:
    """What the engine asks before it runs a tool."""

    def __init__(
        self,
        rules: Rules,
        approver: Approver,
        *,
        mode: Mode = "ask",
        remember: Callable[[Rule], None] = forgotten,
        tell: Callable[[str], None] = ignore_trouble,
    ) -> None:
        """`remember` writes an "always" down; `tell` hears one line where that fails."""
        self._rules = rules
        self._approver = approver
        self.mode: Mode = mode
        """The mode that holds now."""
        self._remember = remember
        self._tell = tell
        self._turn = asyncio.Lock()

    @property
    def rules(self) -> Rules:
        """The rules as they stand, those of this session included."""
        return self._rules

    async def check(self, tool: str, call: ToolCall, access: Access) -> Answer:
        """What becomes of the call.

        Asks the person where the rules leave it open; one question at a time.
        """
        async with self._turn:
            decision = self._decided(tool, access)
            match decision:
                case Allowed():
                    return None
                case Denied(why, rule):
                    told = (why, access, tool, self._rules, self.mode)
                    return refusals.denied(*told) if rule else why
                case Ask():
                    approval = Approval(
                        call,
                        access,
                        widths(access, tool, self._rules.folder, self._rules.scratch),
                    )
                    verdict = await self._approver.ask(approval)
                    if isinstance(verdict, NobodyToAsk):
                        return refusals.unasked(decision, access, tool, self._rules, self.mode)
                    return self._carried_out(verdict, tool)

    def _decided(self, tool: str, access: Access) -> Decision:
        decision = decide(access, tool, self._rules, self.mode)
        if access.fault and isinstance(decision, Ask):
            # Nobody is asked about what fails anyway; but the failure tells what is in the file.
            reading = replace(access, kind="read")
            if isinstance(decide(reading, reading.kind, self._rules, self.mode), Allowed):
                return Denied(access.fault)
        return decision

    def _carried_out(
        self, verdict: AllowOnce | AllowPart | AllowSession | AllowAlways | Deny, tool: str
    ) -> Answer:
        match verdict:
            case AllowOnce():
                return None
            case AllowPart(amended):
                return amended
            case AllowSession(rule):
                return self._added(rule, tool)
            case AllowAlways(rule):
                answer = self._added(rule, tool)
                self._keep(rule)
                return answer
            case Deny(reason):
                return refusals.said_no(reason)

    def _added(self, rule: Rule, tool: str) -> Permitted | None:
        """Take the rule in; where it allows less than it seems to, both sides are told."""
        self._rules = replace(self._rules, allow=(*self._rules.allow, rule))
        denying = refusals.still_asked(rule, tool, self._rules)
        if denying is None:
            return None
        self._tell(refusals.told_to_person(tool, denying))
        return Permitted(refusals.told_to_model(tool, denying))

    def _keep(self, rule: Rule) -> None:
        try:
            self._remember(rule)
        except OSError as error:
            self._tell(f"{rule} could not be saved and lasts for this session only: {error}")
