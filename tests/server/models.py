"""What the server knows of each model: its own table, independent of octochat's.

Prices are dollars per million tokens; windows, limits and minimum cache prefixes are tokens.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Thinking: TypeAlias = Literal["adaptive", "enabled", "disabled", "between_tools"]

ADAPTIVE: tuple[Thinking, ...] = ("adaptive", "disabled")
BUDGET: tuple[Thinking, ...] = ("enabled", "disabled")


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per million tokens."""

    input: float
    output: float
    write_5m: float
    write_1h: float
    read: float


@dataclass(frozen=True, slots=True)
class ServedModel:
    """One model and its rules."""

    id: str
    prices: Prices
    thinking: tuple[Thinking, ...]
    """The `thinking.type` values it takes."""
    window: int = 1_000_000
    max_tokens: int = 128_000
    """The most it writes in one answer. The pages that octochat was built from are silent on it:
    these are assumed, and no test may hang on them."""
    min_cache: int = 512
    """The shortest prefix that is cached. Silent on Sonnet 5.5 and Haiku 5.5: taken to be that of
    their generation ("Opus 5 and later, Fable")."""
    binds: bool = False
    """Thinking is bound to what came before it."""
    samples: bool = False
    """Takes temperature, top_p or top_k (temperature and top_p never together)."""
    prefill: bool = False
    """The last message may be an assistant's."""
    system_messages: bool = False
    """Takes messages with the role `system`, and an effort in them: "Fable 5 and later, Opus 4.8
    and later, Sonnet 5.5 and Haiku 5.5, not Sonnet 5"."""
    compacts: bool = True
    """Takes the `compaction` parameter."""
    efforts: bool = True
    """Takes an effort at the top level. The pages are silent: taken to hold from 4.6 on."""
    percent: int = 100
    """Tokens it counts for the same text, in percent of the plain counter's."""
    tier_above: int = 0
    """Prompt length, in tokens, above which `upper` prices hold for the whole request; 0: none."""
    upper: Prices | None = None

    @property
    def loads_tools(self) -> bool:
        """Whether tools may be deferred, offered and withdrawn: taken to be so where messages of
        the system are, for that is where tools are offered."""
        return self.system_messages

    @property
    def thinks_unasked(self) -> bool:
        """Whether it thinks when the request says nothing of thinking.

        Said of those that always think; taken to hold for Haiku 5.5, which binds its thinking too.
        """
        return self.binds

    def price(self, prompt_tokens: int) -> Prices:
        """The prices of a request whose whole prompt has this many tokens."""
        if self.upper is not None and prompt_tokens > self.tier_above:
            return self.upper
        return self.prices


FABLE = Prices(10, 50, 12.5, 20, 0.25)
OPUS_NEW = Prices(4, 20, 5, 8, 0.20)
OPUS = Prices(5, 25, 6.25, 10, 0.50)
SONNET_NEW = Prices(2, 10, 2.5, 4, 0.10)
SONNET = Prices(2, 10, 2.5, 4, 0.20)
SONNET_OLD = Prices(3, 15, 3.75, 6, 0.30)
HAIKU_NEW = Prices(0.10, 0.50, 0.125, 0.20, 0.01)
HAIKU_NEW_LONG = Prices(0.50, 2.50, 0.625, 1.00, 0.05)
HAIKU_OLD = Prices(1, 5, 1.25, 2, 0.10)

TABLE: tuple[ServedModel, ...] = (
    ServedModel(
        "claude-fable-5-1", FABLE, ("adaptive",), binds=True, system_messages=True, percent=130
    ),
    ServedModel(
        "claude-opus-5-5",
        OPUS_NEW,
        ("adaptive",),
        binds=True,
        system_messages=True,
        percent=130,
    ),
    ServedModel("claude-opus-5", OPUS, ADAPTIVE, system_messages=True, percent=130),
    ServedModel(
        "claude-opus-4-8", OPUS, ADAPTIVE, min_cache=1024, system_messages=True, percent=130
    ),
    ServedModel("claude-opus-4-7", OPUS, ADAPTIVE, min_cache=2048, percent=130),
    ServedModel(
        "claude-opus-4-6",
        OPUS,
        ADAPTIVE,
        window=200_000,
        min_cache=4096,
        samples=True,
    ),
    ServedModel(
        "claude-opus-4-5",
        OPUS,
        BUDGET,
        window=200_000,
        max_tokens=64_000,
        min_cache=4096,
        samples=True,
        prefill=True,
        compacts=False,
        efforts=False,
    ),
    ServedModel(
        "claude-sonnet-5-5",
        SONNET_NEW,
        ("adaptive", "between_tools"),
        binds=True,
        system_messages=True,
        percent=130,
    ),
    ServedModel("claude-sonnet-5", SONNET, ADAPTIVE, min_cache=1024, percent=130),
    ServedModel(
        "claude-sonnet-4-6",
        SONNET_OLD,
        ADAPTIVE,
        max_tokens=64_000,
        min_cache=1024,
        samples=True,
    ),
    ServedModel(
        "claude-haiku-5-5",
        HAIKU_NEW,
        ADAPTIVE,
        binds=True,
        system_messages=True,
        percent=130,
        tier_above=100_000,
        upper=HAIKU_NEW_LONG,
    ),
    ServedModel(
        "claude-haiku-4-5",
        HAIKU_OLD,
        BUDGET,
        window=200_000,
        max_tokens=64_000,
        min_cache=4096,
        samples=True,
        prefill=True,
        compacts=False,
        efforts=False,
    ),
)


def by_id(models: Iterable[ServedModel] = TABLE) -> dict[str, ServedModel]:
    """The models by their ids."""
    return {model.id: model for model in models}
