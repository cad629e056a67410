"""One server through the SDK: connected, listed, called, watched. It knows no session.

It takes over a second to import: in the thread that the servers live in, never on the start path.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TextIO

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

from octochat import __version__
from octochat.context.session.tags import escaped
from octochat.context.session.tool_definition import ToolDefinition
from octochat.mcp.login import Access
from octochat.mcp.offered import (
    ServerPrompt,
    ServerResource,
    ServerTool,
    Standing,
    full_name,
    offer_of,
    wanted,
)
from octochat.mcp.settings import McpServer
from octochat.mcp.transport import line_to, watched

PAGES = 50
"""The most pages of a list."""
DESCRIBED, SCHEMA = 4_000, 60_000
"""Characters of a tool's description that are taken, and of the largest schema."""
PURPOSE = 240
"""Characters of what a server says that it is for."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Whom a connection tells of what happens."""

    tell: Callable[[str], None]
    """Takes a line for the person about the server."""
    say: Callable[[str], None]
    """Takes a line of the server's own; there may be very many."""
    changed: Callable[[], None]
    """The server has other tools, prompts or resources now."""
    ask: Callable[[str, Any], Awaitable[Any]]
    """Takes a message and what is to be filled in; gives the answer as the SDK wants it."""
    log: TextIO
    """Where goes what the server prints beside the line."""


class ConnectionLostError(Exception):
    """The line to a server is gone; `str(error)` says why."""


class Connection:
    """A server at the other end. To be used in the loop in which it was opened."""

    def __init__(
        self,
        name: str,
        settings: McpServer,
        client: Client,
        lost: anyio.Event,
        turned_away: anyio.Event,
    ) -> None:
        self._name = name
        self._settings = settings
        self._client = client
        self._loop = asyncio.get_running_loop()
        self.lost: anyio.Event = lost
        """Set when the line is gone."""
        self._turned_away = turned_away

    @property
    def refused(self) -> bool:
        """Whether the line is gone because the server wants a login that there is not."""
        return self._turned_away.is_set()

    def lose(self) -> None:
        """The line is known to be gone. From any thread."""
        self._loop.call_soon_threadsafe(self.lost.set)

    async def standing(self) -> Standing:
        """All that the server offers now."""
        offers = self._client.server_capabilities
        tools = await self._pages(self._client.list_tools, "tools") if offers.tools else []
        prompts = await self._pages(self._client.list_prompts, "prompts") if offers.prompts else []
        resources: list[Any] = []
        templates: list[Any] = []
        if offers.resources:
            resources = await self._pages(self._client.list_resources, "resources")
            with suppress(MCPError):  # a server need not have such a list
                listed = self._client.list_resource_templates
                templates = await self._pages(listed, "resource_templates")
        return Standing(
            self._name,
            "ready",
            purpose=self._purpose(),
            tools=tuple(self._tools(tools)),
            prompts=tuple(map(self._prompt, prompts)),
            resources=tuple(
                ServerResource(
                    self._name,
                    uri := getattr(each, "uri", None) or each.uri_template,
                    each.title or each.name,
                    " ".join((each.description or "").split()),
                    template="{" in uri,
                )
                for each in (*resources, *templates)
            ),
        )

    async def call(self, tool: str, given: Mapping[str, Any], tell: Callable[[str], None]) -> Any:
        """The SDK's result of a call; `tell` hears of its progress."""

        async def heard(
            progress: float, total: float | None = None, message: str | None = None
        ) -> None:
            share = f"{progress / total:.0%}" if total else f"{progress:g}"
            tell(" ".join(filter(None, (share, message))) + "\n")

        return await self._client.call_tool(tool, dict(given), progress_callback=heard)

    async def prompt(self, name: str, given: Mapping[str, str]) -> Any:
        """The SDK's messages of a prompt."""
        return await self._client.get_prompt(name, dict(given))

    async def read(self, uri: str) -> Any:
        """The SDK's contents of a resource."""
        return await self._client.read_resource(uri)

    async def listen(self, changed: Callable[[], None]) -> None:
        """Hear of other lists, as long as the server tells; older ones do so by themselves."""
        with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with self._client.listen(
                tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
            ) as events:
                async for _ in events:
                    changed()

    async def _pages(self, listed: Callable[..., Awaitable[Any]], key: str) -> list[Any]:
        every: list[Any] = []
        cursor: str | None = None
        for _ in range(PAGES):
            page = await listed(cursor=cursor, cache_mode="refresh")
            every += getattr(page, key)
            cursor = page.next_cursor
            if not cursor:
                break
        return every

    def _tools(self, tools: list[Any]) -> list[ServerTool]:
        taken = [tool for tool in tools if wanted(tool.name, self._settings)]
        fit = [t for t in taken if len(str(t.input_schema)) <= SCHEMA]
        made = (self._tool(tool) for tool in fit)
        unique = {tool.definition.name: tool for tool in made}
        return [unique[name] for name in sorted(unique)]

    def _tool(self, tool: Any) -> ServerTool:
        said = escaped(" ".join((tool.description or tool.title or "").split()))[:DESCRIBED]
        definition = ToolDefinition(
            full_name(self._name, tool.name),
            said,
            {**tool.input_schema, "type": "object"},
            offer_of(self._settings),
        )
        hints = tool.annotations
        only_reads = bool(hints and hints.read_only_hint)
        return ServerTool(self._name, tool.name, definition, only_reads=only_reads)

    def _prompt(self, prompt: Any) -> ServerPrompt:
        given: list[Any] = prompt.arguments or []
        return ServerPrompt(
            self._name,
            prompt.name,
            " ".join((prompt.description or prompt.title or "").split()),
            tuple(each.name for each in given if each.required),
            tuple(each.name for each in given if not each.required),
        )

    def _purpose(self) -> str:
        info = self._client.server_info
        about = info and (info.description or info.title)
        said = self._settings.description or self._client.instructions or about or ""
        return escaped(" ".join(said.split()))[:PURPOSE]


