"""A summary without a model: the sentences of the range that matter most, in their own words.

Pure and deterministic: the fallback, the offline default, and the replay lab's summariser.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from octochat.context.notes.artifacts import harvest
from octochat.context.notes.cues import Cues, cues, words_of
from octochat.context.notes.fitting import Measure
from octochat.context.notes.note import NoteParts, assemble
from octochat.context.notes.requests import binds, user_requests
from octochat.context.notes.sections import Sections, Statement, Title
from octochat.context.notes.sentences import passages
from octochat.context.notes.touched import touched
from octochat.context.session.content import Block, Text, Thinking, ToolCall
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, EntryId, Knowledge, Prompted, Replied, Returned
from octochat.context.session.ran import own_words

_CHATTER = 0.1
"""What a sentence is worth that says nothing."""
_PERSON = 1.6
"""How much more a sentence of the person counts than one of the agent."""
_CONCLUSION = 1.5
"""What a sentence gains that ends the agent's work on a request."""
_FAILURE = 1.0
"""What one gains that stands beside a tool call that failed."""
_THOUGHT = 0.6
"""How much less one of its thinking does."""
_OLDEST = 0.5
"""What the oldest sentence keeps of its score; the newest keeps all."""
_FAMILY = 0.25
"""Share of the best score among related units that each of their sentences gets besides."""


@dataclass(frozen=True, slots=True)
class _Passage:
    """A sentence, or several that lean on one another."""

    text: str
    entry: int
    """Id of the entry that says it."""
    place: int
    """Position of that entry in the range."""
    exchange: int
    """Id of the request that it belongs to."""
    family: int
    """Units that share a file with their neighbours have the same number."""
    title: Title
    score: float


def extract(entries: Sequence[Entry]) -> Sections:
    """The sections, every line with its worth; the note takes as many as it has room for.

    Sentences are scored by recency, by the tools used with them, by the words of the request they
    answer, by decisions, errors and constraints ("must", "never", "only"); those of units that
    share a file lift one another; a "but" or "because" stays with the sentence it leans on.
    """
    return tuple(
        Statement(p.title, f"#{p.entry} {p.text}", score, _exchange(p))
        for p, score in _scored(entries)
    )


def extract_outcomes(entries: Sequence[Entry]) -> Sections:
    """The sections for a task that is done: what came of it, how it was checked, what binds.

    Outcomes are what the agent said at the end of its work on a request.
    """
    ends = {
        entry.id
        for entry in entries
        if isinstance(entry.event, Replied)
        and not any(isinstance(block, ToolCall) for block in entry.event.blocks)
    }
    return tuple(
        Statement(title, f"#{p.entry} {p.text}", score)
        for p, score in _scored(entries)
        if (title := _outcome(p, ended=p.entry in ends))
    )


_CHECKED = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|verified|confirmed|exit(?:ed)? (?:with )?0|checked|tested)\b",
    re.IGNORECASE,
)


def _outcome(passage: _Passage, *, ended: bool) -> Title | None:
    match passage.title:
        case "Decisions" | "Constraints and preferences":
            return passage.title
        case "Open questions" | "Next steps":
            return None
        case _ if _CHECKED.search(passage.text):
            return "Verified"
        case _:
            return "Outcomes" if ended else None


def extractive_note(
    entries: Sequence[Entry],
    covers: Sequence[UnitId],
    knowledge: tuple[Knowledge, ...],
    budget: int,
    measure: Measure,
    *,
    ended: bool = False,
    earlier: Sections = (),
) -> str:
    """The whole note on the units `covers`, from the logged originals alone.

    Arguments:
        entries: the originals of the folded units.
        covers: ids of these units, those that earlier notes stand for included.
        knowledge: what is to be retained.
        budget: tokens for the note.
        measure: the ruler.
        ended: the task is done.
        earlier: what a model wrote on some of these units before.
    """
    sections = (*earlier, *(extract_outcomes(entries) if ended else extract(entries)))
    parts = NoteParts(
        user_requests(entries), sections, knowledge, harvest(entries), tuple(covers), ended
    )
    return assemble(parts, budget, measure)


def paragraph(entries: Sequence[Entry], sentences: int) -> str:
    """The best sentences of the range in their order, as one running text."""
    found = _scored(entries)
    best = sorted(enumerate(found), key=lambda each: -each[1][1])[:sentences]
    return " ".join(passage.text for _, (passage, _) in sorted(best, key=itemgetter(0)))


def worths(entries: Sequence[Entry]) -> dict[EntryId, float]:
    """What each prompt or reply is worth: the score of its best sentence."""
    return _best(_scored(entries))


def important(entries: Sequence[Entry], most: int) -> tuple[tuple[EntryId, ...], ...]:
    """The prompts and replies that are worth most, in order; those that share files in one group.

    Arguments:
        entries: the originals of the folded units.
        most: how many of them.
    """
    found = _scored(entries)
    best = _best(found)
    families = {passage.entry: passage.family for passage, _ in found}
    groups: dict[int, list[EntryId]] = {}
    for entry in sorted(sorted(best, key=lambda each: (-best[each], each))[:most]):
        groups.setdefault(families[entry], []).append(entry)
    return tuple(map(tuple, groups.values()))


