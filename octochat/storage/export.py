"""A session as Markdown: what was said, every tool call with its result, and every compression.

What was undone is left out and said to be; nothing else is. It knows no files.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.edits import PromptTrim, ResultTrim
from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Held,
    Instructed,
    Opened,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillLoaded,
)
from octochat.context.session.ran import ran_in
from octochat.context.session.state import surviving
from octochat.context.session.tags import untagged
from octochat.text.compression_words import bill, compressed
from octochat.text.event_words import happened, paid
from octochat.text.figures import dollars, seconds
from octochat.text.recall_words import remembered


def markdown(log: Sequence[Entry], session: str, title: str) -> str:
    """The whole session."""
    alive = {entry.id for entry in surviving(log)}
    restored = {e.event.condensed for e in log if isinstance(e.event, Reverted)}
    parts = [f"# {title or session}"]
    for entry in log:
        match entry.event:
            case Rewound(to=to):
                parts.append(f"*Undone: what followed #{to} (left out here).*")
            case Condensed() if entry.id in restored:
                parts += [*entry_markdown(entry), "*It was taken back later.*"]
            case _ if entry.id in alive:
                parts += entry_markdown(entry, session)
            case _:
                continue
    return "\n\n".join(parts) + "\n"


def entry_markdown(entry: Entry, session: str = "") -> Iterator[str]:
    """The paragraphs of one entry."""
    match entry.event:
        case Opened() as event:
            yield _opened(entry, event, session)
        case Prompted(blocks=blocks):
            yield f"## You, {_clock(entry.at)} (#{entry.id})"
            yield from _blocks(blocks)
        case Replied() as event:
            yield from _replied(entry.id, event)
        case Returned(content=content, failed=failed, seconds=took, note=note):
            ending = "Failed" if failed else "Result"
            yield f"**{ending}** (#{entry.id}, {seconds(took)}{f', {note}' if note else ''}):"
            yield from (
                fenced(b.text) if isinstance(b, Text) else p for b in content for p in _blocks((b,))
            )
        case Condensed() as event:
            yield from _condensed(entry.id, event)
        case Held(by=by, cost=cost) as event:
            yield f"> {happened(event)} (#{entry.id}, {by}{paid(cost)})"
        case Recalled(text=text) as event:
            yield f"> {remembered(event, entry.size)} (#{entry.id})"
            yield quoted(untagged(text))
        case SkillLoaded(body=body) | Instructed(text=body) | Reminded(text=body) as event:
            yield f"> {happened(event)} (#{entry.id})"
            yield fenced(untagged(body))
        case event:
            yield f"> {happened(event)} (#{entry.id})"


def fenced(text: str, language: str = "") -> str:
    """A code block with a fence that the text doesn't hold."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _opened(entry: Entry, event: Opened, session: str) -> str:
    facts = {
        "Session": session,
        "Folder": event.folder,
        "Model": event.model,
        "Begun": f"{datetime.fromtimestamp(entry.at):%Y-%m-%d %H:%M}",  # noqa: DTZ006  own time
        "Forked from": event.origin,
    }
    return "\n".join(f"- {name}: {fact}" for name, fact in facts.items() if fact)


def _replied(number: EntryId, event: Replied) -> Iterator[str]:
    facts = [f"#{number}"]
    if event.stop not in ("end_turn", "tool_use"):
        facts.append(event.stop.replace("_", " "))
    if event.cost is not None:
        facts.append(dollars(event.cost))
    yield f"## {event.model or 'Model'} ({', '.join(facts)})"
    thought = (Thinking(event.thought, ""),) if event.thought else ()
    yield from _blocks((*thought, *event.blocks))


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Text(text):
                yield from _text(text)
            case Thinking(text) if text.strip():
                yield quoted(f"*Thinking:* {text.strip()}")
            case Thinking():
                yield "> *Thinking that the API did not show.*"
            case Image(media_type=kind):
                yield f"*(a picture, {kind})*"
            case ToolCall(name=name, arguments=arguments):
                yield f"**Tool call** `{name}`:"
                yield _arguments(arguments)
            case ToolResult(content=content):
                yield from _blocks(content)
            case Opaque(raw=raw):
                yield f"*(a block of the API: {raw.get('type', 'unknown')})*"


def _text(text: str) -> Iterator[str]:
    ran = ran_in(text)
    if ran is None:
        yield text.strip()
        return
    yield f"I ran `{ran.command}`: {ran.ended}"
    if ran.output:
        yield fenced(ran.output)


def _arguments(arguments: Mapping[str, object]) -> str:
    match list(arguments.items()):
        case [("command", str(command))]:
            return fenced(command, "sh")
        case _:
            return fenced(json.dumps(dict(arguments), ensure_ascii=False, indent=2), "json")


def _condensed(number: EntryId, event: Condensed) -> Iterator[str]:
    yield f"> {compressed(event)} (#{number}, {bill(event)})"
    calls = [trim.call_id for trim in event.trims if isinstance(trim, ResultTrim)]
    prompts = [f"#{trim.unit}" for trim in event.trims if isinstance(trim, PromptTrim)]
    if shortened := ", ".join((*calls, *prompts)):
        yield f"> Shortened: {shortened}"
    if event.fold:
        texts = [untagged(block.text) for block in event.fold.note if isinstance(block, Text)]
        yield quoted("\n".join(texts) or "(written by the API, and not readable here)")


def quoted(text: str) -> str:
    """A block quote."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _clock(at: float) -> str:
    return f"{datetime.fromtimestamp(at):%H:%M}"  # noqa: DTZ006  # the person's own time
