"""By which words a sentence shows what it is: a decision, a constraint, an error, chatter."""

import re
from dataclasses import dataclass
from functools import lru_cache

_DECISION = """
decide decided decides decision chose chosen choose rather instead settled agreed approach because
therefore tradeoff trade-off cause reason
"""
_CONSTRAINT = """
must never only always don't shouldn't should prefer preferred require required requires avoid
ensure important cannot mustn't forbidden allowed
"""
_ERROR = """
error errors fail fails failed failing failure failures broke broken bug bugs crash crashed crashes
exception wrong missing fix fixes fixed issue problem regression
"""
_NEXT = "next todo remaining remains pending afterwards followup follow-up later"
_DONE = """
done added created implemented updated changed removed moved renamed passes passing works committed
pushed confirmed verified booked cancelled canceled refunded found
"""
_SETS = {
    name: frozenset(words.split())
    for name, words in {
        "decision": _DECISION,
        "constraint": _CONSTRAINT,
        "error": _ERROR,
        "next": _NEXT,
        "done": _DONE,
    }.items()
}
_PHRASES = {
    "decision": ("going with", "let's go", "let's use", "turns out"),
    "constraint": ("do not ", "make sure", "no longer", "not allowed"),
}
_WORD = re.compile(r"[a-z][a-z'_-]{2,}")
_FILLER = re.compile(
    r"(?:(?:now|ok|okay|good|great|perfect|excellent|alright|sure)\b[,.! ]*)*"
    r"(?:let me|i'll|i will|i'm going to|let's) (?:\w+ )?"
    r"(?:check|look|see|read|start|explore|find|examine|search|view|verify|run|understand)\b"
    r"|(?:great|perfect|excellent|good|sure|of course|thank)\b.{0,40}$"
)
_NAMES = re.compile(r"`[^`]+`|[\w.-]+/[\w./-]+|\b\w+\.[a-z]{1,4}\b|#?[A-Z]*\d[\w-]{3,}")


@dataclass(frozen=True, slots=True)
class Cues:
    """What the words of one sentence tell."""

    words: frozenset[str]
    """Its words of three letters and more, in lower case."""
    decision: bool
    constraint: bool
    """It binds: "must", "never", "only"."""
    error: bool
    next: bool
    """It speaks of what is still to be done."""
    done: bool
    filler: bool
    """It says only that something is about to be looked at, or is polite."""
    names: int
    """How many files, ids or quoted words it has."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower().replace("’", "'")))


@lru_cache(maxsize=16_384)
def cues(text: str) -> Cues:
    """Read a sentence's words. Remembered: every fold reads again what the ones before it read."""
    lower = text.lower().replace("’", "'")
    words = frozenset(_WORD.findall(lower))

    def shows(name: str) -> bool:
        phrases = _PHRASES.get(name, ())
        return not words.isdisjoint(_SETS[name]) or any(p in lower for p in phrases)

    return Cues(
        words,
        shows("decision"),
        shows("constraint"),
        shows("error"),
        shows("next"),
        shows("done"),
        bool(_FILLER.match(lower)),
        len(_NAMES.findall(text)),
    )
