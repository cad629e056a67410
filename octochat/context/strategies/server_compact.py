"""Have the API compact the older part itself, which keeps the thinking behind it valid.

It knows that the situation says whether the API can; who asks for it is `summaries/requests.py`.
"""

from dataclasses import dataclass
from typing import ClassVar

from octochat.context.codec.bounds import Count, Positive
from octochat.context.plans.folding import messages
from octochat.context.plans.ranges import before_tail, note_budget
from octochat.context.plans.situation import Situation
from octochat.context.session.edits import Decision, Hold, NoteRequest, Plan
from octochat.context.session.view import Units

LEAST = 0.20
"""The share of the context that must go for it to be worth a call and a new cache."""
ROOM = 0.8
"""The share of the most that a request may have at which it acts at the latest."""


@dataclass(frozen=True, slots=True)
class ServerCompact:
    """The API's own compaction: a signed summary takes the place of the older part.

    Best on models that bind their thinking: that of the turns behind the summary stays valid. Costs
    a call that reads the whole older part; models without compaction are left alone.
    """

    name: ClassVar[str] = "server_compact"

    max_tokens: Positive = 100_000
    """The budget for the whole context, in tokens."""
    keep_turns: Count = 4
    """How many turns at the end stay (a prompt, or a reply with its tool results)."""
    note_max_tokens: Positive = 4_000
    """The longest summary if the API's fails and octochat writes its own, in tokens."""

    def decide(self, situation: Situation) -> Decision:
        """Compact all but the last turns."""
        if not situation.compaction:
            return Hold("the model's API can't compact on demand")
        most = min(self.max_tokens, int(situation.limit * ROOM))
        if situation.size <= most:
            return Hold(f"{situation.size:,} tokens (more than {most:,} are too many)")
        run = self._run(situation)
        folded = sum(unit.size for unit in messages(run) if unit.id in situation.free)
        if folded < LEAST * situation.size:
            return Hold(f"only {folded:,} tokens could be compacted")
        budget = note_budget(folded, self.note_max_tokens)
        request = NoteRequest(run[0].id, run[-1].id, budget, style="server")
        return Plan(f"over {most:,} tokens", request)

    def _run(self, situation: Situation) -> Units:
        """What is compacted: up to the first unit that must stay, if that is enough.

        "If they directly follow what was summarised": a unit kept from inside would come between.
        """
        units = situation.state.view.units
        units = units[: before_tail(units, self.keep_turns)]
        stays = [i for i, unit in enumerate(units) if unit.id not in situation.free]
        clean = units[: stays[0]] if stays else units
        enough = sum(unit.size for unit in clean) >= LEAST * situation.size
        return clean if enough else units
