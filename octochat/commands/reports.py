"""What commands tell: `/context` and `/knowledge` as lines of text."""

from collections.abc import Iterator
from typing import Any, cast

from octochat.commands.mcp import server_lines
from octochat.context.codec.trees import to_tree
from octochat.context.plans.context_parts import parts
from octochat.context.plans.standing import standing_parts
from octochat.context.session.content import plain_text
from octochat.context.session.events import Condensed, ToolLoaded, ToolWithdrawn
from octochat.context.session.knowledge import retained as kept_in_notes
from octochat.context.session.ran import own_words
from octochat.context.session.state import State
from octochat.context.session.tags import untagged
from octochat.context.session.view import Note, Prompt, Step, Unit
from octochat.models.tokens.request_sizes import fixed_parts
from octochat.session.session import Session
from octochat.text.compression_words import edited
from octochat.text.figures import count
from octochat.text.harmless import harmless

BAR = 30
"""Characters of the longest bar."""
LONGEST = 60
"""Characters of what a unit says."""
LARGEST = 12
"""How many units are listed by size."""


def info_data(session: Session) -> dict[str, Any]:
    """`/info` for programs."""
    return cast("dict[str, Any]", to_tree(session.info))


def context_report(session: Session) -> str:
    """What is in the context by part and by unit, and what was folded or trimmed."""
    return "\n".join(_context(session))


def _context(session: Session) -> Iterator[str]:
    situation = session.situation
    state = situation.state
    size = max(situation.size, 1)
    yield f"Context: {situation.size:,} of {situation.limit:,} tokens"
    for part in parts(state.view, situation.size):
        bar = "█" * max(round(BAR * part.tokens / size), 1)
        yield f"  {part.name:<22}{part.tokens:>9,}  {bar}"
    yield from _fixed(session)
    yield from _standing(session)
    if servers := tuple(server_lines(session)):
        yield from ("", *servers)
    units = state.view.units
    yield ""
    yield f"{count(len(units), 'unit')}{'; the largest:' if units else ''}"
    for unit in sorted(units, key=lambda unit: -unit.size)[:LARGEST]:
        pinned = " (pinned)" if unit.id in state.pins else ""
        yield f"  #{unit.id:<6}{unit.size:>9,}  {describe(unit)}{pinned}"
    yield from _edits(session)


def _fixed(session: Session) -> Iterator[str]:
    """What every request begins with: the system prompt by section, and the tools."""
    view = session.engine.state.view
    parts = fixed_parts(view.system, view.tools, session.ruler)
    tools = sorted((p for p in parts if p.within == "tools"), key=lambda part: -part.tokens)
    sections = [part for part in parts if part.within != "tools"]
    total = sum(part.tokens for part in sections)
    yield ""
    yield f"Every request begins with {total:,} tokens, besides instructions and skills:"
    for part in sections:
        each = ", ".join(f"{tool.name} {tool.tokens:,}" for tool in tools)
        among = f"  ({each})" if part.name == "tools" and each else ""
        yield f"  {part.name[:40]:<42}{part.tokens:>7,}{among}"


def _standing(session: Session) -> Iterator[str]:
    found = tuple(standing_parts(session.engine.state, session.ruler.text))
    if found:
        yield ""
        yield "Instructions and skills, among them:"
    for part in found:
        yield f"  {harmless(part.name):<22}{part.tokens:>9,}"


def _edits(session: Session) -> Iterator[str]:
    made = [
        (entry.id, entry.event)
        for entry in session.engine.log.surviving
        if isinstance(entry.event, Condensed)
    ]
    if not made:
        return
    yield ""
    yield "Compressed (`/restore` takes back the last; the model can `recall` any of it):"
    for n, event in made:
        yield f"  #{n:<6}{event.by}: {edited(event)}, {event.before:,} to {event.after:,} tokens"


def describe(unit: Unit) -> str:
    """A unit in a few words."""
    match unit:
        case Prompt(blocks=blocks):
            return f"you: {_start(own_words(blocks))}"
        case Step(calls=calls, blocks=blocks):
            names = ", ".join(call.name for call in calls)
            parts = ("reply:", _start(plain_text(blocks)), f"[{names}]" if names else "")
            return " ".join(filter(None, parts))
        case Note(kind="skill", skill=skill):
            return f"skill {skill}"
        case Note(kind="recalled"):
            return "recalled passages"
        case Note(kind="instructions", blocks=blocks):
            return f"instructions: {_start(untagged(plain_text(blocks)))}"
        case Note(kind="reminder", blocks=blocks):
            return f"octochat: {_start(untagged(plain_text(blocks)))}"
        case Note(kind="mode" | "effort" as kind, setting=setting):
            return f"{kind}: {setting}"
        case Note(tool=ToolLoaded(tool=tool)):
            return f"loaded tool {tool.name}"
        case Note(tool=ToolWithdrawn(name=name)):
            return f"tool withdrawn: {name}"
        case Note(covers=covers):
            return f"note in place of {count(len(covers), 'unit')}"


def _start(text: str) -> str:
    line = " ".join(text.replace("**", "").replace("`", "").split())
    return line[: LONGEST - 2] + " …" if len(line) > LONGEST else line


def knowledge_text(state: State, retained: int) -> str:
    """The knowledge, numbered, and which of it goes into the next notes."""
    known = state.knowledge
    doubts = {k: made.id for made in state.ledger.compressions for k in made.event.outdated}
    if not known and not doubts:
        return "Nothing is known yet. Compressions gather knowledge; /knowledge add TEXT adds some."
    kept = kept_in_notes(known, retained)
    lines = [
        f"{n:>3}. {entry.kind}: {entry.text}{'' if entry in kept else '  (no longer in notes)'}"
        + (f"  (#{doubts[entry]} says it no longer holds)" if entry in doubts else "")
        for n, entry in enumerate(known, 1)
    ]
    gone = [
        f"  - {entry.kind}: {entry.text}  (compression #{made})"
        for entry, made in doubts.items()
        if entry not in known
    ]
    return "\n".join((*lines, *(("Dropped, because it no longer holds:", *gone) if gone else ())))
