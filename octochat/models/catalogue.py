"""What is known of each model: prices, limits and what it refuses. Data, and how to look it up.

From the Claude API's pages, as of November 2026; `[models."NAME"]` in the configuration adds to it.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, TypeAlias

from octochat.context.economics.prices import FREE, UNPRICED, Prices, Rates, Tier
from octochat.context.session.steering import Effort
from octochat.models.names import bare, played

Thinking: TypeAlias = Literal["default", "none", "budget", "adaptive", "always"]
"""How a model is asked to think: not mentioned, not able to, in a budget, freely, or always."""

DEFAULT_WINDOW = 200_000
"""For models of which nothing is known, in tokens."""
LEAST_BUDGET = 1_024
"""The smallest thinking budget that the API takes, in tokens."""
MAX_OUTPUT = 64_000
"""What every current Claude model can write at the least, in tokens."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model."""

    name: str
    """As the API takes it."""
    prices: Prices = UNPRICED
    window: int = DEFAULT_WINDOW
    """The most that prompt and answer may take together, in tokens."""
    max_output: int = MAX_OUTPUT
    """The most it can write in one answer, in tokens."""
    min_cache: int = 1_024
    """The shortest prefix that the cache takes, in tokens; shorter ones are silently not cached."""
    thinking: Thinking = "none"
    between_tools: bool = False
    """Thinking can be turned down to short updates between tool calls, though not off."""
    binds_thinking: bool = False
    """A thinking block is refused where what stood before it has changed."""
    takes_sampling: bool = False
    """`temperature`, `top_p` and `top_k` are accepted."""
    structured_output: bool = False
    """The answer can be held to a JSON schema."""
    pictures: bool = True
    """It takes pictures and PDFs."""
    compaction: bool = False
    """The API can summarise the conversation itself, on demand."""
    efforts: tuple[Effort, ...] = ()
    """How hard it can be asked to work."""
    turns_effort: bool = False
    """A message of the system changes the effort in mid-conversation, to one of these."""
    loads_tools: bool = False
    """Tools can be declared and shown later; messages of the system offer and withdraw some."""
    token_factor: float = 1.0
    """Tokens for the same text, compared with the tokenizer of Claude 4."""
    known: bool = True
    """Whether this comes from the table, and not from guessing."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What `[models."NAME"]` may say. None leaves what is known; prices are dollars per million."""

    input: float | None = None
    output: float | None = None
    cache_write: float | None = None
    """For the cache of 5 minutes. Without it: 1.25 times the input price."""
    cache_write_1h: float | None = None
    """For the cache of an hour. Without it: twice the input price."""
    cache_read: float | None = None
    """Without it: a tenth of the input price."""
    window: int | None = None
    max_output: int | None = None
    min_cache: int | None = None
    thinking: Thinking | None = None
    between_tools: bool | None = None
    binds_thinking: bool | None = None
    takes_sampling: bool | None = None
    structured_output: bool | None = None
    pictures: bool | None = None
    compaction: bool | None = None
    loads_tools: bool | None = None
    token_factor: float | None = None


def _flat(*rates: float) -> Prices:
    return Prices.flat(Rates(*rates))


_OPUS = _flat(5, 25, 6.25, 10, 0.50)
_MILLION = 1_000_000
_NEW_TOKENS = 1.3
"""Sonnet 5, Opus 4.7 and all later models: about 30 % more tokens for the same text."""

_EFFORTS: tuple[Effort, ...] = ("low", "medium", "high", "max")

_GEN5 = ModelInfo(
    "",
    efforts=_EFFORTS,
    turns_effort=True,
    window=_MILLION,
    min_cache=512,
    thinking="adaptive",
    structured_output=True,
    compaction=True,
    loads_tools=True,
    token_factor=_NEW_TOKENS,
)
_EARLY = replace(_GEN5, turns_effort=False, loads_tools=False)
_BINDS = replace(_GEN5, thinking="always", binds_thinking=True)
_GEN4 = ModelInfo(
    "",
    efforts=_EFFORTS,
    window=200_000,
    min_cache=4_096,
    thinking="adaptive",
    takes_sampling=True,
    structured_output=True,
    compaction=True,
)
_GEN4_5 = replace(_GEN4, thinking="budget", compaction=False, efforts=())

MODELS: tuple[ModelInfo, ...] = (
    replace(_BINDS, name="claude-fable-5-1", prices=_flat(10, 50, 12.5, 20, 0.25)),
    replace(_BINDS, name="claude-opus-5-5", prices=_flat(4, 20, 5, 8, 0.20)),
    replace(_GEN5, name="claude-opus-5", prices=_OPUS),
    replace(_GEN5, name="claude-opus-4-8", prices=_OPUS, min_cache=1_024),
    replace(_EARLY, name="claude-opus-4-7", prices=_OPUS, min_cache=2_048),
    replace(_GEN4, name="claude-opus-4-6", prices=_OPUS),
    replace(_GEN4_5, name="claude-opus-4-5", prices=_OPUS),
    replace(
        _BINDS, name="claude-sonnet-5-5", prices=_flat(2, 10, 2.5, 4, 0.10), between_tools=True
    ),
    replace(_EARLY, name="claude-sonnet-5", prices=_flat(2, 10, 2.5, 4, 0.20), min_cache=1_024),
    replace(
        _GEN4,
        name="claude-sonnet-4-6",
        prices=_flat(3, 15, 3.75, 6, 0.30),
        window=_MILLION,
        min_cache=1_024,
    ),
    replace(
        _BINDS,
        name="claude-haiku-5-5",
        thinking="adaptive",
        prices=Prices(
            (
                Tier(Rates(0.10, 0.50, 0.125, 0.20, 0.01), upto=100_000),
                Tier(Rates(0.50, 2.50, 0.625, 1.00, 0.05)),
            )
        ),
    ),
    replace(_GEN4_5, name="claude-haiku-4-5", prices=_flat(1, 5, 1.25, 2, 0.10)),
    ModelInfo("offline", prices=Prices.flat(FREE)),
)
"""Every model that is known, in the order in which they are offered."""

