"""A call that was made for the prompt cache alone, and the sums of such calls."""

from dataclasses import dataclass

from octochat.context.session.usage import Usage


@dataclass(frozen=True, slots=True)
class KeptWarm:
    """What was last sent was read once more so that it stays cached; nobody saw the answer."""

    model: str
    usage: Usage = Usage()
    cost: float | None = None
    """Dollars; None for a model without known prices."""

    @property
    def missed(self) -> bool:
        """Whether the cache had gone, so that more was written to it than read."""
        return self.usage.cache_read <= self.usage.prompt - self.usage.cache_read


@dataclass(frozen=True, slots=True)
class WarmthSums:
    """Calls that kept the cache warm."""

    calls: int = 0
    usage: Usage = Usage()
    cost: float = 0.0
    """Dollars, as far as they have prices."""
    at: float | None = None
    """When the last of them came, if it came after the conversation's last call."""
    cost_since: float = 0.0
    """Dollars of those since the conversation's last call."""
    missed: bool = False
    """One since then found nothing in the cache: the next would be no better."""

    def plus(self, event: KeptWarm, at: float) -> "WarmthSums":
        """One more call, at a time in seconds since the epoch."""
        cost = event.cost or 0.0
        return WarmthSums(
            self.calls + 1,
            self.usage + event.usage,
            self.cost + cost,
            at,
            self.cost_since + cost,
            self.missed or event.missed,
        )

    @property
    def settled(self) -> "WarmthSums":
        """The same once the conversation has gone on."""
        return WarmthSums(self.calls, self.usage, self.cost)
