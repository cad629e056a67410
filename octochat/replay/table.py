"""The comparison as text for a terminal, and as JSON."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from octochat.replay.outcome import Outcome
from octochat.replay.report import ContenderRow, RecallShare, Section


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a row."""

    title: str
    meaning: str
    """Said in the legend."""
    cell: Callable[[ContenderRow], str]


COLUMNS = (
    Column("cost $", "billed, notes included", lambda row: dollars(row.cost)),
    Column("of none", "cost as a share of doing nothing", lambda row: share(row.ratio, 2)),
    Column("notes $", "the part of it that paid for notes", lambda row: dollars(row.summaries)),
    Column("mean", "tokens of a request", lambda row: f"{row.mean_context:,.0f}"),
    Column("peak", "tokens of the largest request", lambda row: f"{row.peak_context:,}"),
    Column("hits", "input read from the cache", lambda row: percent(row.hit_rate)),
    Column("busts", "living cache entries broken", lambda row: f"{row.busts:,}"),
    Column("rewritten", "tokens cached again", lambda row: f"{row.rewritten:,}"),
    Column("edits", "changes of the context", lambda row: f"{row.edits:,}"),
    Column("yield", "tokens freed by an edit", lambda row: f"{_yield(row):,.0f}"),
    Column(
        "far",
        "identifiers there whenever used, last seen over 10 units ago",
        lambda row: percent(row.far.share),
    ),
    Column("near", "the same, last seen since", lambda row: percent(row.near.share)),
    Column("reach", "far, and those that could be recalled", lambda row: percent(row.far.reach)),
    Column("invalid", "what the API would refuse", lambda row: f"{row.violations:,}"),
    Column("too long", "requests over the window", lambda row: f"{row.too_long:,}"),
)
TIMING = (
    Column("decide ms", "mean of a decision", lambda row: f"{row.latency * 1000:.2f}"),
    Column("slowest ms", "the slowest one", lambda row: f"{row.slowest * 1000:.1f}"),
)


def dollars(value: float | None) -> str:
    """Dollars, or that nobody knows."""
    return "unpriced" if value is None else f"{value:,.2f}"


def share(value: float | None, places: int) -> str:
    """A ratio."""
    return "-" if value is None else f"{value:.{places}f}"


def percent(value: float | None) -> str:
    """A share of all."""
    return "-" if value is None else f"{value:.1%}"


def table(sections: Sequence[Section], faults: Sequence[str], *, timing: bool) -> str:
    """The comparison as aligned text, with a legend and what was left out."""
    columns = COLUMNS + TIMING if timing else COLUMNS
    parts = [aligned(section, columns) for section in sections]
    parts.append("\n".join(f"{column.title}: {column.meaning}" for column in columns))
    if faults:
        parts.append("Left out:\n" + "\n".join(f"  {fault}" for fault in faults))
    return "\n\n".join(parts) + "\n"


def as_json(
    sections: Sequence[Section],
    outcomes: Sequence[Outcome],
    faults: Sequence[str],
    *,
    timing: bool,
) -> str:
    """The comparison as JSON: the sections, every recording, and what was left out."""
    tree = {
        "sections": [
            {
                "title": section.title,
                "recordings": section.recordings,
                "calls": section.calls,
                "rows": [_row(row, timing=timing) for row in section.rows],
            }
            for section in sections
        ],
        "recordings": [_outcome(outcome) for outcome in outcomes],
        "left_out": list(faults),
    }
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def aligned(section: Section, columns: Sequence[Column]) -> str:
    """The rows of a section under their title."""
    head = ["", *(column.title for column in columns)]
    body = [[row.name, *(column.cell(row) for column in columns)] for row in section.rows]
    widths = [max(map(len, cells)) for cells in zip(head, *body, strict=True)]
    title = f"{section.title}: {section.recordings} with {section.calls:,} calls"
    return "\n".join([title, *(_line(cells, widths) for cells in [head, *body])])


def _line(cells: Iterable[str], widths: Iterable[int]) -> str:
    padded = [
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _yield(row: ContenderRow) -> float:
    return row.freed / row.edits if row.edits else 0.0


def _row(row: ContenderRow, *, timing: bool) -> dict[str, object]:
    figures: dict[str, object] = {
        "name": row.name,
        "cost": row.cost,
        "cost_ratio": row.ratio,
        "summary_cost": row.summaries,
        "mean_context": row.mean_context,
        "peak_context": row.peak_context,
        "cache_hit_rate": row.hit_rate,
        "cache_busts": row.busts,
        "tokens_rewritten": row.rewritten,
        "violations": row.violations,
        "too_long": row.too_long,
        "edits": row.edits,
        "tokens_freed": row.freed,
        "recall": {
            "far": _recall(row.far),
            "near": _recall(row.near),
            "far_uses": _recall(row.far_uses),
            **{kind: _recall(recall) for kind, recall in row.kinds.items()},
        },
    }
    if timing:
        figures["decide_seconds"] = {"mean": row.latency, "slowest": row.slowest}
    return figures


def _recall(recall: RecallShare) -> dict[str, object]:
    return {
        "count": recall.count,
        "in_context": recall.share,
        "in_context_or_recallable": recall.reach,
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "name": outcome.name,
        "tokens": outcome.tokens,
        "calls": len(outcome.results[0].contexts) if outcome.results else 0,
        "results": [
            {
                "name": result.contender,
                "cost": result.total,
                "peak_context": max(result.contexts, default=0),
                "edits": [
                    {
                        "call": edit.call,
                        "by": edit.by,
                        "why": edit.why,
                        "before": edit.before,
                        "after": edit.after,
                    }
                    for edit in result.edits
                ],
                "violations": list(result.violations),
            }
            for result in outcome.results
        ],
    }
