"""All hooks of a session: runs those of a moment side by side and makes one verdict of them.

It knows neither the loop nor the log: it is told what happens, and gives events to be logged.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from octochat.context.session.asides import Reminded
from octochat.context.session.hook_runs import HookRan
from octochat.context.session.tags import HOOK, tagged
from octochat.hooks.answer import Answer, Decision, answer
from octochat.hooks.hook import TOOL_EVENTS, EventName, Hook
from octochat.hooks.process import Ran, run, words_of
from octochat.text.event_words import shortened
from octochat.text.harmless import one_line
from octochat.text.secrets import masked
from octochat.tools.base import Access

MOST_CONTEXT = 10_000
"""Characters that one hook may add to the context."""
MOST_PRINTED = 20_000
"""Characters of its output that are kept for the person."""
MOST_REASON = 2_000
"""Characters of a reason, a message or the like."""
GRACE = 5.0
"""Seconds that hooks beside the session may still take when it ends."""
_STRICTEST: tuple[Decision, ...] = ("deny", "ask", "allow")


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of the session at which hooks may run."""

    event: EventName
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the hooks are given beside what every hook is."""
    names: tuple[str, ...] = ()
    """What matchers are held against, the name for people last; empty: they do not count."""
    tool: str = ""
    """The tool, of its events."""
    access: Access | None = None
    """What its call would touch."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the hooks of a moment want, taken together."""

    runs: tuple[HookRan, ...] = ()
    """To be logged: those that did something."""
    blocked: str = ""
    """Why one of them says no; empty where none does."""
    decision: Decision | None = None
    """Of `PreToolUse`: the strictest that was given."""
    reason: str = ""
    """Why."""
    updated: Mapping[str, object] | None = None
    """Of `PreToolUse`: other arguments, by Claude Code's names."""
    contexts: tuple[tuple[HookRan, str], ...] = ()
    """What is to be added to the context, with the run that said it."""
    stop: str = ""
    """Why the turn is to end; empty where it is not."""

    @property
    def context(self) -> str:
        """All that is to be added to the context."""
        return "\n\n".join(text for _, text in self.contexts)

    def notes(self) -> Sequence[Reminded]:
        """What is to be added to the context, as notes of their own."""
        return [
            Reminded(
                tagged(HOOK, text, {"event": run.event}),
                why=f"The {run.event} hook {shortened(run.command)} told the model this",
            )
            for run, text in self.contexts
        ]


NOTHING = Verdict()


def everything(_rule: str, _tool: str, _access: Access) -> bool:
    """Where no condition is looked at: every call counts as covered."""
    return True


