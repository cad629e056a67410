"""What a strategy may look at: the state, and what clock, model and price list say."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from octochat.context.economics.prices import UNPRICED, Prices
from octochat.context.economics.worth import Writer
from octochat.context.session.edits import UnitId
from octochat.context.session.events import Trigger
from octochat.context.session.state import State


@dataclass(frozen=True)
class Situation:
    """Everything a strategy may look at."""

    state: State
    measure: Callable[[str], int]
    """Tokens of a text, by octochat's ruler."""
    now: float = 0.0
    """Seconds since the epoch."""
    window: int = 200_000
    """The model's window, in tokens."""
    reserve: int = 20_000
    """Tokens kept free for the answer; of a small window never more than half."""
    margin: int = 0
    """`safety_margin_tokens`."""
    max_session: int = 0
    """`max_session_tokens`; 0, or more than that: the window less the reserve."""
    prices: Prices = UNPRICED
    """Of the conversation's model."""
    writers: tuple[Writer, ...] = ()
    """The models that may write a summary; none where no model writes it."""
    summary_ignored: bool = False
    """`ignore_cost`: what the summary costs does not count."""
    trigger: Trigger = "auto"
    compaction: bool = False
    """The model's API can write a signed summary on demand."""

    @property
    def size(self) -> int:
        """F, the one number: the context size in tokens, the safety margin included."""
        return self.state.context + self.margin

    @property
    def limit(self) -> int:
        """The most tokens that a request may have."""
        window = self.window - min(self.reserve, self.window // 2)
        return min(self.max_session, window) if self.max_session else window

    @property
    def history(self) -> int:
        """F without system prompt and tools, in tokens."""
        return self.size - self.state.view.head

    @property
    def uncounted(self) -> int:
        """What F has more than the sizes of the parts: the margin, and what the API adds."""
        return self.size - self.state.view.size

    def budget(self, most: int = 0) -> int:
        """Tokens that the messages may weigh: "window - output - system - tools", 0 at least.

        `most` is a setting that takes its place; 0 where there is none.
        """
        return max(most or self.limit - self.state.view.head, 0)

    @property
    def warm(self) -> bool:
        """Whether the prompt cache still holds what was last sent."""
        return self.state.ledger.warm(self.now)

    @cached_property
    def cached(self) -> int:
        """Tokens of the prefix that the prompt cache still holds, unbroken by edits since."""
        view, sent = self.state.view, self.state.sent
        if not self.warm or view.prefix_hash != sent.prefix_hash:
            return 0
        tokens = view.head
        for mine, theirs in zip(view.units, sent.units, strict=False):
            if mine is not theirs and mine != theirs:
                break
            tokens += mine.size
        # The API counts what octochat does not see (hidden thinking); F has it, so this has it too.
        return int(tokens * self.state.context / view.size) if view.size else 0

    @cached_property
    def free(self) -> frozenset[UnitId]:
        """Ids of the units that may be folded or trimmed."""
        return frozenset(u.id for u in self.state.view.units) - self.state.protected