_TABLE: Mapping[str, ModelInfo] = {model.name: model for model in MODELS}
_DATED = re.compile(r"-(\d{8}|latest)$")


def info(name: str, settings: ModelSettings | None = None) -> ModelInfo:
    """What is known of a model, and what the configuration says of it.

    A dated name (`claude-haiku-4-5-20251001`) is the model without its date. Of an unknown model
    nothing is claimed, and nothing that it might refuse is sent. A seat is as the model that it
    plays, but for what only the API can do.
    """
    name = bare(name)
    if model := played(name):
        return replace(
            info(model, settings),
            name=name,
            compaction=False,
            efforts=(),
            turns_effort=False,
            loads_tools=False,
        )
    known = _TABLE.get(name) or _TABLE.get(_DATED.sub("", name)) or _unknown(name)
    model = replace(known, name=name)
    return model if settings is None else _with_settings(model, settings)


class Catalogue:
    """`info` with what the configuration says, and what the API says of models it does not know."""

    def __init__(self, settings: Mapping[str, ModelSettings]) -> None:
        """`settings` is `[models."NAME"]` by name, dated or not."""
        self._said: dict[str, ModelSettings] = {bare(n): each for n, each in settings.items()}
        self._learned: dict[str, ModelInfo] = {}

    def __call__(self, name: str) -> ModelInfo:
        """What is known of a model by its name."""
        plain = bare(name)
        if plain in self._learned:
            return self._learned[plain]
        return info(plain, self._settings(plain))

    def _settings(self, name: str) -> ModelSettings | None:
        """What the configuration says of a model, or of the one that it is another name of."""
        names = (name, _DATED.sub("", name), played(name))
        return next((self._said[each] for each in names if each in self._said), None)

    def learn(self, name: str, window: int | None, max_output: int | None) -> None:
        """Take in what the API says of a model's window and longest answer, both in tokens.

        What the configuration says of them stands.
        """
        said = self._said.get(bare(name), ModelSettings())
        known = self(name)
        self._learned[known.name] = replace(
            known,
            window=said.window or window or known.window,
            max_output=said.max_output or max_output or known.max_output,
        )


def catalogue(settings: Mapping[str, ModelSettings]) -> Catalogue:
    """All models, with what the configuration says of them."""
    return Catalogue(settings)


def near(name: str) -> tuple[str, ...]:
    """The known names that look most like this one, the nearest first."""
    return tuple(difflib.get_close_matches(bare(name).lower(), _TABLE, n=3, cutoff=0.6))


def uncapped(model: ModelInfo, limit: float) -> str:
    """What to tell a person whose limit of dollars can't be kept; empty where it can."""
    if not limit or model.prices.known:
        return ""
    return (
        f"The limit of ${limit:g} can't be kept: octochat doesn't know what {model.name} costs. "
        f'Set its prices in your configuration, under [models."{model.name}"].'
    )


def _unknown(name: str) -> ModelInfo:
    """A model that may be newer than this table: careful with its thinking, or a local one."""
    if not name.startswith("claude-"):
        return ModelInfo(name, takes_sampling=True, known=False)
    return ModelInfo(
        name, thinking="default", binds_thinking=True, token_factor=_NEW_TOKENS, known=False
    )


def _with_settings(model: ModelInfo, settings: ModelSettings) -> ModelInfo:
    own = {field.name for field in fields(ModelInfo)}
    changes = {key: value for key, value in _said(settings) if key in own}
    return replace(model, prices=_priced(model.prices, settings), **changes)


def _said(settings: ModelSettings) -> Iterator[tuple[str, object]]:
    for field in fields(ModelSettings):
        value: object = getattr(settings, field.name)
        if value is not None:
            yield field.name, value


def _priced(prices: Prices, settings: ModelSettings) -> Prices:
    """The known prices with those that the configuration names; nothing named leaves all tiers."""
    named = (
        settings.input,
        settings.output,
        settings.cache_write,
        settings.cache_write_1h,
        settings.cache_read,
    )
    if all(price is None for price in named):
        return prices
    base = prices.at(0)
    if settings.input is not None:
        base = _around(settings.input, base.output if base else settings.input)
    if base is None:  # without an input price there is nothing to build on
        return prices
    given = (base.input, base.output, base.cache_write, base.cache_write_1h, base.cache_read)
    return Prices.flat(
        Rates(*(known if new is None else new for new, known in zip(named, given, strict=True)))
    )


def _around(price: float, output: float) -> Rates:
    """The usual multiples of an input price."""
    return Rates(price, output, 1.25 * price, 2 * price, 0.1 * price)
