"""What a provider of models is: a `Model` that knows which names it serves and what it lacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from octochat.models.catalogue import ModelInfo
from octochat.models.port import Model

Known: TypeAlias = Callable[[str], ModelInfo]
"""What is known of a model by its name."""


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """What a provider itself says of a model."""

    window: int | None
    """Tokens of the longest prompt."""
    max_output: int | None
    """Tokens of the longest answer."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a provider can't answer yet."""

    what: str
    """Such as "No API key is set", without a full stop."""
    remedy: str
    """What you can do about it, as whole sentences."""


class ProviderSettings(Protocol):
    """What the configuration says of every model; the configuration itself has this form."""

    @property
    def cache_ttl(self) -> Literal["5m", "1h"]:
        """How long the prompt cache lives."""
        ...

    @property
    def thinking(self) -> Literal["on", "off"]:
        """`off` is as little as the model allows."""
        ...

    @property
    def thinking_budget(self) -> int:
        """For the models that want one, in tokens."""
        ...

    @property
    def timeout(self) -> str:
        """The duration without a single byte after which a call has failed."""
        ...


class Provider(Model, Protocol):
    """One way to reach models."""

    def serves(self, name: str) -> bool:
        """Whether a model of this name (as `bare` gives it) is this provider's."""
        ...

    @property
    def lack(self) -> Lack | None:
        """What keeps it from answering; None if nothing does."""
        ...

    async def prepare(self) -> None:
        """Load what the first call needs; it works without as well, only later."""
        ...

    async def describe(self, name: str) -> ModelLimits | None:
        """What the provider says of a model; None if it says nothing."""
        ...

    async def close(self) -> None:
        """Close the connections that are kept open."""
        ...


Connect: TypeAlias = Callable[[ProviderSettings, Known, Mapping[str, str]], Provider]
"""Makes a provider from the settings, what is known of models, and the environment."""
