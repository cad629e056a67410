"""What a person is offered as a session opens: a question that one letter and Enter say yes to.

The letter means that only as the first thing that is sent; a word that begins with it is a word.
"""

from dataclasses import dataclass

from octochat.context.plans.cold_start import compact_first
from octochat.context.plans.forecast import forecast
from octochat.context.plans.situation import Situation
from octochat.context.plans.strategy import levels_of
from octochat.engine.policy import ContextPolicy
from octochat.text.figures import dollars, roughly


@dataclass(frozen=True, slots=True)
class Offer:
    """A question, and what is done on a yes."""

    question: str
    key: str
    """The letter that says yes."""
    command: str
    """What is carried out then."""

    def answered(self, text: str) -> str:
        """What is to be done, given what was sent."""
        return self.command if text.strip() == self.key else text


def compression_first(situation: Situation, rules: ContextPolicy) -> Offer | None:
    """To compress before going on, where that is much cheaper than to read a big context anew."""
    levels = levels_of(rules.strategies, situation.window)
    cost = compact_first(situation, levels[0].threshold if levels else None, rules.note_max)
    if cost is None:
        return None
    return Offer(
        f"The cache is cold: reading it anew costs {dollars(forecast(situation).cold)}; compress "
        f"first for {roughly(cost)}?",
        "c",
        "/compact",
    )