class Hooks:
    """Those that are in force."""

    def __init__(
        self,
        hooks: Sequence[Hook] = (),
        *,
        folder: Path = Path(),
        env: Mapping[str, str] | None = None,
        facts: Callable[[], Mapping[str, object]] = dict,
        covered: Callable[[str, str, Access], bool] = everything,
        measure: Callable[[str], int] = len,
        mask_secrets: bool = True,
    ) -> None:
        """Make them.

        Args:
            hooks: all that are trusted.
            folder: the working folder; they run in it.
            env: the variables that they see.
            facts: gives what every hook is told, such as `session_id`.
            covered: whether a permission rule (as `Bash(rm *)`) covers a tool's call.
            measure: counts the tokens of a text.
            mask_secrets: whether keys of known shapes are masked in what they print.
        """
        self.hooks: tuple[Hook, ...] = tuple(hooks)
        self._folder = folder
        self._env = dict(env or {})
        self._facts = facts
        self._covered = covered
        self._measure = measure
        self._mask = mask_secrets
        self._beside: set[asyncio.Task[Verdict]] = set()

    def of(self, moment: Moment) -> Sequence[Hook]:
        """Those that run at this moment, each once."""
        found: dict[tuple[str, tuple[str, ...] | None], Hook] = {}
        for hook in self.hooks:
            if (
                hook.event == moment.event
                and hook.fits(moment.names)
                and self._wanted(hook, moment)
            ):
                found.setdefault((hook.command, hook.args), hook)
        return tuple(found.values())

    async def fire(self, moment: Moment) -> Verdict:
        """Run the hooks of a moment, and wait for all of them."""
        hooks = self.of(moment)
        if not hooks:
            return NOTHING
        about = moment.names[-1] if moment.names else ""
        told = {**self._facts(), "hook_event_name": moment.event, **moment.fields}
        given = json.dumps(told, ensure_ascii=False, default=str)
        runs = await asyncio.gather(*(self._ran(hook, given) for hook in hooks))
        return _taken_together(
            [self._judged(hook, about, ran) for hook, ran in zip(hooks, runs, strict=True)]
        )

    def beside(self, moment: Moment) -> None:
        """Run the hooks of a moment while the session goes on; what they answer does not count."""
        if self.of(moment):
            task = asyncio.ensure_future(self.fire(moment))
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)

    async def close(self) -> None:
        """Let those that run beside the session end, and end them if they take long."""
        beside = tuple(self._beside)
        if beside:
            await asyncio.wait(beside, timeout=GRACE)
        for task in beside:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _wanted(self, hook: Hook, moment: Moment) -> bool:
        if not hook.only_if:
            return True
        return moment.access is not None and self._covered(hook.only_if, moment.tool, moment.access)

    async def _ran(self, hook: Hook, given: str) -> Ran:
        words = words_of(hook.command, hook.args, self._env)
        return await run(words, given, self._folder, self._env, hook.timeout)

    def _judged(self, hook: Hook, about: str, ran: Ran) -> tuple[HookRan, Answer]:
        said = self._cut(answer(hook.event, ran))
        in_result = hook.event in TOOL_EVENTS
        told = (
            "\n".join(filter(None, (said.context, said.blocked, said.reason))) if in_result else ""
        )
        event = HookRan(
            hook.event,
            hook.command,
            about,
            _did(said),
            said.printed,
            ran.status,
            round(ran.seconds, 3),
            self._measure(told) if told else 0,
            hook.source,
            ends=bool(said.stop),
        )
        return event, said

    def _cut(self, said: Answer) -> Answer:
        """The answer within its limits, and without secrets."""
        return replace(
            said,
            blocked=self._clean(said.blocked, MOST_REASON),
            reason=self._clean(said.reason, MOST_REASON),
            context=self._clean(said.context, MOST_CONTEXT),
            stop=self._clean(said.stop, MOST_REASON),
            message=self._clean(said.message, MOST_REASON),
            printed=self._clean(said.printed, MOST_PRINTED),
        )

    def _clean(self, text: str, most: int) -> str:
        text = masked(text)[0] if self._mask else text
        cut = f"{text[:most]}\n[cut: the hook printed {len(text) - most:,} characters more]"
        return cut if len(text) > most else text


def _did(said: Answer) -> str:
    """What came of it, in a few words."""
    verbs: Mapping[Decision, str] = {"allow": "allowed", "deny": "denied", "ask": "left to you"}
    why = f": {one_line(said.reason)}" if said.reason else ""
    parts = (
        f"failed: {one_line(said.failed)}" if said.failed else "",
        f"blocked: {one_line(said.blocked)}" if said.blocked else "",
        f"{verbs[said.decision]}{why}" if said.decision else "",
        "changed the input" if said.updated is not None else "",
        f"ended the turn: {one_line(said.stop)}" if said.stop else "",
        f"says: {one_line(said.message)}" if said.message else "",
    )
    return "; ".join(filter(None, parts))


def _taken_together(judged: Sequence[tuple[HookRan, Answer]]) -> Verdict:
    answers = [said for _, said in judged]
    decisions: list[Decision] = [said.decision for said in answers if said.decision]
    decision = min(decisions, key=_STRICTEST.index) if decisions else None
    updates = [said.updated for said in answers if said.updated is not None]
    return Verdict(
        tuple(event for event, _ in judged if event.did or event.output.strip()),
        "\n".join(said.blocked for said in answers if said.blocked),
        decision,
        "\n".join(said.reason for said in answers if said.reason and said.decision == decision),
        updates[-1] if updates and decision != "deny" else None,
        tuple((event, said.context) for event, said in judged if said.context),
        next((said.stop for said in answers if said.stop), ""),
    )
