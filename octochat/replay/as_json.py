"""The comparison as JSON, in pieces: first the sections, then one piece for each recording."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import indent

from octochat.replay.identifier_recall import RecallShare
from octochat.replay.interval import DRAWS, SEED, Estimate
from octochat.replay.outcome import Outcome
from octochat.replay.rare_words import ShownCount
from octochat.replay.report import ContenderRow, Section

Tree = Mapping[str, object]


def as_json(
    sections: Sequence[Section],
    recordings: Iterable[str],
    faults: Sequence[str],
    *,
    timing: bool,
) -> Iterator[str]:
    """The document.

    Args:
        sections: The comparison.
        recordings: `recording_json` of each one.
        faults: What was left out.
        timing: Whether to say how long decisions took.
    """
    tree = {
        "intervals": {"draws": DRAWS, "seed": SEED, "share": 0.95},
        "sections": [_section(section, timing=timing) for section in sections],
        "left_out": list(faults),
    }
    head = _text(tree).removesuffix("\n}")
    yield f'{head},\n  "recordings": ['
    for place, recording in enumerate(recordings):
        yield ",\n" if place else "\n"
        yield recording
    yield "\n  ]\n}\n"


def recording_json(outcome: Outcome) -> str:
    """One recording, as it stands in the list."""
    tree = {
        "name": outcome.name,
        "tokens": outcome.tokens,
        "model": outcome.model,
        "calls": len(outcome.results[0].contexts) if outcome.results else 0,
        "results": [
            {
                "name": result.contender,
                "cost": result.total,
                "peak_context": max(result.contexts, default=0),
                "rare_words": _seen(result.rare_far),
                "evidence": [answer.evidence.share for answer in result.answers],
                "edits": [
                    {
                        "call": edit.call,
                        "by": edit.by,
                        "why": edit.why,
                        "before": edit.before,
                        "after": edit.after,
                        "calls_expected": edit.expected,
                    }
                    for edit in result.edits
                ],
                "violations": list(result.violations),
            }
            for result in outcome.results
        ],
    }
    return indent(_text(tree), "    ")


def _section(section: Section, *, timing: bool) -> Tree:
    return {
        "title": section.title,
        "recordings": section.recordings,
        "calls": section.calls,
        "models": dict(section.models),
        "questions": section.questions,
        "found_by_one_search": _estimate(section.found),
        "beside_summaries": {
            "summaries": section.summaries,
            **{name: _estimate(estimate) for name, estimate in section.agent_summaries.items()},
        },
        "rows": [_row(row, timing=timing) for row in section.rows],
    }


def _row(row: ContenderRow, *, timing: bool) -> Tree:
    kept = row.identifier_recall
    figures: dict[str, object] = {
        "name": row.name,
        "cost": row.cost,
        "cost_ratio": row.ratio,
        "cost_ratio_interval": _interval(row.cost_ratio),
        "summary_cost": row.summaries,
        "mean_context": row.mean_context,
        "mean_context_interval": _interval(row.mean),
        "peak_context": row.peak_context,
        "cache_hit_rate": row.hit_rate,
        "cache_busts": row.busts,
        "tokens_rewritten": row.rewritten,
        "violations": row.violations,
        "too_long": row.too_long,
        "edits": row.edits,
        "tokens_freed": row.freed,
        "calls_expected": row.calls_expected,
        "calls_came": row.calls_came,
        "recall": {
            "far": {**_recall(kept.far), "interval": _interval(row.far)},
            "near": _recall(kept.near),
            "far_uses": _recall(kept.far_uses),
            **{kind: _recall(kept.kinds[kind]) for kind in sorted(kept.kinds)},
        },
        "rare_words": {
            "far": _estimate(row.rare_far),
            "far_mean_of_recordings": _estimate(row.rare_mean),
            "near": _estimate(row.rare_near),
        },
        "questions": {
            "evidence": _estimate(row.evidence),
            "some_evidence": _estimate(row.some_evidence),
            "answer_words": _estimate(row.answer),
        },
    }
    if timing:
        figures["decide_seconds"] = {"mean": row.latency, "slowest": row.slowest}
    return figures


def _estimate(estimate: Estimate) -> Tree:
    return {"in_context": estimate.value, "interval": _interval(estimate)}


def _interval(estimate: Estimate) -> list[float | None] | None:
    return None if estimate.low is None else [estimate.low, estimate.high]


def _recall(recall: RecallShare) -> Tree:
    return {
        "count": recall.count,
        "in_context": recall.share,
        "in_context_or_recallable": recall.reach,
    }


def _seen(seen: ShownCount) -> Tree:
    return {"count": seen.count, "in_context": seen.share}


def _text(tree: Tree) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=2)
