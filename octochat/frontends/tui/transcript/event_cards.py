"""What a logged event is called in the transcript, where it is a line and not talk."""

from collections.abc import Sequence

from octochat.context.session.events import (
    Condensed,
    Entry,
    Held,
    KnowledgeChanged,
    ModelChanged,
    Opened,
    Pinned,
    Prompted,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolDefinition,
    ToolsChanged,
    Unpinned,
)
from octochat.context.session.tags import untagged
from octochat.frontends.tui.render.blocks import FAINT
from octochat.frontends.tui.transcript.cards.event import EventCard
from octochat.text.figures import count, dollars, seconds, tokens


def described(entry: Entry) -> EventCard | None:
    """The card of an event that is a line; None for those that have cards of their own."""
    match entry.event:
        case Opened(model=model, system=system, tools=tools, folder=folder):
            return _card(
                entry,
                f"{model} in {folder or 'no folder'}",
                "●",
                detail=f"{count(len(tools), 'tool')}: {_names(tools)}\n\n{system}",
            )
        case Held() as event:
            return _held(entry, event)
        case Reverted(condensed=condensed, after=after, watermark=with_margin):
            size = tokens(with_margin or after)
            words = f"Restored what compression #{condensed} took · context {size}"
            return _card(entry, words, "↶", style="$text-accent")
        case TaskEnded():
            return _card(entry, "Task done: the next request starts afresh", "✓", style="bold")
        case SkillLoaded(name=name, body=body, permanent=permanent):
            kind = "Skill loaded for good" if permanent else "Skill loaded"
            return _card(
                entry, f"{kind}: {name}", "✦", detail=untagged(body), style="$text-success"
            )
        case SkillForgotten(name=name):
            return _card(entry, f"Skill forgotten: {name}; its text goes with the next fold", "✧")
        case ModelChanged(model=model):
            return _card(entry, f"Model is now {model}", "⇄", style="$text-primary")
        case ToolsChanged(tools=tools, system=system):
            new = " and another system prompt" if system else ""
            words = f"Tools are now {count(len(tools), 'tool')}{new}"
            return _card(entry, words, "⇄", detail=f"{_names(tools)}\n\n{system}".strip())
        case Titled(title=title):
            return _card(entry, f"Titled “{title}”", "✎")
        case Pinned(unit=unit):
            return _card(entry, f"Pinned #{unit}: it survives every compression", "⚑")
        case Unpinned(unit=unit):
            return _card(entry, f"No longer pinned: #{unit}", "⚐")
        case KnowledgeChanged(entries=entries):
            words = f"Knowledge edited: {len(entries)} kept"
            return _card(
                entry, words, "✎", detail="\n".join(f"{k.kind}: {k.text}" for k in entries)
            )
        case Prompted() | Replied() | Returned() | Condensed() | Rewound():
            return None


def _held(entry: Entry, event: Held) -> EventCard:
    paid = f"paid {dollars(event.cost)}" if event.writer else ""
    facts = [f"by {event.by}", f"trigger: {event.trigger}"]
    if event.watermark is not None:
        facts.append(f"growth is measured from {tokens(event.watermark)} now")
    if event.writer:
        used = event.usage
        facts.append(
            f"asked {event.writer}: {tokens(used.prompt)} in, {tokens(used.output)} out, "
            f"{dollars(event.cost)}, {seconds(event.seconds)}"
        )
    return _card(entry, f"Not compressed: {event.why}", "◇", detail="\n".join(facts), right=paid)


def _names(tools: Sequence[ToolDefinition]) -> str:
    return ", ".join(tool.name for tool in tools)


def _card(
    entry: Entry, words: str, icon: str, *, detail: str = "", right: str = "", style: str = FAINT
) -> EventCard:
    return EventCard(
        entry.at, words, icon=icon, style=style, detail=detail, right=right, entry=entry.id
    )
