"""The comparison as text for a terminal: what is measured, in columns, and how it is said."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from octochat.replay.interval import DRAWS, SEED, Estimate
from octochat.replay.report import ContenderRow, Section
from octochat.text.figures import dollars


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a row."""

    title: str
    meaning: str
    """Said in the legend."""
    cell: Callable[[ContenderRow], str]


COST = (
    Column("cost", "billed, notes included", lambda row: dollars(row.cost)),
    Column("of none", "cost as a share of doing nothing", lambda row: share(row.ratio, 2)),
    Column("notes", "the part of it that paid for notes", lambda row: dollars(row.summaries)),
    Column("mean", "tokens of a request", lambda row: f"{row.mean_context:,.0f}"),
    Column("peak", "tokens of the largest request", lambda row: f"{row.peak_context:,}"),
    Column("hits", "input read from the cache", lambda row: percent(row.hit_rate)),
    Column("busts", "living cache entries broken", lambda row: f"{row.busts:,}"),
    Column("rewritten", "tokens cached again", lambda row: f"{row.rewritten:,}"),
    Column("edits", "changes of the context", lambda row: f"{row.edits:,}"),
    Column("yield", "tokens freed by an edit", lambda row: f"{_yield(row):,.0f}"),
    Column(
        "to come",
        "calls after the folds that were expected, as a share of those that came",
        lambda row: share(_foreseen(row), 2),
    ),
    Column("invalid", "what the API would refuse", lambda row: f"{row.violations:,}"),
    Column("too long", "requests over the window", lambda row: f"{row.too_long:,}"),
)
MEMORY = (
    Column(
        "far",
        "identifiers still in the context when used again, over 10 units after they were last seen",
        lambda row: between(row.far),
    ),
    Column("near", "the same, last seen since", lambda row: percent(row.near.share)),
    Column(
        "reach",
        "far, and those that could be recalled",
        lambda row: percent(row.identifier_recall.far.reach),
    ),
    Column(
        "rare",
        "of the words that at most 5 % of the recordings have and the agent writes again, last "
        "seen over 10 units ago: those in its context",
        lambda row: between(row.rare_far),
    ),
    Column("rare, mean", "the same, mean of the recordings", lambda row: between(row.rare_mean)),
    Column("rare, near", "rare words last seen since", lambda row: between(row.rare_near)),
    Column(
        "evidence",
        "a question asked as the next prompt: of the messages that answer it, those in the context",
        lambda row: between(row.evidence),
    ),
    Column("some", "questions with any such message", lambda row: between(row.some_evidence)),
    Column("answer", "of the answer's words, those there", lambda row: between(row.answer)),
)
COLUMNS = COST + MEMORY
TIMING = (
    Column("decide ms", "mean of a decision", lambda row: f"{row.latency * 1000:.2f}"),
    Column("slowest ms", "the slowest one", lambda row: f"{row.slowest * 1000:.1f}"),
)
BASELINES = (
    ("none", "nothing is ever left out: what a strategy is compared with"),
    (
        "random",
        "drops at random, when pressure (or else the first strategy) acts, and to its size",
    ),
    (
        "oracle",
        "the same, but looks ahead and drops what holds least of the identifiers used again",
    ),
)
INTERVALS = (
    f"In brackets: 95 of 100 draws of the recordings lie there ({DRAWS:,} draws, seed {SEED}). "
    "What stands in the context is the most that a model can make use of, not what it does."
)


def share(value: float | None, places: int) -> str:
    """A ratio."""
    return "-" if value is None else f"{value:.{places}f}"


def percent(value: float | None) -> str:
    """A share of all."""
    return "-" if value is None else f"{value:.1%}"


def between(estimate: Estimate) -> str:
    """A share of all, and where it would lie with other recordings."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{estimate.value:.1%} ({100 * estimate.low:.0f}-{100 * estimate.high:.0f})"


def table(sections: Sequence[Section], faults: Sequence[str], *, timing: bool) -> str:
    """The comparison as aligned text, with a legend and what was left out."""
    cost = COST + TIMING if timing else COST
    parts = [part for section in sections for part in _parts(section, cost)]
    known = {row.name for section in sections for row in section.rows}
    legend = [f"{column.title}: {column.meaning}" for column in cost + MEMORY]
    legend += (f"{name}: {meaning}" for name, meaning in BASELINES if name in known)
    parts.append("\n".join([*legend, INTERVALS]))
    if faults:
        parts.append("Left out:\n" + "\n".join(f"  {fault}" for fault in faults))
    return "\n\n".join(parts) + "\n"


def remarks(section: Section) -> Iterator[str]:
    """What holds for all rows of a section, in sentences."""
    models = ", ".join(f"{name} ({count})" for name, count in section.models.items())
    yield f"Played with the prices and the window of: {models}."
    if section.questions:
        yield (
            f"One search of recall finds something that answers {between(section.found)} of the "
            f"{section.questions} questions."
        )
    if section.summaries:
        kept = {name: between(each) for name, each in section.agent_summaries.items()}
        yield (
            f"A note beside the {section.summaries} summaries that recorded agents wrote, at the "
            "same length: rare words {words}, theirs {their_words}; identifiers {names}, theirs "
            "{their_names}. At twice the length: rare words {longer_words}, with their text in "
            "the note {joined_words}; identifiers {longer_names}, with it "
            "{joined_names}.".format(**kept)
        )


def heading(section: Section) -> str:
    """The title of a section."""
    return f"{section.title}: {section.recordings} with {section.calls:,} calls"


def aligned(section: Section, columns: Sequence[Column]) -> str:
    """The rows of a section under their title."""
    return "\n".join([heading(section), *_rows(section, columns)])


def _parts(section: Section, cost: Sequence[Column]) -> Iterator[str]:
    yield aligned(section, cost)
    yield "\n".join(_rows(section, MEMORY))
    yield "\n".join(remarks(section))


def _rows(section: Section, columns: Sequence[Column]) -> Iterator[str]:
    head = ["", *(column.title for column in columns)]
    body = [[row.name, *(column.cell(row) for column in columns)] for row in section.rows]
    widths = [max(map(len, cells)) for cells in zip(head, *body, strict=True)]
    return (_line(cells, widths) for cells in [head, *body])


def _line(cells: Iterable[str], widths: Iterable[int]) -> str:
    padded = [
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _foreseen(row: ContenderRow) -> float | None:
    return row.calls_expected / row.calls_came if row.calls_came else None


def _yield(row: ContenderRow) -> float:
    return row.freed / row.edits if row.edits else 0.0