@asynccontextmanager
async def connected(
    name: str,
    settings: McpServer,
    environment: Mapping[str, str],
    folder: str,
    hooks: Hooks,
    access: Access,
) -> AsyncGenerator[Connection]:
    """A line to a server, as long as the block runs; its process ends with it.

    Args:
        name: what the person calls it.
        settings: with all variables in place.
        environment: what its process sees.
        folder: where it runs if the settings do not say.
        hooks: whom it tells what happens.
        access: what is needed to be let in.
    """
    lost = anyio.Event()

    turned_away, told = anyio.Event(), access.refused

    def refused() -> None:
        told()
        turned_away.set()
        lost.set()

    access = replace(access, refused=refused)
    async with AsyncExitStack() as stack:
        way = line_to(settings, environment, folder, hooks.log, access)
        line = watched(
            await stack.enter_async_context(way), lost, lambda why: hooks.tell(f"{name} {why}")
        )
        client = Client(
            line,
            logging_callback=_logged(name, hooks),
            log_level="warning",
            message_handler=_heard(hooks),
            elicitation_callback=_asked(hooks),
            client_info=types.Implementation(name="octochat", version=__version__),
            cache=None,
        )
        opened = await stack.enter_async_context(client)
        yield Connection(name, settings, opened, lost, turned_away)


def _logged(name: str, hooks: Hooks) -> Any:
    async def told(params: types.LoggingMessageNotificationParams) -> None:
        hooks.say(f"{name} says ({params.level}): {params.data}")

    return told


def _heard(hooks: Hooks) -> Any:
    kinds = (
        types.ToolListChangedNotification,
        types.PromptListChangedNotification,
        types.ResourceListChangedNotification,
    )

    async def heard(message: object) -> None:
        if isinstance(message, kinds):
            hooks.changed()
        await anyio.lowlevel.checkpoint()

    return heard


def _asked(hooks: Hooks) -> Any:
    async def asked(_context: object, params: Any) -> types.ElicitResult:
        url: str | None = getattr(params, "url", None)
        wants: Any = url or getattr(params, "requested_schema", None)
        if hasattr(wants, "model_dump"):
            wants = wants.model_dump(by_alias=True)
        answer: Mapping[str, Any] | None = await hooks.ask(params.message, wants)
        if answer is None:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=None if url else dict(answer))

    return asked
