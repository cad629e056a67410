"""The server: one address, one script, one log of everything that came in, one bill."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from tests.server.answers import Ids, billed, blocks_for, message
from tests.server.bill import Charge, cost
from tests.server.binding import Reading, check_latest, read, tokens_of
from tests.server.cache import Fingerprint, PromptCache, diagnose, fingerprint, prompt_items
from tests.server.catalogue import describe
from tests.server.faults import announces, parse, plain, played, refused, scripted, tells
from tests.server.headers import check_headers
from tests.server.http import Answer, Connection, HttpRequest
from tests.server.models import TABLE, ServedModel, by_id
from tests.server.refusal import ApiRefusal, Json, part
from tests.server.script import Instead, Reply, Status, Step, echo
from tests.server.tokens import Ruler
from tests.server.turns import THOUGHTS, seal_of
from tests.server.validate import BINDING_BETA, validate, validate_count
from tests.waiting import soon


@dataclass(slots=True)
class Clock:
    """Seconds; moves only when the test says so."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@dataclass(slots=True)
class Exchange:
    """One request and what became of it."""

    method: str
    path: str
    headers: dict[str, str]
    body: Json = field(default_factory=dict[str, Any])
    """The JSON; empty if there was none."""
    status: int = 0
    """HTTP status of the answer; 0: none was sent (yet)."""
    refusal: ApiRefusal | None = None
    """The rule that the request broke. Scripted errors are no refusals."""
    message: Json | None = None
    """The answer, as a whole, even if only a part of it was sent."""
    finished: bool = False
    """Everything was sent."""
    abandoned: bool = False
    """The client went away before the end."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it does."""


