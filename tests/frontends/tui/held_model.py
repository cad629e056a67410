"""The offline model, held back until a test lets it speak: so long, the app is at work."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from octochat.models.offline import Offline
from octochat.models.port import Delta, Reply, Request


class Held(Offline):
    """Answers as the offline model does, from `go` on."""

    def __init__(self) -> None:
        super().__init__(pace=0)
        self.go: asyncio.Event = asyncio.Event()

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        await self.go.wait()
        async with aclosing(super().reply(request)) as answer:
            async for item in answer:
                yield item
