"""A real server, made with the SDK: `python -m tests.mcp_servers.server NAME TOOLS [SOCKET]`.

It has so many tools that say what they were given, and a few that do what servers do: fail, hang,
die, flood, ask, and change their lists.
"""

import asyncio
import base64
import os
import signal
import socket
import sys
from typing import Annotated, Any

import mcp_types as types
import uvicorn
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

PIXEL = base64.b64encode(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
    )
).decode()
VERBS = ("create", "list", "close", "search", "merge", "label", "export", "archive")
THINGS = ("issue", "invoice", "page", "branch", "customer", "report", "ticket", "photo", "robot")


MORE = 11
"""Tools that each server has besides those that it is asked for."""
FLOOD = 20_000
"""Messages that `flood` sends at once."""
LINE = os.dup(1)
"""The line to the client: the SDK lets nothing else be written to it later."""
HUGE = 5_000_000
"""Characters that `huge` answers."""
LOUD = (
    b'{"jsonrpc":"2.0","method":"notifications/message",'
    b'"params":{"level":"error","data":"too much"}}\n'
)


class Where(BaseModel):
    """What `ask` wants to know."""

    branch: str
    tries: int = 1


def where() -> Elicit[Where]:
    return Elicit("Which branch?", Where)


def names(count: int) -> list[str]:
    """So many names of tools, each different."""
    pairs = [f"{verb}_{thing}" for thing in THINGS for verb in VERBS]
    assert count <= len(pairs)
    return pairs[:count]


def plain(name: str, server: MCPServer) -> None:
    """A tool that says what it was given."""

    def act(title: str, number: int = 1) -> str:
        return f"{name}: {title} {number}"

    words = name.replace("_", " ").capitalize()
    told = f"{words} in the account that is signed in, and tell what came of it in one line."
    server.add_tool(act, name=name, description=told)


def build(name: str, count: int) -> MCPServer:
    """The server with all that it has."""
    server = MCPServer(name, instructions=f"{name} keeps issues, invoices and pages.")
    for each in names(count):
        plain(each, server)

    @server.tool(annotations=types.ToolAnnotations(read_only_hint=True))
    def peek() -> str:
        """Look at something and change nothing."""
        return "seen"

    @server.tool(structured_output=False)
    def draw() -> Any:
        """Draw a picture."""
        picture = types.ImageContent(data=PIXEL, mime_type="image/png")
        link = types.ResourceLink(uri="note://today", name="today", description="what is on")
        text = types.TextResourceContents(uri="note://1", text="the note")
        return [picture, link, types.EmbeddedResource(resource=text)]

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ValueError("it went wrong")

    @server.tool()
    def environment(name: str) -> str:
        """Say what a variable holds."""
        return os.environ.get(name, "nothing")

    stopped: list[str] = []

    @server.tool()
    async def hang(ctx: Context) -> str:
        """Take very long."""
        await ctx.report_progress(1, 4, "a quarter")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("hang")
            raise
        return "never"

    @server.tool()
    def cancelled() -> str:
        """Say which calls were cancelled."""
        return f"cancelled: {', '.join(stopped)}"

    @server.tool()
    def ask(answer: Annotated[ElicitationResult[Where], Resolve(where)]) -> str:
        """Ask the person."""
        said = answer.data if isinstance(answer, AcceptedElicitation) else ""
        return f"{answer.action} {said}".strip()

    @server.tool()
    def flood() -> str:
        """Send very many messages."""
        written = LOUD * FLOOD
        while written:
            written = written[os.write(LINE, written) :]
        return "flooded"

    @server.tool()
    def huge() -> str:
        """Answer very much."""
        return "x" * HUGE

    @server.tool()
    def die() -> str:
        """End at once."""
        os.kill(os.getpid(), signal.SIGKILL)
        return "never"

    @server.tool()
    async def change(ctx: Context) -> str:
        """Take one tool away and add another."""
        server.remove_tool(names(count)[0])
        plain("fresh_tool", server)
        await ctx.notify_tools_changed()
        return "changed"

    @server.prompt()
    def review(what: str, how: str = "well") -> str:
        """Review something."""
        return f"Review {what} {how}."

    @server.resource("note://today", name="today")
    def today() -> str:
        """What is on."""
        return "tests, tests, tests"

    @server.resource("note://{day}/{hour}", name="hour")
    def hour(day: str, hour: str) -> str:
        """What is on at an hour."""
        return f"{day} {hour}: tests"

    return server


def main() -> None:
    """Serve over standard input and output, or on a socket that listens already."""
    name, count, *port = sys.argv[1:]
    server = build(name, int(count))
    if port:
        line = socket.socket(fileno=int(port[0]))
        app = server.streamable_http_app()
        uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[line])
    else:
        server.run("stdio")


if __name__ == "__main__":
    main()
