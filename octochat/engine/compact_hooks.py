"""The hooks around a compression: what must stay, a veto, and what came of it.

Source: docs/hooks.md#compressions.
"""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from octochat.context.plans.situation import Situation
from octochat.context.session.content import plain_text
from octochat.context.session.edits import Fold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Entry, Held
from octochat.context.session.view import Note
from octochat.engine.hooking import fired, logged
from octochat.engine.ports import LiveSession, Stream
from octochat.hooks.hooks import Hooks, Moment
from octochat.models.port import Notice


async def with_hooks(
    hooks: Hooks,
    session: LiveSession,
    situation: Situation,
    plan: Plan,
    by: str,
    carry_out: Callable[[Plan], Stream],
) -> Stream:
    """Carry a plan out, unless a hook says no, and tell hooks what came of it."""
    if plan.fold is None or not hooks.hooks:
        async with aclosing(carry_out(plan)) as stream:
            async for item in stream:
                yield item
        return
    trigger = "manual" if situation.trigger in ("done", "compact") else "auto"
    asked = await fired(hooks, session, _before(situation, plan, by, trigger))
    for item in logged(session, replace(asked, contexts=())):
        yield item
    if no := asked.blocked or asked.stop:
        if situation.trigger != "overflow":
            yield session.append(_vetoed(situation, by, no))
            return
        yield Notice(f"A hook is against it ({no}), but the request must fit.", "warning")
    async with aclosing(carry_out(_guided(plan, asked.context))) as stream:
        async for item in stream:
            yield item
            match item:
                case Entry(event=Condensed(fold=fold) as event) if fold:
                    for moment in (_after(session, item, event, fold, trigger), _COMPACTED):
                        verdict = await fired(hooks, session, moment)
                        for each in logged(session, verdict):
                            yield each
                case _:
                    pass


_COMPACTED = Moment("SessionStart", {"source": "compact"}, ("compact",))


def _before(situation: Situation, plan: Plan, by: str, trigger: str) -> Moment:
    focus = plan.fold.focus if isinstance(plan.fold, NoteRequest) else ""
    said = {
        "trigger": trigger,
        "custom_instructions": focus,
        "strategy": by,
        "why": plan.why,
        "context_tokens": situation.size,
    }
    return Moment("PreCompact", said, (trigger,))


def _guided(plan: Plan, context: str) -> Plan:
    """The plan, and that what a hook names must stay: it stands beside the person's own focus."""
    if not context or not isinstance(plan.fold, NoteRequest):
        return plan
    focus = "\n".join(filter(None, (plan.fold.focus, f"This must stay: {context}")))
    return replace(plan, fold=replace(plan.fold, focus=focus))


def _vetoed(situation: Situation, by: str, why: str) -> Held:
    """Growth is measured from here, as after any compression that came to nothing."""
    asked_for = situation.trigger in ("done", "compact")
    return Held(
        by,
        f"a hook said no: {why}",
        situation.trigger,
        watermark=None if asked_for else situation.size,
    )


def _after(
    session: LiveSession, entry: Entry, event: Condensed, fold: Fold, trigger: str
) -> Moment:
    view = session.state.view
    note = view.unit(entry.id)
    said = {
        "trigger": trigger,
        "compact_summary": plain_text(fold.note),
        "strategy": event.by,
        "kept": [unit.id for unit in view.units if unit.id != entry.id],
        "dropped": list(note.covers) if isinstance(note, Note) else [],
        "tokens_before": event.before,
        "tokens_after": event.after,
        "summary_tokens": entry.size,
        "cost_usd": event.cost,
    }
    return Moment("PostCompact", said, (trigger,))
