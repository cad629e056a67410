"""File patterns: `*` and `?` within a name, `**` across folders, `[a-z]`, `{this,that}`."""

import re
from functools import lru_cache

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_ALTERNATIVES = 100
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
    pieces: list[str] = []
    at = 0
    for token in _TOKEN.finditer(pattern):
        pieces.append(re.escape(pattern[at : token.start()]))
        pieces.append(_piece(token))
        at = token.end()
    return "".join((*pieces, re.escape(pattern[at:])))


def _piece(token: re.Match[str]) -> str:
    if token["deep"]:
        return "(?:.*/)?"
    if token["all"]:
        return ".*"
    if token["class"] is None:
        return "[^/]*" if token[0] == "*" else "[^/]"
    inner = token["class"]
    negated, inner = inner[:1] in ("!", "^"), inner.lstrip("!^") if inner[:1] in "!^" else inner
    escaped = re.sub(r"([\\\[\]&~|^])", r"\\\1", inner)
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
