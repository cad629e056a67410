"""The sentences of a range, each with what it is worth to whoever goes on with the work.

It knows words, calls and places, not what a note looks like.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from octochat.context.notes.cues import Cues, cues, words_of
from octochat.context.notes.growing import Growing
from octochat.context.notes.requests import binds
from octochat.context.notes.sections import Title
from octochat.context.notes.sentences import passages
from octochat.context.notes.touched import touched
from octochat.context.session.content import Block, Text, Thinking, ToolCall
from octochat.context.session.events import Entry, EntryId, Prompted, Replied, Returned
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
class Passage:
    """A sentence, or several that lean on one another."""

    text: str
    entry: EntryId
    """The entry that says it."""
    place: int
    """Position of that entry in the range."""
    exchange: EntryId
    """The request that it belongs to."""
    family: int
    """Units that share a file with their neighbours have the same number."""
    title: Title
    """The section it belongs to."""
    at_the_end: Title
    """The one it belongs to in the newest reply."""
    weight: float
    """How much who says it counts, and whether it is said or thought."""
    worth: float
    """By its words, and by whether it concludes the work on a request."""
    calls: tuple[str, ...] = ()
    """Ids of the tool calls beside it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage within its range."""

    passage: Passage
    title: Title
    """The section it belongs to."""
    score: float


def scored(entries: Sequence[Entry]) -> list[Scored]:
    """Each sentence once, where it was said last, lifted by what was said on the same files."""
    said = _said.over(entries)
    found = [(p, _score(p, said, len(entries))) for p in said.latest.values()]
    best: dict[int, float] = {}
    for passage, score in found:
        best[passage.family] = max(best.get(passage.family, 0.0), score)
    return [
        Scored(
            passage,
            passage.at_the_end if passage.place == said.newest else passage.title,
            score + _FAMILY * best[passage.family],
        )
        for passage, score in found
    ]


@dataclass(slots=True)
class _Said:
    """What was said so far, and where its reader stands."""

    latest: dict[str, Passage] = field(default_factory=dict[str, Passage])
    """By the text, in the order in which each was said last."""
    failed: set[str] = field(default_factory=set[str])
    """Ids of the calls that failed."""
    newest: int = 0
    """Position of the last reply."""
    exchange: EntryId = 0
    family: int = 0
    request: frozenset[str] = frozenset()
    """Words of the request that is being answered."""
    files: frozenset[str] = frozenset()
    """What the unit before worked on."""

    def read(self, place: int, entry: Entry) -> None:
        """Take in one more entry."""
        match entry.event:
            case Prompted(blocks=blocks):
                self._keep(self._of_person(entry.id, place, own_words(blocks)))
            case Replied(blocks=blocks):
                self.newest = place
                self._keep(self._of_agent(entry.id, place, blocks))
            case Returned(call_id=call_id, failed=True):
                self.failed.add(call_id)
            case _:
                pass

    def _keep(self, found: Iterable[Passage]) -> None:
        for passage in found:
            text = passage.text.casefold()
            self.latest.pop(text, None)
            self.latest[text] = passage

    def _of_person(self, entry: EntryId, place: int, text: str) -> Iterator[Passage]:
        """Only what binds: the requests themselves stand in the note anyway."""
        self.exchange, self.files = entry, frozenset()
        self.family += 1
        self.request = words_of(text)
        title: Title = "Constraints and preferences"
        for passage in passages(text):
            found = cues(passage)
            if (found.constraint or found.decision) and not binds(passage):  # rules stand first
                worth = _worth(found, frozenset())
                yield Passage(
                    passage, entry, place, entry, self.family, title, title, _PERSON, worth
                )

    def _of_agent(self, entry: EntryId, place: int, blocks: tuple[Block, ...]) -> Iterator[Passage]:
        calls = [block for block in blocks if isinstance(block, ToolCall)]
        files = frozenset(path for call in calls for path in _files(call))
        self.family += not files & self.files
        self.files = files or self.files
        ids = tuple(call.id for call in calls)
        for passage, weight in _spoken(blocks):
            found = cues(passage)
            title: Title = "Decisions" if found.decision else "State and progress"
            yield Passage(
                passage,
                entry,
                place,
                self.exchange,
                self.family,
                title,
                _at_the_end(passage, found, title),
                weight,
                _worth(found, self.request) + (0.0 if calls else _CONCLUSION),
                ids,
            )


_said = Growing(_Said, _Said.read)


def _score(passage: Passage, said: _Said, length: int) -> float:
    age = _OLDEST + (1 - _OLDEST) * (passage.place + 1) / length
    failed = not said.failed.isdisjoint(passage.calls)
    return age * passage.weight * (passage.worth + _FAILURE * failed)


def _spoken(blocks: Iterable[Block]) -> Iterator[tuple[str, float]]:
    for block in blocks:
        match block:
            case Text(text=text):
                yield from ((passage, 1.0) for passage in passages(text))
            case Thinking(text=text):
                yield from ((passage, _THOUGHT) for passage in passages(text))
            case _:
                pass


def _worth(found: Cues, request: frozenset[str]) -> float:
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


def _at_the_end(text: str, found: Cues, title: Title) -> Title:
    if text.endswith("?"):
        return "Open questions"
    return "Next steps" if found.next else title


def _files(call: ToolCall) -> tuple[str, ...]:
    files = touched(call)
    return (*files.read, *files.changed)
