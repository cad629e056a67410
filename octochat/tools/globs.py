"""File patterns: `*` and `?` within a name, `**` across folders, `[a-z]`, `{this,that}`."""

import re
from functools import lru_cache

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_ALTERNATIVES = 100
_DEEP, _ALL = "(?:.*?/)??", ".*?"
_TOKEN = re.compile(r"(?P<deep>\*\*/)|(?P<all>\*\*)|\*|\?|\[(?P<class>[!^]?\]?[^]/]*)\]")


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern as a regular expression for `fullmatch` on a path with `/`.

    Raises:
        ValueError: its braces stand for too many alternatives, or a class makes no sense.
    """
    alternatives = "|".join(_translated(one) for one in _expanded(pattern))
    try:
        return re.compile(alternatives, re.DOTALL)
    except re.error as error:
        raise ValueError(f"the pattern {pattern} is not valid: {error}") from error


def _expanded(pattern: str) -> list[str]:
    patterns = [pattern]
    while found := next((hit for one in patterns if (hit := _BRACES.search(one))), None):
        one = found.string
        patterns.remove(one)
        patterns += (
            one[: found.start()] + choice + one[found.end() :] for choice in found[1].split(",")
        )
        if len(patterns) > _MOST_ALTERNATIVES:
            raise ValueError(f"the pattern {pattern} has more than {_MOST_ALTERNATIVES} meanings")
    return patterns


def _translated(pattern: str) -> str:
    """A regular expression whose time does not grow with the length to the power of the stars.

    What stands behind a wildcard is looked for once (`(?>`) where its first place leaves most to
    the rest: up to the next star in a name, and up to the next `**`.
    """
    parts: list[tuple[str, list[str]]] = [("", [""])]
    at = 0
    for token in _TOKEN.finditer(pattern):
        chunks = parts[-1][1]
        chunks[-1] += re.escape(pattern[at : token.start()])
        at = token.end()
        if token["deep"] or token["all"]:
            parts.append((_DEEP if token["deep"] else _ALL, [""]))
        elif token[0] == "*":
            chunks.append("")
        else:
            chunks[-1] += _letter(token)
    parts[-1][1][-1] += re.escape(pattern[at:])
    leads = [lead for lead, _ in parts[1:]]
    return "".join(_part(*part, lead) for part, lead in zip(parts, [*leads, ""], strict=True))


def _part(lead: str, chunks: list[str], then: str) -> str:
    """What stands up to the next `**`, or to the end."""
    first, *others = chunks
    stars = [f"[^/]*?{chunk}" for chunk in others]
    text = "".join((lead, first, *(f"(?>{star})" for star in stars[:-1]), *stars[-1:]))
    once = then == _ALL or (then == _DEEP and chunks[-1].endswith("/"))
    return f"(?>{text})" if once else text


def _letter(token: re.Match[str]) -> str:
    """What stands for one letter."""
    if token["class"] is None:
        return "[^/]"
    inner = token["class"]
    negated, inner = inner[:1] in ("!", "^"), inner.lstrip("!^") if inner[:1] in "!^" else inner
    escaped = re.sub(r"([\\\[\]&~|^])", r"\\\1", inner)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
