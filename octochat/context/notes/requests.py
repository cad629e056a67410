"""What the person said, in a note: what binds in full, then the requests as they find room."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from octochat.context.notes.cues import words_of
from octochat.context.notes.fitting import Measure, cut, longest
from octochat.context.notes.growing import Growing
from octochat.context.session.content import Image, Opaque, Said, Text
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, Prompted
from octochat.context.session.ran import ran_in


@dataclass(frozen=True)
class UserRequest:
    """Something the person said in the range."""

    id: UnitId
    text: str
    """Word for word; pictures and documents are named."""

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """Its sentences that bind."""
        return tuple(filter(binds, _sentences(self.text)))


@dataclass(frozen=True, slots=True)
class PersonRule:
    """A sentence of the person that binds: a rule, a preference, a correction, a refusal."""

    id: UnitId
    """The prompt that it stands in."""
    text: str
    """Word for word."""


def user_requests(entries: Sequence[Entry]) -> tuple[UserRequest, ...]:
    """What the person said, in order."""
    return tuple(_requests.over(entries))


def _read(found: list[UserRequest], _place: int, entry: Entry) -> None:
    if isinstance(entry.event, Prompted):
        text = "\n".join(map(_said, entry.event.blocks)).strip()
        found.append(UserRequest(entry.id, text))


_requests = Growing(list[UserRequest], _read)


_BINDS = re.compile(
    r"\b(?:never|always|must(?:n[o']t)?|don['’]?t|do not|only|prefer\w*|avoid|instead of|no longer|"
    r"not allowed|forbidden|make sure|from now on|stop \w+ing|rather than|without asking|"
    r"unless i|remember that|please (?:do not|use|keep)|(?<!can )use \w+,? not|"
    r"rule|constraint|requirement|convention|deadline|goal)s?\b",
    re.IGNORECASE,
)
_STRONGLY = re.compile(
    r"\b(?:never|always|must(?:n[o']t)?|don['’]?t|do not|not allowed|forbidden|from now on)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:[\w'-]+ ){0,2}(?:note|important|rule|fact|constraint|requirement|preference|goal|decision|"
    r"reminder|remember|policy|convention)s?(?: [\w'-]+){0,2}:\s+",
    re.IGNORECASE,
)
"""What a person begins a line with that is to be kept, as in `IMPORTANT: ...`."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(\[#\d])")
_LONGEST = 300
"""Characters of a sentence that can be a rule: what is longer is a text that was pasted."""
_ALIKE = 0.6
"""Share of their words that two rules have in common of which the later replaces the earlier."""


def rules(requests: Iterable[UserRequest]) -> tuple[PersonRule, ...]:
    """What binds in the requests, each once, a later one in the place of the one it replaces."""
    found: list[PersonRule] = []
    for request in requests:
        for sentence in request.rules:
            found = [rule for rule in found if not _replaces(sentence, rule.text)]
            found.append(PersonRule(request.id, sentence))
    return tuple(found)


def binds(sentence: str) -> bool:
    """Whether a sentence of the person is a rule, a preference, a correction or a refusal."""
    marked = _LABEL.match(sentence) or _BINDS.search(sentence)
    return len(sentence) <= _LONGEST and bool(marked)


def binding_order(rule: PersonRule) -> tuple[bool, int]:
    """A key to sort by: what binds for certain comes first, then what takes the least room."""
    certain = _LABEL.match(rule.text) or _STRONGLY.search(rule.text)
    return not certain, len(rule.text)


def _sentences(text: str) -> Iterator[str]:
    """Lines, or the sentences of those that are too long for a rule."""
    for line in text.splitlines():
        for part in (line,) if len(line) <= _LONGEST else _SENTENCE.split(line):
            bare = " ".join(part.split()).lstrip("-*•> ").strip()
            if " " in bare:  # one word is no rule
                yield bare


def _replaces(later: str, earlier: str) -> bool:
    one, other = _rule_words(later), _rule_words(earlier)
    return bool(one and other) and len(one & other) >= _ALIKE * min(len(one), len(other))


@lru_cache(4_096)
def _rule_words(rule: str) -> frozenset[str]:
    """Its words, without a label before them."""
    label = _LABEL.match(rule)
    return words_of(rule[label.end() :] if label else rule)


def rule_lines(rules: Iterable[PersonRule]) -> str:
    """A line for each rule."""
    return "\n".join(f"- {rule.text} (#{rule.id})" for rule in rules)


_END = 0.25
"""Share of a note that the first and the latest request may each take, whole if they fit in it."""
_CUT = 60
"""Characters below which a request is not cut but left out of the middle."""


def request_lines(
    requests: Sequence[UserRequest], budget: int, whole: int, measure: Measure
) -> str:
    """The requests, oldest first: the first and the latest whole, the others as far as they fit.

    Arguments:
        requests: in order.
        budget: tokens for all of them.
        whole: tokens of the note, of which the first and the latest may each take a quarter.
        measure: the ruler.
    """
    if not requests:
        return ""
    ends = {0, len(requests) - 1}
    kept = {n: _within(requests[n], int(whole * _END), measure) for n in ends}
    middle = requests[1:-1]
    left = budget - sum(map(measure, kept.values()))
    between = _middle(middle, left, measure) if middle else []
    first, *latest = (kept[n] for n in sorted(ends))
    return "\n".join([first, *between, *latest])


def whole_line(request: UserRequest) -> str:
    """A request as it stands in a note that has room for it."""
    return _line(request, len(request.text))


def _middle(requests: Sequence[UserRequest], budget: int, measure: Measure) -> list[str]:
    """Each cut alike until they fit, but not too short: rather the oldest are left out."""
    characters = _alike(requests, budget, measure)

    def lines(some: Sequence[UserRequest]) -> str:
        return "\n".join(_line(request, characters) for request in reversed(some))

    kept = longest(requests[::-1], lines, budget, measure)
    gone = len(requests) - len(kept)
    gap = [f"[{gone} more]"] if gone else []
    return [*gap, *(_line(request, characters) for request in reversed(kept))]


def _alike(requests: Sequence[UserRequest], budget: int, measure: Measure) -> int:
    """The characters that each may have so that all of them fit, but not too few."""
    if len(requests) > budget:  # each takes a token or more
        return _CUT

    def size(characters: int) -> int:
        return measure("\n".join(_line(request, characters) for request in requests))

    most = max(len(request.text) for request in requests)
    return bisect_right(range(most + 1), budget, _CUT + 1, key=size) - 1


def _within(request: UserRequest, budget: int, measure: Measure) -> str:
    """A request in as many tokens, its head and its tail where it is longer."""
    size = measure(whole_line(request))
    return _line(request, max(len(request.text) * budget // size, _CUT))


def _line(request: UserRequest, characters: int) -> str:
    return f"[#{request.id}] {cut(request.text, characters)}"


def _said(block: Said) -> str:
    match block:
        case Text(text=text):
            ran = ran_in(text)
            return f"[I ran `{ran.command}`: {ran.ended}]" if ran else text
        case Image():
            return "[picture]"
        case Opaque():
            return "[document]"
