"""Claude, over the Messages API: a `Model`. The SDK is loaded when it is first needed.

Each call is made once. Trying again is for `retry.py`, so that a person can see and stop it.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Self

from octochat.context.codec.bounds import seconds
from octochat.models.catalogue import info
from octochat.models.claude.credentials import Credentials
from octochat.models.claude.request import DEFAULTS, ClaudeOptions, betas, body
from octochat.models.claude.stream import Incoming
from octochat.models.port import Delta, ModelError, Reply, Request
from octochat.models.provider import Known, Lack, ModelLimits, ProviderSettings

if TYPE_CHECKING:
    from octochat.models.claude.sdk import Api

LINGER = 1.0
"""Seconds that the end of a stream may take after the end of the message. A connection whose
stream was read to its end can be used again."""


class Claude:
    """The Messages API, or any server that speaks it (`ANTHROPIC_BASE_URL`)."""

    def __init__(
        self,
        options: ClaudeOptions = DEFAULTS,
        known: Known = info,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """`known` tells what is known of a model by its name."""
        self._options: ClaudeOptions = options
        self._known: Known = known
        self._environment: Mapping[str, str] = environment
        self._api: Api | None = None
        self._loading: asyncio.Lock = asyncio.Lock()

    @classmethod
    def connect(
        cls, settings: ProviderSettings, known: Known, environment: Mapping[str, str]
    ) -> Self:
        """Claude as the configuration wants it asked."""
        options = ClaudeOptions(
            settings.cache_ttl,
            settings.thinking,
            settings.thinking_budget,
            seconds(settings.timeout),
        )
        return cls(options, known, environment)

    def serves(self, name: str) -> bool:  # noqa: ARG002 - a name that it does not know may be new
        """Every name that no other provider claims."""
        return True

    @property
    def lack(self) -> Lack | None:
        """A key that can be sent, or the address of a server that may need none."""
        return Credentials.of(self._environment).lack

    async def prepare(self) -> None:
        """Load the SDK in a thread, so that the first call need not wait for it (1 to 2 s).

        What is wrong with the key is said by the first call, not here.
        """
        with suppress(ModelError):
            await self._connected()

    async def close(self) -> None:
        """Close the connections that are kept open."""
        api, self._api = self._api, None
        if api is not None:
            await api.close()

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        """Stream the answer; the last item is the whole `Reply`.

        Closing the generator, or cancelling the task that reads it, closes the connection at once.

        Raises:
            ModelError: the call failed; nothing of what was streamed counts.
        """
        sent = body(request, self._known(request.model), self._options)
        api = await self._connected()
        incoming = Incoming(self._options.ttl)
        async with aclosing(api.events(sent, betas(request, sent))) as events:
            async for event in events:
                for delta in incoming.feed(event):
                    yield delta
                if incoming.whole:
                    break
            await _finish(events)
        yield incoming.reply()

    async def describe(self, name: str) -> ModelLimits | None:
        """What the API says of a model that the table does not know; None if it says nothing."""
        try:
            api = await self._connected()
            return await api.limits(self._known(name).name)
        except ModelError:
            return None

    async def _connected(self) -> "Api":
        async with self._loading:
            if self._api is None:
                self._api = await asyncio.to_thread(self._load)
            return self._api

    def _load(self) -> "Api":
        """Runs in a thread: the import takes over a second, reading certificates some more."""
        from octochat.models.claude.sdk import Api  # not before the first paint

        return Api(self._environment, self._options.timeout)


async def _finish(events: AsyncGenerator[object, None]) -> None:
    """Read what comes after the message; whatever happens to it changes nothing any more."""
    with suppress(ModelError, TimeoutError):
        async with asyncio.timeout(LINGER):
            async for _ in events:
                pass
