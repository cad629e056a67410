"""Finds tools by what they do: words of the query in names and descriptions. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from octochat.mcp.offered import ServerTool

MOST = 5
"""Tools that one search loads."""
_WORD = re.compile(r"[a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAMED, _TOLD = 3.0, 1.0
"""What a word counts in a name, and in a description."""
_COMMON = frozenset({"a", "an", "and", "the", "of", "to", "in", "for", "on", "with", "tool"})


def best(query: str, tools: Sequence[ServerTool], most: int = MOST) -> list[ServerTool]:
    """The tools that fit a query best, the best first; those that fit much worse are left out."""
    exact = [tool for tool in tools if query.strip() in (tool.name, tool.definition.name)]
    if exact:
        return exact[:most]
    wanted = _words(query) - _COMMON
    names = [_words(f"{tool.server} {tool.name}") for tool in tools]
    told = [_words(tool.definition.description) for tool in tools]
    held = Counter(word for pair in zip(names, told, strict=True) for word in pair[0] | pair[1])
    scored: list[tuple[float, int]] = []
    for place, (name, description) in enumerate(zip(names, told, strict=True)):
        score = 0.0
        for word in wanted:
            rare = log(1 + len(tools) / held[word]) if held[word] else 0.0
            score += rare * (_NAMED * (word in name) + _TOLD * (word in description))
        if score:
            scored.append((-score, place))
    scored.sort()
    least = scored[0][0] / 3 if scored else 0.0
    return [tools[place] for score, place in scored[:most] if score <= least]


def _words(text: str) -> frozenset[str]:
    """Words without their plurals, so that `issues` finds `create_issue`."""
    found = _WORD.findall(_CAMEL.sub(" ", text).lower())
    return frozenset(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in found)  # noqa: PLR2004
