"""What a person or a model typed to find something, as full-text queries. Pure.

`words or "an exact phrase"`: words are looked for in any of their forms, and any of them counts;
what stands between quotes must stand in the passage as it is.
"""

import re
from dataclasses import dataclass

MOST = 64
"""Words of a query that count; of a long text, those at its beginning and its end."""
SHORTEST = 3
"""Characters of a part of a name that the index of parts can find."""
_STOP = """
a an the and or of to in on for with from by at as is are was were be been do does did have has had
what when where which who whom how why that this these those it its i you he she they we my your his
her their our me him them us no not about into than then so if but can could should would will may
might any some all most more there please
"""
STOP = frozenset(_STOP.split())
"""Words that tell nothing about a passage."""

_WEAK = """
ok okay yes yeah yep no nope sure right good great nice fine perfect thanks thank thx well now next
just also again still go going on continue proceed keep carry do done doing make let lets try see
look think know want need like get got give take use work works working tell say said show back
first last one two new way thing things something anything everything very really much many too
only same other another here up down out off over us am i'm it's don't that's let's can't didn't
doesn't won't
"""
WEAK = frozenset(_WEAK.split())
"""Words of a prompt by which nothing is recalled by itself: "ok, go on with the next one"."""

_QUOTED = re.compile(r'"([^"]+)"')
_WORD = re.compile(r"\w+(?:[./:@#-]+\w+)*")
"""A word or a name: `notes`, `src/app.py`, `parse_config`, `v1.2`."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for."""

    words: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    """Each must stand in the passage, letter for letter but for upper and lower case."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.words and not self.phrases

    @property
    def every_phrase(self) -> str:
        """The query for the index of parts: all phrases that are long enough for it."""
        return " AND ".join(quoted(p) for p in self.phrases if len(p) >= SHORTEST)

    @property
    def any_part(self) -> str:
        """The query for the index of parts: any of the words, as a part of a longer one."""
        return " OR ".join(quoted(word) for word in self.words if len(word) >= SHORTEST)


def query(text: str) -> Query:
    """The query that a text stands for."""
    phrases = tuple(phrase.strip() for phrase in _QUOTED.findall(text) if phrase.strip())
    found = dict.fromkeys(word.lower() for word in _WORD.findall(_QUOTED.sub(" ", text)))
    telling = tuple(word for word in found if word not in STOP and len(word) > 1)
    words = telling or tuple(found)
    if len(words) > MOST:
        words = (*words[: MOST // 2], *words[-MOST // 2 :])
    return Query(words, phrases)


def quoted(text: str) -> str:
    """A text as one string of SQLite's full-text query language."""
    text = text.encode("utf-8", "replace").decode()
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'
