"""A summary without a model: the sentences of the range that matter most, in their own words.

Pure and deterministic: the fallback, the offline default, and the replay lab's summariser.
"""

import re
from collections.abc import Iterable, Sequence
from operator import attrgetter, itemgetter

from octochat.context.notes.artifacts import harvest
from octochat.context.notes.fitting import Measure
from octochat.context.notes.note import NoteParts, assemble
from octochat.context.notes.requests import user_requests
from octochat.context.notes.sections import Sections, Statement, Title
from octochat.context.notes.sentence_scores import Passage, Scored, scored
from octochat.context.session.content import ToolCall
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Entry, EntryId, Knowledge, Replied


def extract(entries: Sequence[Entry]) -> Sections:
    """The sections, every line with its worth; the note takes as many as it has room for.

    Sentences are scored by recency, by the tools used with them, by the words of the request they
    answer, by decisions, errors and constraints ("must", "never", "only"); those of units that
    share a file lift one another; a "but" or "because" stays with the sentence it leans on.
    """
    return tuple(
        Statement(s.title, _line(s.passage), s.score, _exchange(s)) for s in scored(entries)
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
        Statement(title, _line(s.passage), s.score)
        for s in scored(entries)
        if (title := _outcome(s, ended=s.passage.entry in ends))
    )


_CHECKED = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|verified|confirmed|exit(?:ed)? (?:with )?0|checked|tested)\b",
    re.IGNORECASE,
)


def _outcome(found: Scored, *, ended: bool) -> Title | None:
    match found.title:
        case "Decisions" | "Constraints and preferences":
            return found.title
        case "Open questions" | "Next steps":
            return None
        case _ if _CHECKED.search(found.passage.text):
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
    best = sorted(enumerate(scored(entries)), key=lambda each: -each[1].score)[:sentences]
    return " ".join(each.passage.text for _, each in sorted(best, key=itemgetter(0)))


def worths(entries: Sequence[Entry]) -> dict[EntryId, float]:
    """What each prompt or reply is worth: the score of its best sentence."""
    return _best(scored(entries))


def important(entries: Sequence[Entry], most: int) -> tuple[tuple[EntryId, ...], ...]:
    """The prompts and replies that are worth most, in order; those that share files in one group.

    Arguments:
        entries: the originals of the folded units.
        most: how many of them.
    """
    found = scored(entries)
    best = _best(found)
    families = {each.passage.entry: each.passage.family for each in found}
    groups: dict[int, list[EntryId]] = {}
    for entry in sorted(sorted(best, key=lambda each: (-best[each], each))[:most]):
        groups.setdefault(families[entry], []).append(entry)
    return tuple(map(tuple, groups.values()))


def _best(found: Iterable[Scored]) -> dict[EntryId, float]:
    """The score of the best sentence of each entry."""
    return {each.passage.entry: each.score for each in sorted(found, key=attrgetter("score"))}


def _line(passage: Passage) -> str:
    return f"#{passage.entry} {passage.text}"


def _exchange(found: Scored) -> EntryId:
    return found.passage.exchange if found.title == "State and progress" else 0
