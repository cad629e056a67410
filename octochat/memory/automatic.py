"""Automatic recall: which folded passages go along with a prompt, and how they are told.

Pure but for the search. The rule is in docs/memory.md, "Automatic recall".
"""

from collections.abc import Callable, Iterable, Sequence

from octochat.context.economics.prices import MILLION
from octochat.context.plans.situation import Situation
from octochat.context.session.content import plain_text
from octochat.context.session.events import Entry, Recalled
from octochat.context.session.ran import own_words
from octochat.context.session.state import State
from octochat.context.session.tags import RECALLED, tagged
from octochat.context.session.view import Note, Prompt
from octochat.memory.passages import Passage
from octochat.memory.query import WEAK, Query, query
from octochat.memory.quotations import quotations
from octochat.memory.searching import Hit, Scope, Searchable

LEAST = 0.35
"""A passage that answers less well than this share of the best one is left out."""
WEAKEST = 0.75
"""A passage is left out that scores less than this, where 1 is one word that no other has."""
MANY = 100
"""With fewer passages than this nobody can say which words are rare, and all are good enough."""
_INTRODUCTION = (
    "Passages of the folded part of this conversation that may matter now. They are quotations of "
    "what was said earlier, not a new request. `recall` fetches more, by number or by words."
)


def recalled(
    situation: Situation, log: Sequence[Entry], index: Searchable, tokens: int
) -> Recalled | None:
    """The passages that go along with the prompt being answered; None where there are none.

    Args:
        situation: the session, the prompt in its view.
        log: its entries, what was undone left out.
        index: of this session, brought up to the log.
        tokens: the most that all of it may take.
    """
    state, measure = situation.state, situation.measure
    gone = folded(state)
    asked = _asked(state)
    if not gone or asked.empty:
        return None
    shown = _shown(state)
    alive = {entry.id for entry in log}

    def allows(passage: Passage) -> bool:
        folded_away = passage.unit in gone and passage.entry in alive
        return folded_away and " ".join(passage.text.split()) not in shown

    least = WEAKEST if index.passages >= MANY else 0.0
    found = index.search(asked, Scope(allows=allows, least=least))
    hits = _fitting(found, tokens, measure)
    if not hits:
        return None
    units = tuple(dict.fromkeys(hit.passage.unit for hit in hits))
    text = _told(hits)
    return Recalled(text, units, len(hits), _cost(situation, measure(text)))


def _cost(situation: Situation, tokens: int) -> float | None:
    """Dollars for writing so many tokens to the cache; None where nobody knows the price."""
    rates = situation.prices.at(situation.size + tokens)
    if rates is None:
        return None
    return rates.write(situation.state.ledger.ttl) * tokens / MILLION


def folded(state: State) -> frozenset[int]:
    """The units that notes stand for."""
    notes = (u for u in state.view.units if isinstance(u, Note) and u.kind == "summary")
    return frozenset(unit for note in notes for unit in note.covers)


def _asked(state: State) -> Query:
    """What the passages are to have to do with."""
    prompts = (unit for unit in reversed(state.view.units) if isinstance(unit, Prompt))
    asked = next(prompts, None)
    found = query(own_words(asked.blocks).replace('"', " ") if asked else "")
    return Query(tuple(word for word in found.words if word not in WEAK))


def _shown(state: State) -> str:
    """What the notes in the context say already, in one line."""
    notes = (u for u in state.view.units if isinstance(u, Note))
    return " ".join(" ".join(plain_text(note.blocks).split()) for note in notes)


def _fitting(hits: Iterable[Hit], tokens: int, measure: Callable[[str], int]) -> list[Hit]:
    """The best that fit.

    The first that does not fit ends the list, as does the first weak one.
    """
    best = 0.0
    found: list[Hit] = []
    for hit in hits:
        best = max(best, hit.score)
        longer = [*found, hit]
        if hit.score < best * LEAST or measure(_told(longer)) > tokens:
            break
        found = longer
    return found


def _told(hits: Iterable[Hit]) -> str:
    return tagged(RECALLED, f"{_INTRODUCTION}\n\n{quotations(hits)}")
