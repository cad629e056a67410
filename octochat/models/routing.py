"""Which provider answers: the first that serves the name of the model."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from octochat.models.names import bare
from octochat.models.port import Delta, Reply, Request
from octochat.models.provider import Lack, ModelLimits, Provider


@dataclass(frozen=True, slots=True)
class Routed:
    """A `Model` that hands each request to the provider of the model it names.

    So `/model offline` works in the middle of a session, and back.
    """

    providers: tuple[Provider, ...]
    """In the order in which they are asked; the last one serves every name."""

    def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the answer of the model that the request names.

        Raises:
            ModelError: the call failed.
        """
        return self._serving(request.model).reply(request)

    def lack(self, name: str) -> Lack | None:
        """What keeps the model of this name from answering; None if nothing does."""
        return self._serving(name).lack

    async def prepare(self, name: str) -> None:
        """Load what the first call of this model needs.

        Raises:
            ModelError: it can't be loaded; the first call will say so too.
        """
        await self._serving(name).prepare()

    async def describe(self, name: str) -> ModelLimits | None:
        """What its provider says of this model; None if it says nothing."""
        return await self._serving(name).describe(name)

    async def close(self) -> None:
        """Close the connections that are kept open."""
        for provider in self.providers:
            await provider.close()

    def _serving(self, name: str) -> Provider:
        plain = bare(name)
        return next(provider for provider in self.providers if provider.serves(plain))
