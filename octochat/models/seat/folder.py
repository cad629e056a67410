"""The seat's folder: requests go out as numbered files, answers come in. It knows no models.

Whatever is written appears whole or not at all. `NNNN.new.md` comes last: when it is there, all of
the request is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias, cast
from uuid import uuid4

from octochat.models.claude.readable import (
    messages_page,
    schema_page,
    system_page,
    tools_page,
    without_marks,
)
from octochat.models.seat.answer import EXAMPLE

Json: TypeAlias = Mapping[str, object]

HOW = f"""\
# You sit in the model's place

Each request has a number. `0001.new.md` comes last and says what is new since an earlier request;
`0001.request.md` is all of it, `0001.request.json` exactly what the API would be sent. The system
prompt and the tools are in files of their own, which both name.

Answer with `0001.answer.md`. Write plain text, and for each tool call a fenced block:

````
I look at the file first.

```tool
{EXAMPLE}
```
````

Several calls in one answer are several blocks. A string may go over several lines. Where the
input holds three backquotes itself, open and close the block with four. An answer without a call
ends the turn.

Or answer with `0001.answer.json`: {{"text": "...", "calls": [{{"name": "...", "input": {{}}}}]}}.

Write the answer under another name and rename it, or write it in one go. What can't be read comes
back as `0001.error.md`, and the answer is waited for again. `0001.withdrawn.md`: nobody waits for
this answer any more. `0001.usage.json`: what the call would have cost.
"""


@dataclass(frozen=True, slots=True)
class Posted:
    """One request in the folder."""

    number: int

    @property
    def stem(self) -> str:
        """What the names of its files begin with."""
        return f"{self.number:04}"


@dataclass(slots=True)
class SeatFolder:
    """The files of one folder, and what this process has written there before."""

    path: Path
    _pages: dict[str, str] = field(default_factory=dict[str, str])
    """Text of a system prompt or of tools -> the name of the file that it is in."""
    _sent: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Number of a request -> its messages, as canonical JSON."""
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Name of an answer that may not be whole yet -> its size and time of change, in ns."""

    def post(self, body: Json, betas: tuple[str, ...], told: str = "") -> Posted:
        """Write a request; `told` is a line about it.

        Raises:
            OSError: it can't be written.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        posted = self._claimed(json.dumps(body, ensure_ascii=False, indent=1))
        if not (self.path / "README.md").exists():
            self.write("README.md", HOW)
        self.write_json(posted, "headers", {"anthropic-beta": ",".join(betas)})
        head = self._head(posted, body, told)
        every = messages_page(body)
        self.write(f"{posted.stem}.request.md", f"{head}\n\n{every}\n")
        self.write(f"{posted.stem}.new.md", f"{head}\n\n{self._news(posted, body)}\n")
        return posted

    def answer(self, posted: Posted) -> tuple[str, str] | None:
        """Name and text of the answer, if it is there and did not change since the last look.

        Raises:
            OSError: it can't be read.
        """
        for form in ("md", "json"):
            path = self.path / f"{posted.stem}.answer.{form}"
            try:
                facts = path.stat()
            except FileNotFoundError:
                continue
            now = (facts.st_size, facts.st_mtime_ns)
            if self._seen.get(path.name) == now:
                return path.name, path.read_text("utf-8", errors="replace")
            self._seen[path.name] = now
        return None

    def refuse(self, posted: Posted, name: str, text: str, why: str) -> None:
        """Say what is wrong with an answer, and make room for a better one."""
        (self.path / name).unlink()
        told = f"{why}\n\nWrite {name} again. README.md says how. This is what was there:\n\n{text}"
        self.write(f"{posted.stem}.error.md", told)

    def write_json(self, posted: Posted, what: str, value: Json) -> None:
        """Write a JSON file of a request."""
        self.write(f"{posted.stem}.{what}.json", json.dumps(value, indent=1) + "\n")

    def write(self, name: str, text: str) -> None:
        """Write a file; it appears whole."""
        fresh = self.path / f".{name}.{uuid4().hex}.tmp"
        fresh.write_text(text, "utf-8", errors="replace")
        fresh.replace(self.path / name)

    def remove(self, posted: Posted, what: str) -> None:
        """Take a file of a request away, if it is there."""
        (self.path / f"{posted.stem}.{what}").unlink(missing_ok=True)

    def _claimed(self, body: str) -> Posted:
        """The next number; another octochat may use the same folder."""
        numbers = [int(found[1]) for path in self.path.iterdir() if (found := _NUMBER(path.name))]
        posted = Posted(max(numbers, default=0) + 1)
        try:
            with (self.path / f"{posted.stem}.request.json").open("x", encoding="utf-8") as file:
                file.write(body + "\n")
        except FileExistsError:
            return self._claimed(body)
        return posted

    def _head(self, posted: Posted, body: Json, told: str) -> str:
        lines = [
            f"# Request {posted.stem}",
            f"Model: {body['model']}, at most {body['max_tokens']:,} tokens. {told}".rstrip(),
            f"System prompt: {self._page(posted, 'system', system_page(body))}",
            f"Tools: {self._page(posted, 'tools', tools_page(body))}",
        ]
        if schema := schema_page(body):
            lines.append(f"The answer must be JSON of this schema:\n\n{schema}")
        return "\n\n".join(lines)

    def _page(self, posted: Posted, what: str, text: str) -> str:
        """The name of the file with this text, written if it is new."""
        if not text:
            return "none"
        if text not in self._pages:
            self._pages[text] = name = f"{posted.stem}.{what}.md"
            self.write(name, text + "\n")
        return self._pages[text]

    def _news(self, posted: Posted, body: Json) -> str:
        """The messages that no earlier request had: behind the longest beginning in common."""
        messages = cast("list[object]", body["messages"])
        now = tuple(json.dumps(without_marks(each), sort_keys=True) for each in messages)
        shared = {number: _shared(now, before) for number, before in self._sent.items()}
        like = max(shared, key=lambda number: (shared[number], number), default=0)
        self._sent[posted.number] = now
        if not like or not shared[like]:
            return f"All {len(now)} messages are new.\n\n{messages_page(body)}"
        same, left = shared[like], len(self._sent[like]) - shared[like]
        gone = f" Of those that {like:04} had, {left} are gone or changed." if left else ""
        told = f"New since {like:04}: all but the first {same} of {len(now)} messages.{gone}"
        answer = not left and len(now) > same + 1 and _is_reply(messages[same])
        yours = f" Message {same + 1} is your answer to {like:04}." if answer else ""
        return f"{told}{yours}\n\n{messages_page(body, same + answer)}"


def _is_reply(message: object) -> bool:
    return cast("Json", message)["role"] == "assistant"


def _shared(now: tuple[str, ...], before: tuple[str, ...]) -> int:
    pairs = zip(now, before, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


_NUMBER = re.compile(r"(\d{4,})\.request\.json").fullmatch
