"""Situations for the tests of strategies, built from what was said, and what is left after one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from octochat.context.plans.commit import commit
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import Strategy
from octochat.context.session.active_skills import ActiveSkill
from octochat.context.session.content import Said, Text, ToolCall, ToolResult
from octochat.context.session.edits import Decision, Fold, NoteRequest, Plan
from octochat.context.session.events import Condensed, Event, Prompted, Returned
from octochat.context.session.state import State
from octochat.context.session.validity import problems
from octochat.context.session.view import Note, Prompt, ShownResult, Step, Unit, View
from octochat.context.session.watermarks import Watermark, Watermarks

Measure: TypeAlias = Callable[[str], int]
Made: TypeAlias = Callable[[int, Measure], Unit]
"""A unit that has yet to get its id and its size."""


def quarter(text: str) -> int:
    """The originals' estimate: a token is four characters, and a text at least one token."""
    return max(1, len(text) // 4)


def said(text: str = "hello", size: int | None = None, *more: Said) -> Made:
    """A prompt."""

    def make(id_: int, measure: Measure) -> Unit:
        return Prompt(id_, (Text(text), *more), measure(text) if size is None else size)

    return make


def replied(text: str = "fine", size: int | None = None) -> Made:
    """A reply without tools."""

    def make(id_: int, measure: Measure) -> Unit:
        return Step(id_, (Text(text),), measure(text) if size is None else size)

    return make


def called(
    *results: str | tuple[Said, ...],
    tool: str = "read",
    size: int = 10,
    each: int | None = None,
    failed: bool = False,
) -> Made:
    """A reply of `size` tokens that calls a tool once for each result (of `each` tokens)."""

    def make(id_: int, measure: Measure) -> Unit:
        calls = tuple(ToolCall(f"c{id_}.{n}", tool, {"n": n}) for n in range(len(results)))
        contents = [(Text(r),) if isinstance(r, str) else r for r in results]
        answers = tuple(
            ShownResult(ToolResult(call.id, content, failed), _size(content, measure, each))
            for call, content in zip(calls, contents, strict=True)
        )
        return Step(id_, calls, size, answers, "tool_use")

    return make


def noted(text: str = "a summary", size: int | None = None, covers: tuple[int, ...] = ()) -> Made:
    """A summary that stands for earlier units."""

    def make(id_: int, measure: Measure) -> Unit:
        return Note(id_, (Text(text),), measure(text) if size is None else size, covers=covers)

    return make


def skill(text: str = "how to") -> Made:
    """The text of a skill."""

    def make(id_: int, measure: Measure) -> Unit:
        return Note(id_, (Text(text),), measure(text), "skill", skill="s")

    return make


def _size(content: tuple[Said, ...], measure: Measure, each: int | None) -> int:
    return sum(measure(b.text) for b in content if isinstance(b, Text)) if each is None else each


def situation(
    *made: Made,
    measure: Measure = quarter,
    head: int = 0,
    answering: int | None = None,
    pins: tuple[int, ...] = (),
    skills: tuple[int, ...] = (),
    **terms: Any,
) -> Situation:
    """A situation with these units, numbered from 0; its window is no limit unless it is given."""
    units = tuple(make(i, measure) for i, make in enumerate(made))
    view = View("be kind", (), head, units)
    state = State(
        "m",
        view=view,
        context=view.size,
        answering=answering,
        pins=frozenset(pins),
        skills=tuple(ActiveSkill(f"s{unit}", unit, permanent=False) for unit in skills),
    )
    return replace(Situation(state, measure, reserve=0), **terms)


def after(strategy: Strategy, now: Situation, note: str = "they talked") -> View:
    """The view that the strategy leads to; what every strategy must keep to is checked here.

    A note to be written says `note`. What a note says counts for nothing: "the token counts leave
    the gap note out".
    """
    before = now.state
    decision = strategy.decide(now)
    assert strategy.decide(now) == decision
    if not isinstance(decision, Plan):
        return before.view
    event = committed(now, decision, note)
    view = _edited(before, event)
    for unit in before.view.units:
        if unit.id in before.protected:
            assert view.unit(unit.id) == unit
    assert view.size < before.view.size
    assert set(_problems(view)) <= set(_problems(before.view))
    return view


def _problems(view: View) -> tuple[str, ...]:
    asked = view.add(Prompt(999, (Text("and now?"),), 1))
    return problems(asked.messages("m", binds=True))


def committed(now: Situation, plan: Plan, note: str = "they talked") -> Condensed:
    """The plan as it would be carried out."""
    if isinstance(plan.fold, NoteRequest):
        brief = plan.fold
        fold = Fold(brief.first, brief.last, (Text(note),), brief.keep)
        plan = replace(plan, fold=fold)

    def weigh(event: Event) -> int:
        match event:
            case Returned(content=content) | Prompted(blocks=content):
                return sum(now.measure(b.text) for b in content if isinstance(b, Text))
            case _:
                return 0

    event = commit(now.state, plan, weigh, by="test", margin=0)
    assert isinstance(event, Condensed), event
    return event


def _edited(state: State, event: Condensed) -> View:
    view = state.view.trimmed(event.trims)
    return view.folded(event.fold, 500, 0, state.answering) if event.fold else view


def left(view: View) -> list[int]:
    """The ids of the units that are left, notes of summaries not counted."""
    return [u.id for u in view.units if not (isinstance(u, Note) and u.kind == "summary")]


def results(view: View) -> list[str]:
    """The tool results, as they are shown."""
    steps = [unit for unit in view.units if isinstance(unit, Step)]
    shown = [answer.result for step in steps for answer in step.answers]
    return ["\n".join(b.text for b in r.content if isinstance(b, Text)) for r in shown]


def why(decision: Decision) -> str:
    """The reason given."""
    return decision.why


def discouraging(now: Situation, by: str, size: int) -> Situation:
    """The situation after a summary that `by` paid for at `size` tokens came to nothing."""
    return replace(
        now, state=replace(now.state, watermarks=Watermarks(own=((by, Watermark(size, "hold")),)))
    )
