"""What a logged event is called in the transcript, where it is a line and not talk."""

import json
from collections.abc import Sequence

from octochat.context.session.events import (
    BlockRefused,
    Condensed,
    Entry,
    Held,
    Hinted,
    HookRan,
    Instructed,
    KeptWarm,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Opened,
    Pinned,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolDefinition,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
    Unpinned,
)
from octochat.context.session.steering import EffortChanged, ModeChanged
from octochat.context.session.tags import HOOK, untagged
from octochat.frontends.tui.render.blocks import FAINT
from octochat.frontends.tui.transcript.cards.event import EventCard
from octochat.text.event_words import happened
from octochat.text.figures import count, dollars, seconds, tokens
from octochat.text.recall_words import remembered


def event_card(entry: Entry) -> EventCard | None:
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
        case Reverted(after=after, watermark=with_margin) as event:
            words = f"{happened(event)} · context {tokens(with_margin or after)}"
            return _card(entry, words, "↶", style="$text-accent")
        case Recalled(text=text) as event:
            words = remembered(event, entry.size)
            return _card(entry, words, "✧", detail=untagged(text), style="$text-accent")
        case TaskEnded() as event:
            return _card(entry, happened(event), "✓", style="bold")
        case SkillLoaded(body=body) as event:
            detail = untagged(body)
            return _card(entry, happened(event), "✦", detail=detail, style="$text-success")
        case Instructed(text=text) as event:
            right = _size(entry.size)
            return _card(entry, happened(event), "✦", detail=untagged(text), right=right)
        case Reminded(text=text) as event:
            right = _size(entry.size) if event.text.startswith(f"<{HOOK}") else ""
            return _card(entry, happened(event), "✧", detail=untagged(text), right=right)
        case HookRan() as event:
            return _hook(entry, event)
        case SkillForgotten() as event:
            return _card(entry, happened(event), "✧")
        case ModelChanged() as event:
            return _card(entry, happened(event), "⇄", style="$text-primary")
        case BlockRefused() as event:
            return _card(entry, happened(event), "◇")
        case ToolsChanged(tools=tools, system=system) as event:
            detail = f"{_names(tools)}\n\n{system}".strip()
            return _card(entry, happened(event), "⇄", detail=detail)
        case ToolLoaded(tool=tool) as event:
            detail, right = f"{tool.description}\n\n{_schema(tool)}", _size(entry.size)
            return _card(entry, happened(event), "✦", detail=detail, right=right)
        case ToolWithdrawn() as event:
            return _card(entry, happened(event), "✧")
        case Titled() as event:
            return _card(entry, happened(event), "✎")
        case Pinned() as event:
            return _card(entry, happened(event), "⚑")
        case Unpinned() as event:
            return _card(entry, happened(event), "⚐")
        case Hinted() | KeptWarm() as event:
            return _card(entry, happened(event), "◇")
        case NoteEdited(text=text) as event:
            return _card(entry, happened(event), "✎", detail=untagged(text))
        case KnowledgeChanged(entries=entries) as event:
            detail = "\n".join(f"{k.kind}: {k.text}" for k in entries)
            return _card(entry, happened(event), "✎", detail=detail)
        case Prompted() | Replied() | Returned() | Condensed() | Rewound():
            return None
        case ModeChanged() | EffortChanged():  # the status line shows them
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
    return _card(entry, happened(event), "◇", detail="\n".join(facts), right=paid)


def _hook(entry: Entry, event: HookRan) -> EventCard:
    how = "ended" if event.status is None else f"exit {event.status}"
    said = f"from {event.source or 'nowhere'}: {event.command}\n{how} in {seconds(event.seconds)}"
    detail = "\n".join(filter(None, (said, event.output)))
    right = _size(event.added) if event.added else ""
    bad = event.status != 0 or event.ends
    style = "$text-warning" if bad else FAINT
    return _card(entry, happened(event), "⚓", detail=detail, right=right, style=style)


def _size(count: int) -> str:
    return f"{tokens(count)} tokens"


def _schema(tool: ToolDefinition) -> str:
    return json.dumps(dict(tool.schema), indent=2, ensure_ascii=False)


def _names(tools: Sequence[ToolDefinition]) -> str:
    return ", ".join(tool.name for tool in tools)


def _card(
    entry: Entry, words: str, icon: str, *, detail: str = "", right: str = "", style: str = FAINT
) -> EventCard:
    return EventCard(
        entry.at, words, icon=icon, style=style, detail=detail, right=right, entry=entry.id
    )
