"""What one search of the `recall` tool finds for a question: the seam for a better search."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeAlias

from octochat.context.session.events import Entry, EntryId, Prompted, Replied, Returned
from octochat.replay.lexicon import texts

Found: TypeAlias = Callable[[str], frozenset[EntryId]]
"""From a question to the prompts, replies and results that one search shows on its first page."""
Search: TypeAlias = Callable[[Sequence[Entry]], Found]
"""Makes a session's log ready to be searched. One that workers can import: it travels to them."""

LINES = 40
"""The most lines of a first page."""
_SILENT = frozenset(
    re.findall(
        r"\w+",
        "what when where which about their there would could should these those have from with "
        "that this your they does into some most",
    )
)


def keywords(text: str) -> list[str]:
    """The words that a question or an answer is about, in lower case."""
    return [w for w in re.findall(r"[\w']{3,}", text.lower()) if w not in _SILENT]


def one_text(log: Sequence[Entry]) -> Found:
    """The search for a text as it stands, as the tool is: an agent tries the rarest word."""
    shown = [(entry.id, _shown(entry)) for entry in log]
    count = Counter(word for _, text in shown for word in set(keywords(text)))

    def found(question: str) -> frozenset[EntryId]:
        rarest = min(keywords(question), key=lambda w: count[w] or len(log) + 1, default="")
        lines = (
            id_
            for id_, text in shown
            if rarest and rarest in text
            for line in text.split("\n")
            if rarest in line
        )
        return frozenset(islice(lines, LINES))

    return found


def _shown(entry: Entry) -> str:
    match entry.event:
        case Prompted(blocks=blocks) | Replied(blocks=blocks) | Returned(content=blocks):
            return "\n".join(texts(blocks)).casefold()
        case _:
            return ""
