"""HTTP/1.1 over asyncio, with h11 for the protocol: requests in, scripted answers out.

Knows nothing of the Messages API.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import h11

from tests.server.script import Gate

BODY_LIMIT = 32 * 1024 * 1024
"""Bytes; a longer body is refused."""
CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    """Names in lower case; repeated ones joined with commas."""
    body: bytes | None
    """None: over the limit, not kept."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


Ending: TypeAlias = Literal["whole", "cut", "reset"]


@dataclass(slots=True)
class Answer:
    """What goes out: a head and frames, one chunk each."""

    status: int
    frames: tuple[bytes, ...]
    content_type: str = "application/json"
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ending: Ending = "whole"
    """What happens after the last frame."""
    whole: bool = True
    """Nothing of the answer is missing."""
    gate: Gate | None = None
    held_after: int = 0
    """Frames that go out before the gate counts; 0: not even the head; all: its end."""
    sent: Callable[[int], None] = lambda _: None
    """Told the number of each frame (from 1) as it goes out."""
    lost: Callable[[], None] = lambda: None
    """Told that the client went away before the end."""


App: TypeAlias = Callable[[HttpRequest], Awaitable[Answer]]


class Lost(Exception):  # noqa: N818  an event of the network, nobody's error
    """The client went away."""


class Connection:
    """One client's connection: any number of requests, one after the other."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, app: App
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._app = app
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=CHUNK)

    async def serve(self) -> None:
        """Answer until the client or a script ends it."""
        try:
            while request := await self._request():
                if not await self._answer(await self._app(request)):
                    break
                self._http.start_next_cycle()
        except (Lost, ConnectionError, h11.ProtocolError):
            pass
        finally:
            self._writer.close()

    async def _event(self) -> h11.Event | type[h11.PAUSED]:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                await self._send(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._reader.read(CHUNK))
        return event  # pyright: ignore[reportReturnType]

    async def _request(self) -> HttpRequest | None:
        event = await self._event()
        if not isinstance(event, h11.Request):
            return None
        headers: dict[str, str] = {}
        for raw_name, raw_value in event.headers:
            name, value = raw_name.decode(), raw_value.decode("latin-1")
            headers[name] = f"{headers[name]},{value}" if name in headers else value
        parts: list[bytes] = []
        size = 0
        while isinstance(part := await self._event(), h11.Data):
            size += len(part.data)
            if size <= BODY_LIMIT:
                parts.append(bytes(part.data))
        if not isinstance(part, h11.EndOfMessage):
            return None
        body = b"".join(parts) if size <= BODY_LIMIT else None
        return HttpRequest(event.method.decode(), event.target.decode(), headers, body)

    async def _answer(self, answer: Answer) -> bool:
        """Send it; True if the connection can go on."""
        try:
            return await self._frames(answer)
        except (Lost, ConnectionError):
            answer.lost()
            raise

    async def _frames(self, answer: Answer) -> bool:
        if answer.gate and not answer.held_after:
            await self._pass(answer.gate)
        if answer.ending == "reset" and not answer.frames:
            return self._reset()
        length = sum(map(len, answer.frames))
        streams = answer.content_type == "text/event-stream" or answer.ending != "whole"
        body = ("transfer-encoding", "chunked") if streams else ("content-length", str(length))
        head = [("content-type", answer.content_type), body, *answer.headers]
        await self._send(h11.Response(status_code=answer.status, headers=head))
        for number, data in enumerate(answer.frames, 1):
            if answer.gate and number > answer.held_after:
                await self._pass(answer.gate)
            answer.sent(number)
            await self._send(h11.Data(data=data))
        if answer.gate and answer.held_after == len(answer.frames):
            await self._pass(answer.gate)
        match answer.ending:
            case "whole":
                await self._send(h11.EndOfMessage())
                return True
            case "cut":
                return False
            case "reset":
                return self._reset()

    def _reset(self) -> bool:
        """End with a RST, which the client sees as an error at once."""
        endpoint = self._writer.get_extra_info("socket")
        endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        return False

    async def _pass(self, gate: Gate) -> None:
        """Wait at the gate, and notice a client that goes away meanwhile."""
        passage = asyncio.create_task(gate.passage())
        gone = asyncio.create_task(self._reader.read(1))
        try:
            await asyncio.wait({passage, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not passage.done():
                raise Lost
        finally:
            for task in (passage, gone):
                task.cancel()
            await asyncio.gather(passage, gone, return_exceptions=True)

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if self._writer.is_closing():
            raise Lost
        self._writer.write(data or b"")
        await self._writer.drain()
