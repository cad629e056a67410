"""Where the loop asks the hooks: as a session begins, before a prompt, and as a turn ends.

Source: docs/hooks.md#when-hooks-run.
"""

from collections.abc import Iterator
from dataclasses import replace

from octochat.context.session.content import Said, plain_text
from octochat.context.session.events import Entry, Reminded, Replied
from octochat.context.session.tags import HOOK, tagged
from octochat.engine.ports import LiveSession
from octochat.engine.stopping import Stopped
from octochat.hooks.hook import EndReason
from octochat.hooks.hooks import NOTHING, Hooks, Moment, Verdict
from octochat.models.port import Notice

MOST_STOPS = 5
"""How often hooks may keep one turn from ending."""


class Hooking:
    """The hooks of a session as the loop uses them."""

    def __init__(self, hooks: Hooks, session: LiveSession) -> None:
        self.hooks: Hooks = hooks
        self._session = session
        self.begun: bool = False
        """Whether the hooks of the session's start have run."""
        self._stops = 0

    async def before_prompt(self, blocks: tuple[Said, ...]) -> Verdict:
        """What hooks say to a prompt, and before the first one to the session's start."""
        self._stops = 0
        began = NOTHING
        if not self.begun:
            self.begun = True
            source = "resume" if self._session.state.ledger.calls else "startup"
            moment = Moment("SessionStart", {"source": source}, (source,))
            began = await fired(self.hooks, self._session, moment)
        prompt = plain_text(blocks)
        moment = Moment("UserPromptSubmit", {"prompt": prompt})
        asked = await fired(self.hooks, self._session, moment)
        return replace(
            asked,
            runs=(*began.runs, *asked.runs),
            contexts=(*began.contexts, *asked.contexts),
        )

    async def before_end(self, reply: Replied) -> Verdict:
        """What hooks say to the end of a turn; `blocked` where the model has to go on."""
        if self._session.stopper.stopped or self._stops >= MOST_STOPS:
            return NOTHING
        said = {
            "stop_hook_active": self._stops > 0,
            "last_assistant_message": plain_text(reply.blocks),
        }
        verdict = await fired(self.hooks, self._session, Moment("Stop", said))
        if verdict.stop:
            return replace(verdict, blocked="")
        self._stops += bool(verdict.blocked)
        return verdict

    async def end(self, reason: EndReason) -> None:
        """Let the hooks of the session's end run, and end those that still run beside it."""
        await self.hooks.close()
        if self.begun:
            verdict = await self.hooks.fire(Moment("SessionEnd", {"reason": reason}, (reason,)))
            for _ in logged(self._session, verdict):
                continue

    def goes_on(self, verdict: Verdict) -> Iterator[Entry | Notice]:
        """Log what hooks said to the end of the turn, and tell the model why it has to go on."""
        yield from logged(self._session, verdict)
        if verdict.blocked:
            why = "A Stop hook has the model go on"
            yield self._session.append(Reminded(tagged(HOOK, verdict.blocked), why=why))
            if self._stops == MOST_STOPS:
                yield Notice(
                    f"Stop hooks have kept this turn going {MOST_STOPS} times; they are not asked "
                    "again before your next message.",
                    "warning",
                )


def refused(session: LiveSession, verdict: Verdict, why: str) -> Iterator[Entry | Notice]:
    """Say that a prompt was not sent; what hooks wanted to add to it is left out, too."""
    for run in verdict.runs:
        yield session.append(run)
    yield Notice(f"Not sent, a hook said no: {why}. ↑ brings your prompt back.", "warning")


async def fired(hooks: Hooks, session: LiveSession, moment: Moment) -> Verdict:
    """The verdict of the hooks of a moment; nothing where the person stops them."""
    if not hooks.of(moment):
        return NOTHING
    try:
        return await session.stopper.wait(hooks.fire(moment))
    except Stopped:
        return NOTHING


def logged(session: LiveSession, verdict: Verdict) -> Iterator[Entry]:
    """Log what hooks did, and what they add to the context."""
    for event in (*verdict.runs, *verdict.notes()):
        yield session.append(event)
