"""The built-in model that needs no key and no network. It is no language model and says so.

It streams, calls tools and asks for permission like one, from plain requests, so that everything
but the intelligence can be tried for real.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Self

from octochat.context.session.content import Block, Message, Text, ToolCall, ToolResult, plain_text
from octochat.context.session.events import Usage
from octochat.context.session.tags import HOOK, INSTRUCTIONS, MODE, RECALLED, REMINDER, SKILL, WORK
from octochat.models.port import CallDelta, Delta, Reply, Request, TextDelta
from octochat.models.provider import ModelLimits

NAME = "offline"

INTRODUCTION = (
    "I am octochat's **offline model**: no language model, just a few rules, so that you can try "
    "everything else without a key. "
)
HELP = """\
I understand requests like these:

- `list files`, or `find *.py`
- `read README.md` (several with `and`: `read a.py and read b.py`)
- `search TODO`, or `search TODO in src`
- `run ls`
- `write notes.txt: some text`
- `replace old with new in notes.txt`
- `use skill debugging`
- `count to 50` (a long answer, to try Esc)

For real answers set `ANTHROPIC_API_KEY`, or point `ANTHROPIC_BASE_URL` at a local server that \
speaks the Messages API, and start octochat again.
"""
SHOWN_LINES = 40
"""Lines of a tool's result that it repeats."""
PACE = 0.01
"""Seconds between two words."""
COUNT_MOST = 20_000
_NOTES = tuple(f"<{tag}" for tag in (WORK, SKILL, INSTRUCTIONS, REMINDER, RECALLED, MODE, HOOK))
"""How octochat's own notes begin: they are no request."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of words and the tool call it means."""

    form: re.Pattern[str]
    tool: str
    arguments: Callable[[re.Match[str]], Mapping[str, object]]


def _rule(
    form: str, tool: str, arguments: Callable[[re.Match[str]], Mapping[str, object]]
) -> _Rule:
    return _Rule(re.compile(form, re.IGNORECASE | re.DOTALL), tool, arguments)


_RULES = (
    _rule(r"(?:list|show)(?: all)?(?: the)? files|ls", "glob", lambda _: {"pattern": "*"}),
    _rule(
        r"(?:write|create)\s+`?(\S+?)`?\s*:\s*(.*)",
        "write",
        lambda m: {"file_path": m[1], "content": m[2].rstrip("\n") + "\n"},
    ),
    _rule(
        r"replace\s+(.+?)\s+with\s+(.+?)\s+in\s+`?(\S+?)`?",
        "edit",
        lambda m: {"file_path": m[3], "old_string": m[1], "new_string": m[2]},
    ),
    _rule(
        r"(?:run|execute|\$)(?!\s+(?:the|all|my)\s)\s*:?\s*`?(.+?)`?",
        "bash",
        lambda m: {"command": m[1]},
    ),
    _rule(
        r"(?:read|open|show|cat)\s+`?@?(\S+?)`?(?:\s+and\s.*)?",
        "read",
        lambda m: {"file_path": m[1]},
    ),
    _rule(r"find\s+(?:files\s+)?`?(\S+?)`?", "glob", lambda m: {"pattern": m[1]}),
    _rule(
        r"(?:search|grep|look)\s+(?:for\s+)?[\"'`]?(.+?)[\"'`]?(?:\s+in\s+`?(\S+?)`?)?",
        "grep",
        lambda m: {"pattern": re.escape(m[1])} | ({"path": m[2]} if m[2] else {}),
    ),
    _rule(
        r"use\s+(?:the\s+)?skill\s+(\S+)|use\s+the\s+(\S+)\s+skill",
        "skill",
        lambda m: {"action": "use", "name": m[1] or m[2]},
    ),
    _rule(r"recall\s+(\S+)", "recall", lambda m: {"entries": m[1]}),
)
_COUNT = re.compile(r"count\s+to\s+(\d+)", re.IGNORECASE)


class Offline:
    """A `Model` made of rules."""

    def __init__(self, pace: float | None = None) -> None:
        """`pace` is the time between two words, in seconds; None: `PACE`."""
        self._pace: float = PACE if pace is None else pace
        self._number: Iterator[int] = count(1)

    @classmethod
    def connect(cls, *_: object) -> Self:
        """The offline model, which nothing is to be said to."""
        return cls()

    lack: None = None
    """It always can answer."""

    def serves(self, name: str) -> bool:
        """Its own name only."""
        return name == NAME

    async def prepare(self) -> None:
        """Nothing is to be loaded."""

    async def describe(self, name: str) -> ModelLimits | None:
        """Nothing that is not known."""

    async def close(self) -> None:
        """Nothing is held."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream an answer to the last message. It never fails."""
        text, calls = self._answer(request.messages)
        for word in re.findall(r"\S+\s*|\s+", text):
            await asyncio.sleep(self._pace)
            yield TextDelta(word)
        for call in calls:
            yield CallDelta(call.id, call.name, "")
        blocks: tuple[Block, ...] = (Text(text), *calls) if text else calls
        yield Reply(blocks, Usage(), "tool_use" if calls else "end_turn")

    def _answer(self, messages: tuple[Message, ...]) -> tuple[str, tuple[ToolCall, ...]]:
        last = messages[-1]
        first = sum(message.role == "assistant" for message in messages) == 0
        hello = INTRODUCTION if first else ""
        results = [block for block in last.blocks if isinstance(block, ToolResult)]
        said = [
            block
            for block in last.blocks
            if isinstance(block, Text) and not block.text.startswith(_NOTES)
        ]
        if results and not said:
            return _report(results), ()
        asked = said[-1].text.strip() if said else ""
        calls = tuple(self._calls(asked))
        if calls:
            names = " and ".join(f"`{call.name}`" for call in calls)
            return f"{hello}I call {names}.", calls
        if match := _COUNT.search(asked):
            numbers = " ".join(str(n + 1) for n in range(min(int(match[1]), COUNT_MOST)))
            return f"{hello}{numbers}", ()
        return f"{hello}{HELP}", ()

    def _calls(self, asked: str) -> Iterator[ToolCall]:
        """The calls that the words mean; `and` joins several, except inside what is written."""
        whole = _meant(asked)
        if whole and whole[0] == "write":
            parts = [asked]
        else:
            parts = re.split(r"\s+and\s+(?=read|run|search|find|list|open|show)", asked)
        for part in parts:
            meant = _meant(part)
            if meant:
                yield ToolCall(f"offline_{next(self._number)}", *meant)


def _meant(asked: str) -> tuple[str, Mapping[str, object]] | None:
    plain = re.sub(r"^\s*(?:please|can you|could you|now|then)\s+", "", asked.strip()).rstrip(
        " .?!"
    )
    for rule in _RULES:
        if match := rule.form.fullmatch(plain):
            return rule.tool, rule.arguments(match)
    return None


def _report(results: list[ToolResult]) -> str:
    parts: list[str] = []
    for result in results:
        lines = plain_text(result.content).splitlines()
        shown = "\n".join(lines[:SHOWN_LINES])
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
        more = len(lines) - SHOWN_LINES
        rest = f"\n\n... and {more} more lines." if more > 0 else ""
        lead = "That did not work:" if result.failed else "Here is what came back:"
        parts.append(f"{lead}\n\n{fence}\n{shown}\n{fence}{rest}")
    return "\n\n".join(parts)
