"""Sum up or drop the oldest groups of messages. After auto-coder's `ConversationPruner`."""

from dataclasses import dataclass, replace
from typing import ClassVar

from octochat.context.codec.bounds import Positive, PositiveShare
from octochat.context.plans.folding import drop, messages, summarised
from octochat.context.plans.ranges import going
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Fold, Hold, NoteRequest, Plan
from octochat.context.session.view import Unit, Units

_GAP = 50
"""Tokens that the word about what was dropped may take."""


@dataclass(frozen=True, slots=True)
class GroupTruncate:
    """auto-coder's Truncate: while over the safe zone, the first group of messages is dropped.

    Best for general chat whose beginning is not needed any more; needs no model.
    """

    name: ClassVar[str] = "group_truncate"

    safe_zone_tokens: Positive = 50_000
    """The budget for the whole context, in tokens."""
    group_size: Positive = 4
    """How many messages form a group (a prompt, or a reply with its tool results)."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the safe zone at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Drop as many groups as it takes; the last one always stays."""
        if situation.size <= self.safe_zone_tokens:
            return _inside(situation, self.safe_zone_tokens)
        excess = situation.size - int(self.safe_zone_tokens * self.low_water)
        gone = _oldest(situation, self.group_size, excess)
        return _unless_none(drop(situation, gone, _over(self.safe_zone_tokens)), situation)


@dataclass(frozen=True, slots=True)
class GroupSummarize:
    """auto-coder's Summarize: while over the safe zone, the first groups become a summary.

    Best for general chat whose thread must not be lost. Costs a call of a model whenever it acts.
    """

    name: ClassVar[str] = "group_summarize"

    safe_zone_tokens: Positive = 50_000
    """The budget for the whole context, in tokens."""
    group_size: Positive = 4
    """How many messages form a group (a prompt, or a reply with its tool results)."""
    max_summary_tokens: Positive = 500
    """The longest summary, in tokens."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the safe zone at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Sum up as many groups as it takes, in one note; the last group always stays."""
        if situation.size <= self.safe_zone_tokens:
            return _inside(situation, self.safe_zone_tokens)
        excess = situation.size - int(self.safe_zone_tokens * self.low_water)
        gone = _oldest(situation, self.group_size, excess + self.max_summary_tokens)
        plan = summarised(situation, gone, self.max_summary_tokens, _over(self.safe_zone_tokens))
        return _unless_none(plan, situation)


@dataclass(frozen=True, slots=True)
class GroupHybrid:
    """auto-coder's Hybrid: it sums up first, and drops groups if that is not enough.

    Best for general chat that must stay inside the zone whatever the summary brings. Costs a call
    of a model whenever it sums up.
    """

    name: ClassVar[str] = "group_hybrid"

    safe_zone_tokens: Positive = 50_000
    """The budget for the whole context, in tokens."""
    group_size: Positive = 4
    """How many messages form a group (a prompt, or a reply with its tool results)."""
    max_summary_tokens: Positive = 500
    """The longest summary, in tokens."""
    low_water: PositiveShare = 1.0
    """Once over, free down to this share of the safe zone at one go."""

    def decide(self, situation: Situation) -> Decision:
        """Sum up; where that has failed or would not bring it inside, drop."""
        zone, group, note, low = (
            self.safe_zone_tokens,
            self.group_size,
            self.max_summary_tokens,
            self.low_water,
        )
        if situation.size <= zone:
            return _inside(situation, zone)
        gone = _oldest(situation, group, situation.size - int(zone * low) + _GAP)
        drops = _unless_none(drop(situation, gone, _over(zone)), situation)
        if situation.state.watermarks.stalled(self.name, situation.size):
            return drops
        summary = GroupSummarize(zone, group, note, low).decide(situation)
        match summary, drops:
            case Plan(), Plan(fold=Fold() as otherwise):
                better = _after(situation, summary) > zone >= _after(situation, drops)
                return drops if better else replace(summary, otherwise=otherwise)
            case _:
                return drops


def _after(situation: Situation, plan: Plan) -> int:
    """The context size that a plan leaves, its note at the longest."""
    match plan.fold:
        case NoteRequest(budget=note) as fold:
            pass
        case Fold(first=first, last=last, keep=keep):
            fold, note = NoteRequest(first, last, _GAP, keep), _GAP
        case None:
            return situation.size
    freed = sum(unit.size for unit in going(situation.state, fold)) - note
    return situation.size - _billed(situation, freed)


def _billed(situation: Situation, tokens: int) -> int:
    """What the API counts for tokens of our ruler, never more than they are."""
    state = situation.state
    return int(tokens * min(state.context / state.view.size, 1.0)) if state.view.size else tokens


def _oldest(situation: Situation, group_size: int, excess: int) -> Units:
    """The first groups that free `excess` tokens, without what may not go; never the last group."""
    said = messages(situation.state.view.units)
    gone: list[Unit] = []
    for start in range(0, len(said) - group_size, group_size):
        if _billed(situation, sum(unit.size for unit in gone)) >= excess:
            break
        gone += [u for u in said[start : start + group_size] if u.id in situation.free]
    return tuple(gone)


def _inside(situation: Situation, zone: int) -> Hold:
    return Hold(f"{situation.size:,} tokens are inside the safe zone of {zone:,}")


def _over(zone: int) -> str:
    return f"over the safe zone of {zone:,} tokens"


def _unless_none(decision: Decision, situation: Situation) -> Decision:
    if isinstance(decision, Plan):
        return decision
    return Hold(f"the safe zone can't be reached: {situation.size:,} tokens, and no group may go")
