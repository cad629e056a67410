"""The `recall` tool: what was folded, trimmed or left out, fetched from the log word for word."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Self

from octochat.context.session.content import Block, Image, Opaque, Text, ToolCall
from octochat.context.session.events import Entry, Prompted, Replied, Returned, ToolDefinition
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.facts import ToolFacts
from octochat.tools.workplace import Workplace

PAGE = 16_000
"""Characters of a page."""
FOUND = 40
"""The most entries that a search names."""


class Recall:
    """Reads the session's own log. There from the first request on, so that no fold adds it."""

    spec = ToolDefinition(
        name="recall",
        description=(
            "Fetch earlier parts of this conversation word for word: what a summary note stands "
            "for, a tool result that was cut or cleared, or messages that were left out. Give "
            "`entries` (a number or a range such as 12-20, as named in notes), or `search` to find "
            "the entries that contain a text. Long answers come in pages."
        ),
        schema={
            "type": "object",
            "properties": {
                "entries": {
                    "type": "string",
                    "description": "A number or a range, as 12 or 12-20.",
                },
                "search": {"type": "string", "description": "Text to look for, in any case."},
                "page": {"type": "integer", "description": "Which page, from 1 on."},
            },
            "additionalProperties": False,
        },
    )

    name: ClassVar[str] = spec.name
    facts: ClassVar[ToolFacts] = ToolFacts(("entries", "search"))

    @classmethod
    def at(cls, place: Workplace) -> Self:
        """The tool at work in a session."""
        return cls(place.entries)

    def __init__(self, entries: Callable[[], Sequence[Entry]]) -> None:
        """`entries` gives the log as it stands."""
        self._entries: Callable[[], Sequence[Entry]] = entries

    def access(self, arguments: Arguments) -> Access:
        """Nothing outside the conversation is touched."""
        return Access("none", str(arguments.get("entries") or arguments.get("search") or ""))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Fetch or find.

        Raises:
            ToolError: the arguments make no sense, or there is nothing there.
        """
        del access, progress
        wanted, search = arguments.get("entries"), arguments.get("search")
        page = arguments.get("page", 1)
        if not isinstance(page, int) or page < 1:
            raise ToolError("page must be a number from 1 on.")
        if search:
            text = self._search(str(search))
        elif wanted is not None:
            text = self._fetch(str(wanted))
        else:
            raise ToolError("Give `entries` (such as 12-20) or `search`.")
        return Output((Text(_paged(text, page)),))

    async def close(self) -> None:
        """Nothing is held."""

    def _fetch(self, wanted: str) -> str:
        match = re.fullmatch(r"\s*#?(\d+)\s*(?:(?:-|\.\.|to)\s*#?(\d+))?\s*", wanted)
        if not match:
            raise ToolError(f"{wanted!r} is no entry; write 12 or 12-20.")
        first, last = int(match[1]), int(match[2] or match[1])
        log = self._entries()
        owners = _owners(log)
        found = [e for e in log if first <= owners.get(e.id, e.id) <= last]
        texts = [text for entry in found for text in _shown(entry)]
        if not texts:
            raise ToolError(f"There is no message {wanted}; entries go from 1 to {len(log)}.")
        return "\n\n".join(texts)

    def _search(self, text: str) -> str:
        log = self._entries()
        owners = _owners(log)
        found = [
            f"#{owners.get(entry.id, entry.id)}: {line.strip()[:200]}"
            for entry in log
            for shown in _shown(entry)
            for line in shown.split("\n")
            if text.casefold() in line.casefold()
        ]
        if not found:
            raise ToolError(f"Nothing in this conversation contains {text!r}.")
        rest = f"\n[{len(found) - FOUND} more]" if len(found) > FOUND else ""
        return "\n".join(found[:FOUND]) + rest


def _owners(log: Sequence[Entry]) -> dict[int, int]:
    """For each result, the reply that asked for it: notes name replies."""
    asked: dict[str, int] = {}
    owners: dict[int, int] = {}
    for entry in log:
        match entry.event:
            case Replied(blocks=blocks):
                asked |= {block.id: entry.id for block in blocks if isinstance(block, ToolCall)}
            case Returned(call_id=call_id):
                owners[entry.id] = asked.get(call_id, entry.id)
            case _:
                pass
    return owners


def _shown(entry: Entry) -> Iterator[str]:
    match entry.event:
        case Prompted(blocks=blocks):
            yield f"#{entry.id} the user:\n{_text(blocks)}"
        case Replied(blocks=blocks) if _text(blocks):
            yield f"#{entry.id} you:\n{_text(blocks)}"
        case Returned(call_id=call_id, content=content):
            yield f"#{entry.id} result of {call_id}:\n{_text(content)}"
        case _:
            return


def _text(blocks: Sequence[Block]) -> str:
    parts: list[str] = []
    for block in blocks:
        match block:
            case Text(text=text):
                parts.append(text)
            case ToolCall(id=call_id, name=name, arguments=arguments):
                parts.append(f"[called {name} ({call_id}): {dict(arguments)}]")
            case Image(media_type=kind):
                parts.append(f"[an image, {kind}]")
            case Opaque():
                parts.append("[a document]")
            case _:
                pass
    return "\n".join(parts)


def _paged(text: str, page: int) -> str:
    pages = max(-(-len(text) // PAGE), 1)
    if page > pages:
        raise ToolError(f"There are only {pages} pages.")
    part = text[(page - 1) * PAGE : page * PAGE]
    return f"{part}\n\n[page {page} of {pages}]" if pages > 1 else part