class ClaudeServer:
    """A strict double of the Messages API on a loopback port.

    `async with` starts and stops it; an exception in a scripted callable comes out at its end.
    """

    def __init__(
        self,
        *steps: Step,
        models: Iterable[ServedModel] = TABLE,
        ruler: Ruler | None = None,
        clock: Callable[[], float] | None = None,
        api_key: str = "test-key",
    ) -> None:
        self.script: deque[Step] = deque(steps)
        """What answers the next requests, one each; then `default`."""
        self.default: Step = echo
        self.models: dict[str, ServedModel] = by_id(models)
        self.ruler: Ruler = ruler or Ruler()
        self.clock: Clock = Clock()
        self.api_key: str = api_key
        self.exchanges: list[Exchange] = []
        self.bill: list[Charge] = []
        self.accepted: int = 0
        """How many connections were made."""
        self.cache: PromptCache = PromptCache()
        self._now: Callable[[], float] = clock or self.clock
        self._ids: Ids = Ids()
        self._prints: dict[str, Fingerprint] = {}
        self._owed: dict[str, str] = {}
        self._crash: Exception | None = None
        self._server: asyncio.Server | None = None
        self._port: int = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._changed: asyncio.Condition = asyncio.Condition()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()
        if self._crash is not None and error is None:
            raise self._crash

    async def start(self, port: int = 0) -> None:
        """Listen; after a `stop`, on the same port again."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port or self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Refuse connections and drop those that are open."""
        if self._server is None:
            return
        self._server.close()
        await self._server.wait_closed()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._server = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def env(self) -> dict[str, str]:
        """The environment in which the SDK finds this server."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": self.api_key}

    @property
    def messages(self) -> list[Exchange]:
        """The requests to `POST /v1/messages`."""
        return [each for each in self.exchanges if each.path == "/v1/messages"]

    @property
    def requests(self) -> list[Json]:
        """Their bodies."""
        return [each.body for each in self.messages]

    @property
    def refusals(self) -> list[str]:
        """Every rule that was broken: a test of octochat expects none."""
        return [str(each.refusal) for each in self.exchanges if each.refusal]

    @property
    def dollars(self) -> float:
        """What everything cost."""
        return sum(charge.dollars for charge in self.bill)

    def then(self, *steps: Step) -> None:
        """Script the answers to the next requests."""
        self.script.extend(steps)

    async def received(self, count: int) -> None:
        """Wait until this many message requests have come in."""
        async with self._changed:
            await soon(self._changed.wait_for(lambda: len(self.messages) >= count))

    async def abandoned(self, count: int) -> None:
        """Wait until this many message requests have lost their client."""
        async with self._changed:
            await soon(
                self._changed.wait_for(
                    lambda: sum(each.abandoned for each in self.messages) >= count
                )
            )

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self.accepted += 1
        task.add_done_callback(self._connections.discard)
        try:
            await Connection(reader, writer, self._serve).serve()
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            async with self._changed:
                self._changed.notify_all()

    async def _serve(self, request: HttpRequest) -> Answer:
        exchange = Exchange(request.method, request.path, request.headers)
        self.exchanges.append(exchange)
        try:
            answer = self._route(request, exchange)
        except ApiRefusal as refusal:
            exchange.refusal = refusal
            answer = refused(refusal, self._ids.new("req"))
        except Exception as crash:  # noqa: BLE001  a script's own assertion must reach the test
            self._crash = crash
            answer = refused(ApiRefusal(repr(crash), status=500), self._ids.new("req"))
        exchange.status = answer.status if answer.frames else 0
        async with self._changed:
            self._changed.notify_all()
        return answer

    def _route(self, request: HttpRequest, exchange: Exchange) -> Answer:
        if request.body is None:
            raise ApiRefusal("Request exceeds the maximum allowed number of bytes.", status=413)
        betas = check_headers(request.headers, self.api_key)
        match request.method, request.path:
            case "POST", "/v1/messages":
                exchange.body = parse(request.body)
                return self._message(exchange, betas)
            case "POST", "/v1/messages/count_tokens":
                exchange.body = parse(request.body)
                return self._count(exchange.body, betas)
            case "GET", "/v1/models":
                data = [describe(model) for model in self.models.values()]
                return plain({"data": data, "has_more": False, "first_id": None, "last_id": None})
            case "GET", path if model := self.models.get(path.removeprefix("/v1/models/")):
                return plain(describe(model))
            case _:
                raise ApiRefusal(f"Not found: {request.method} {request.path}", status=404)

    def _count(self, body: Json, betas: frozenset[str]) -> Answer:
        model = validate_count(body, self.models, betas)
        items = prompt_items(
            body, read(body, model).kept, lambda block: tokens_of(block, model, self.ruler)
        )
        return plain({"input_tokens": items[-1].end})

    def _message(self, exchange: Exchange, betas: frozenset[str]) -> Answer:
        body = exchange.body
        model = validate(body, self.models, betas)
        reading = read(body, model)
        check_latest(body, model, self._owed)
        items = prompt_items(body, reading.kept, lambda block: tokens_of(block, model, self.ruler))
        if items[-1].end > model.window:
            raise ApiRefusal(f"prompt is too long: {items[-1].end} tokens > {model.window} maximum")
        step = self.script.popleft() if self.script else self.default
        if callable(step):
            step = step(body)
        if isinstance(step, Status):
            return scripted(step, self._ids.new("req"))
        if isinstance(step, Instead):
            return Answer(step.status, (step.said.encode(),), step.content_type)
        written = step if isinstance(step, Reply) else step.reply
        usage = self.cache.account(model, items, self._now())
        blocks = blocks_for(written, body, model, reading, self._ids, self.ruler)
        usage = billed(usage, written, blocks, model, self.ruler)
        diagnostics = self._diagnose(body, reading, items[-1].end, usage.read)
        answer = message(self._ids.new("msg"), model, written, blocks, usage, diagnostics)
        if BINDING_BETA in betas:
            answer["input_transformations"] = reading.dropped
        self._prints[answer["id"]] = fingerprint(body, reading.kept, items[-1].end)
        exchange.message = answer
        self._owe(answer)
        charge = Charge(answer["id"], model.id, usage, cost(model, usage), body)
        return self._watch(played(step, answer, body), exchange, charge, model)

    def _diagnose(self, body: Json, reading: Reading, tokens: int, read_tokens: int) -> Json | None:
        before = part(body, "diagnostics").get("previous_message_id")
        if before is None:
            return None
        now = fingerprint(body, reading.kept, tokens)
        return diagnose(self._prints.get(before), now, read_tokens)

    def _owe(self, answer: Json) -> None:
        """Remember which thinking led to which calls."""
        signatures = [seal_of(b) for b in answer["content"] if b["type"] in THOUGHTS]
        for block in answer["content"]:
            if block["type"] == "tool_use" and signatures:
                self._owed[block["id"]] = signatures[-1]

    def _watch(
        self, answer: Answer, exchange: Exchange, charge: Charge, model: ServedModel
    ) -> Answer:
        """Keep log and bill as the answer goes out.

        What is cut off costs what was announced: at its beginning the prompt and one token, and
        with `message_delta`, which tells the usage, all of it.
        """
        announced = replace(charge.usage, output=min(charge.usage.output, 1), thinking=0)
        partly = replace(charge, usage=announced, dollars=cost(model, announced))
        told = tells(answer)

        def sent(number: int) -> None:
            exchange.finished = answer.whole and number == len(answer.frames)
            if number == 1 and announces(answer):
                self.bill.append(partly)
            if number == told:
                self.bill[self.bill.index(partly)] = charge

        def lost() -> None:
            exchange.abandoned = True
            exchange.left.set()
            exchange.finished = False

        answer.sent, answer.lost = sent, lost
        return answer
