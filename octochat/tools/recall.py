"""The `recall` tool: what was folded, trimmed or left out, fetched from the log word for word."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Self, get_args

from octochat.context.session.content import Block, Image, Opaque, Text, ToolCall
from octochat.context.session.events import (
    Condensed,
    Entry,
    Instructed,
    NoteEdited,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    SkillLoaded,
    ToolDefinition,
)
from octochat.tools.base import Access, Arguments, Output, Progress, ToolError
from octochat.tools.recall_query import Find, RecallQuery, Sessions, Who
from octochat.tools.tool_context import ToolContext

PAGE = 16_000
"""Characters of a page of entries."""
EARLIER = "earlier sessions of this folder"
"""What is read besides the conversation, as the person is asked about it."""
FOUND = 6_000
"""Characters of a page of passages that a search found: about 1,500 tokens."""


class Recall:
    """Reads the session's own log. There from the first request on, so that no fold adds it."""

    spec = ToolDefinition(
        name="recall",
        description=(
            "Fetch earlier parts of this conversation word for word: what a note stands for, a "
            "result that was cut or cleared, messages that were left out. Give `entries` (any "
            "number that you are shown), or `search` for passages, the best first; with "
            "`everywhere`, in earlier sessions of this folder. Answers come in pages."
        ),
        schema={
            "type": "object",
            "properties": {
                "entries": {
                    "type": "string",
                    "description": "A number or a range, as 12 or 12-20.",
                },
                "search": {
                    "type": "string",
                    "description": 'Words in any form; "an exact phrase" between quotes.',
                },
                "of": {
                    "type": "string",
                    "enum": list(get_args(Who)),
                    "description": "Only what this one said. Results are a tool's.",
                },
                "path": {
                    "type": "string",
                    "description": "Only results of this path or command, or a part of it.",
                },
                "everywhere": {
                    "type": "boolean",
                    "description": "Search earlier sessions; the person may be asked first.",
                },
                "page": {"type": "integer", "description": "Which page, from 1 on."},
            },
            "additionalProperties": False,
        },
    )

    name: ClassVar[str] = spec.name

    @classmethod
    def at(cls, place: ToolContext) -> Self:
        """The tool at work in a session."""
        return cls(place.entries, place.find, place.sessions)

    def __init__(
        self, entries: Callable[[], Sequence[Entry]], find: Find, sessions: Sessions = "ask"
    ) -> None:
        """`entries` gives the log as it stands; `find` searches it, or earlier sessions."""
        self._entries: Callable[[], Sequence[Entry]] = entries
        self._find: Find = find
        self._sessions: Sessions = sessions

    def access(self, arguments: Arguments) -> Access:
        """Nothing outside the conversation is touched, but for earlier sessions.

        Raises:
            ToolError: the person does not let them be searched.
        """
        if arguments.get("everywhere") and self._sessions == "never":
            raise ToolError('Earlier sessions are not to be searched: [recall] sessions = "never".')
        if arguments.get("everywhere") and self._sessions == "ask":
            return Access("read", EARLIER, inside=False)
        return Access("none", str(arguments.get("entries") or arguments.get("search") or ""))

    async def run(self, arguments: Arguments, access: Access, progress: Progress) -> Output:
        """Fetch or find.

        Raises:
            ToolError: the arguments make no sense, or there is nothing there.
        """
        del access, progress
        entries, search = arguments.get("entries"), arguments.get("search")
        page = arguments.get("page")
        page = 1 if page is None else page
        if not isinstance(page, int) or page < 1:
            raise ToolError("page must be a number from 1 on.")
        if search:
            text = await asyncio.to_thread(self._search, _wanted(str(search), arguments), page)
        elif entries is not None:
            text = _paged(self._fetch(str(entries)), page)
        else:
            raise ToolError("Give `entries` (such as 12-20) or `search`.")
        return Output((Text(text),))

    async def close(self) -> None:
        """Nothing is held."""

    def _fetch(self, wanted: str) -> str:
        match = re.fullmatch(r"\s*#?(\d+)\s*(?:(?:-|\.\.|to)\s*#?(\d+))?\s*", wanted)
        if not match:
            raise ToolError(f"{wanted!r} is no entry; write 12 or 12-20.")
        first, last = int(match[1]), int(match[2] or match[1])
        log = self._entries()
        owners = _owners(log)
        found = [e for e in log if first <= e.id <= last or first <= owners.get(e.id, e.id) <= last]
        texts = [text for entry in found for text in _shown(entry)]
        if not texts:
            raise ToolError(f"There is no message {wanted}; entries go from 1 to {len(log)}.")
        return "\n\n".join(texts)

    def _search(self, wanted: RecallQuery, page: int) -> str:
        """One page of passages, whole ones."""
        number, room, shown = 1, FOUND, list[str]()
        for passage in self._find(wanted):
            if len(passage) > room and room < FOUND:
                number, room = number + 1, FOUND
                if number > page:
                    return "\n\n".join((*shown, f"[more on page {number}]"))
            room -= len(passage)
            if number == page:
                shown.append(passage)
        if not shown:
            more = f" on page {page}" if page > 1 else ""
            place = EARLIER if wanted.everywhere else "this conversation"
            raise ToolError(f"Nothing in {place} answers {wanted.words!r}{more}.")
        return "\n\n".join(shown)


def _wanted(words: str, arguments: Arguments) -> RecallQuery:
    who, path = arguments.get("of"), arguments.get("path")
    for known in (None, *get_args(Who)):
        if who == known:
            everywhere = bool(arguments.get("everywhere"))
            return RecallQuery(words, known, path if isinstance(path, str) else "", everywhere)
    raise ToolError(f"of must be person, you or tool, not {who!r}.")


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
            yield f"#{entry.id} the person:\n{_text(blocks)}"
        case Replied(blocks=blocks) if _text(blocks):
            yield f"#{entry.id} you:\n{_text(blocks)}"
        case Returned(call_id=call_id, content=content):
            yield f"#{entry.id} result of {call_id}:\n{_text(content)}"
        case Condensed(fold=fold) if fold:
            yield f"#{entry.id} a note:\n{_text(fold.note)}"
        case SkillLoaded(body=text) | Recalled(text=text) | NoteEdited(text=text):
            yield f"#{entry.id} octochat:\n{text}"
        case Instructed(text=text) | Reminded(text=text):
            yield f"#{entry.id} octochat:\n{text}"
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
        there = "There is only 1 page" if pages == 1 else f"There are only {pages} pages"
        raise ToolError(f"{there}.")
    part = text[(page - 1) * PAGE : page * PAGE]
    return f"{part}\n\n[page {page} of {pages}]" if pages > 1 else part
