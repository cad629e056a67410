"""What tokens cost: a price list and the bill of one request. It does not know any model's name."""

from dataclasses import dataclass

from octochat.context.session.events import Usage

MILLION = 1_000_000
FIVE_MINUTES = 300
"""The API's shorter cache lifetime, in seconds."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Dollars per million tokens, at one length of prompt."""

    input: float
    """Input that has nothing to do with the cache."""
    output: float
    """Output, thinking included."""
    cache_write: float
    """Input written to the cache for 5 minutes."""
    cache_write_1h: float
    """Input written to the cache for an hour."""
    cache_read: float

    def cost(self, usage: Usage) -> float:
        """Dollars for these tokens."""
        millionths = (
            usage.fresh * self.input
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
            + usage.cache_write_1h * self.cache_write_1h
            + usage.output * self.output
        )
        return millionths / MILLION

    def write(self, ttl: int) -> float:
        """Dollars per million for writing to a cache that lives `ttl` seconds."""
        return self.cache_write if ttl <= FIVE_MINUTES else self.cache_write_1h


FREE = Rates(0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tier:
    """The rates of all prompts up to a length."""

    rates: Rates
    upto: int | None = None
    """The longest prompt they hold for, in tokens, cached or not; None: no limit."""


@dataclass(frozen=True, slots=True)
class Prices:
    """A model's price list. Without tiers the model is unpriced: nobody knows what it costs."""

    tiers: tuple[Tier, ...] = ()
    """By length, the shortest first; the last one has no limit."""

    @classmethod
    def flat(cls, rates: Rates) -> "Prices":
        """The same rates whatever the length of the prompt."""
        return cls((Tier(rates),))

    @property
    def known(self) -> bool:
        """Whether a bill can be written at all."""
        return bool(self.tiers)

    @property
    def free(self) -> bool:
        """Whether every token is known to cost nothing."""
        return self.known and all(tier.rates == FREE for tier in self.tiers)

    def at(self, prompt: int) -> Rates | None:
        """The rates for every token of a request whose prompt has this many; None if unpriced.

        A longer prompt moves the whole request to its tier, not just the tokens above the border.
        """
        for tier in self.tiers:
            if tier.upto is None or prompt <= tier.upto:
                return tier.rates
        return self.tiers[-1].rates if self.tiers else None

    def cost(self, usage: Usage) -> float | None:
        """Dollars for one request; None if unpriced.

        Only for the usage of a single request: the tier goes by the length of its prompt.
        """
        rates = self.at(usage.prompt)
        return None if rates is None else rates.cost(usage)


UNPRICED = Prices()
