"""What a search is given and gives back, whatever carries it out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from octochat.context.session.events import Entry
from octochat.memory.passages import Passage, Speaker
from octochat.memory.query import Query


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found."""

    passage: Passage
    number: int
    """Its place among all passages: what was said next to one another has numbers that follow."""
    score: float
    """How well it answers: 1 is about one word of the query that no other passage has."""


def _anything(_passage: Passage) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look. Each field that is set leaves out all that does not answer to it."""

    who: Speaker | None = None
    path: str = ""
    """Part of the path or command that a result came from."""
    allows: Callable[[Passage], bool] = _anything
    """Whether a passage may be shown."""
    least: float = 0.0
    """The score that a passage must have."""


class Searchable(Protocol):
    """What can be searched: a session's database, or what stands in for it."""

    def update(self, log: Sequence[Entry], stamp: str = "") -> None:
        """Take in what has come to the log since the last time.

        `stamp` tells the state of the file that the log was read from, if it was.
        """
        ...

    def search(self, query: Query, scope: Scope) -> Iterator[Hit]:
        """What answers the query, the best first."""
        ...

    @property
    def passages(self) -> int:
        """How many there are."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


def fits(passage: Passage, query: Query, scope: Scope) -> bool:
    """Whether a passage holds the query's phrases and is in the scope."""
    text = _folded(passage.text)
    return (
        all(_folded(phrase) in text for phrase in query.phrases)
        and scope.who in (None, passage.who)
        and scope.path.casefold() in passage.path.casefold()
        and scope.allows(passage)
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