def _best(found: Iterable[tuple[_Passage, float]]) -> dict[EntryId, float]:
    """The score of the best sentence of each entry."""
    return {passage.entry: score for passage, score in sorted(found, key=itemgetter(1))}


def _exchange(passage: _Passage) -> int:
    return passage.exchange if passage.title == "State and progress" else 0


@dataclass(slots=True)
class _Reading:
    """Where the reader of a range stands."""

    newest: int
    """Position of the last reply."""
    length: int
    failed: frozenset[str]
    """Ids of the calls that failed."""
    exchange: int = 0
    family: int = 0
    request: frozenset[str] = frozenset()
    """Words of the request that is being answered."""
    files: frozenset[str] = frozenset()
    """What the unit before worked on."""

    def age(self, place: int) -> float:
        """What a sentence at this position keeps of its score."""
        return _OLDEST + (1 - _OLDEST) * (place + 1) / self.length


def _passages(entries: Sequence[Entry]) -> Iterator[_Passage]:
    newest = max((i for i, e in enumerate(entries) if isinstance(e.event, Replied)), default=0)
    reading = _Reading(newest, len(entries), _failed(entries))
    for place, entry in enumerate(entries):
        match entry.event:
            case Prompted(blocks=blocks):
                yield from _of_person(reading, entry.id, place, own_words(blocks))
            case Replied(blocks=blocks):
                yield from _of_agent(reading, entry.id, place, blocks)
            case _:
                pass


def _of_person(reading: _Reading, entry: int, place: int, text: str) -> Iterator[_Passage]:
    """Only what binds: the requests themselves stand in the note anyway."""
    reading.exchange, reading.files = entry, frozenset()
    reading.family += 1
    reading.request = words_of(text)
    for passage in passages(text):
        found = cues(passage)
        if (found.constraint or found.decision) and not binds(passage):  # rules stand first
            score = reading.age(place) * _PERSON * _score(found, frozenset())
            title: Title = "Constraints and preferences"
            yield _Passage(passage, entry, place, entry, reading.family, title, score)


def _of_agent(
    reading: _Reading, entry: int, place: int, blocks: tuple[Block, ...]
) -> Iterator[_Passage]:
    calls = [block for block in blocks if isinstance(block, ToolCall)]
    files = frozenset(path for call in calls for path in _files(call))
    reading.family += not files & reading.files
    reading.files = files or reading.files
    used = _CONCLUSION if not calls else _FAILURE * any(c.id in reading.failed for c in calls)
    for passage, weight in _spoken(blocks):
        found = cues(passage)
        score = reading.age(place) * weight * (_score(found, reading.request) + used)
        title = _title(passage, found, newest=place == reading.newest)
        yield _Passage(passage, entry, place, reading.exchange, reading.family, title, score)


def _spoken(blocks: Iterable[Block]) -> Iterator[tuple[str, float]]:
    for block in blocks:
        match block:
            case Text(text=text):
                yield from ((passage, 1.0) for passage in passages(text))
            case Thinking(text=text):
                yield from ((passage, _THOUGHT) for passage in passages(text))
            case _:
                pass


def _score(found: Cues, request: frozenset[str]) -> float:
    if found.filler:
        return _CHATTER
    return (
        1.0
        + 0.5 * min(found.names, 4)
        + 0.3 * min(len(request & found.words), 5)
        + 2.0 * found.decision
        + 1.5 * found.error
        + 1.5 * found.constraint
        + 1.0 * found.done
    )


def _title(text: str, found: Cues, *, newest: bool) -> Title:
    if newest and text.endswith("?"):
        return "Open questions"
    if newest and found.next:
        return "Next steps"
    return "Decisions" if found.decision else "State and progress"


def _files(call: ToolCall) -> tuple[str, ...]:
    files = touched(call)
    return (*files.read, *files.changed)


def _failed(entries: Iterable[Entry]) -> frozenset[str]:
    events = (entry.event for entry in entries)
    return frozenset(e.call_id for e in events if isinstance(e, Returned) and e.failed)


def _distinct(found: Iterable[_Passage]) -> Iterator[_Passage]:
    """Each text once, where it was said last."""
    latest = {passage.text.casefold(): passage for passage in found}
    return iter(sorted(latest.values(), key=lambda passage: passage.place))


def _scored(entries: Sequence[Entry]) -> list[tuple[_Passage, float]]:
    """Each sentence once with its score, lifted by what was said on the same files."""
    found = tuple(_distinct(_passages(entries)))
    best: dict[int, float] = {}
    for passage in found:
        best[passage.family] = max(best.get(passage.family, 0.0), passage.score)
    return [(p, p.score + _FAMILY * best[p.family]) for p in found]
