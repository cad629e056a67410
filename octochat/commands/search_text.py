"""What a search in all sessions found, in words and for programs."""

from collections.abc import Iterator

from octochat.memory.all_sessions import MatchedSession, SearchResult
from octochat.memory.excerpt import excerpt
from octochat.memory.passages import Passage
from octochat.memory.query import Query
from octochat.text.figures import ago, count
from octochat.text.harmless import harmless

_NAMES = {"person": "you", "you": "octochat", "tool": "a tool"}
"""Who said it, as the person is told."""


def found_text(found: SearchResult, now: float) -> str:
    """A few lines for each session; `now` is in seconds since the epoch."""
    lines = [line for hit in found.hits for line in _session(hit, found.query, now)]
    if not lines:
        lines.append(f"Not found in {count(found.looked, 'session')}.")
    if found.cut:
        lines.append(f"There may be more: {found.cut}.")
    return "\n".join(lines)


def _session(hit: MatchedSession, query: Query, now: float) -> Iterator[str]:
    about = hit.session
    yield harmless(f"{about.id}  {ago(about.updated, now)}  {about.title}  ({about.folder})")
    for passage in hit.passages:
        who = _NAMES[passage.who] + (f" ({passage.path})" if passage.path else "")
        text = excerpt(passage.text, query)
        yield harmless(f"  #{passage.entry:<6}{who}, {ago(passage.at, now)}: {text}")


def found_data(found: SearchResult) -> dict[str, object]:
    """The same for programs."""
    return {
        "sessions": [_tree(hit, found.query) for hit in found.hits],
        "looked_through": found.looked,
        "cut": found.cut,
    }


def _tree(hit: MatchedSession, query: Query) -> dict[str, object]:
    about = hit.session
    return {
        "session_id": about.id,
        "title": about.title,
        "folder": about.folder,
        "updated": about.updated,
        "passages": [_passage(passage, query) for passage in hit.passages],
    }


def _passage(passage: Passage, query: Query) -> dict[str, object]:
    return {
        "entry": passage.entry,
        "who": passage.who,
        "path": passage.path,
        "at": passage.at,
        "text": passage.text,
        "excerpt": excerpt(passage.text, query),
    }
