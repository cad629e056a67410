"""`/mcp`: the servers of a session, what they cost, and what they ask; and their prompts."""

import json
import shlex
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial

from octochat.commands.base import Command, Refused, Report, Saying, Shown, simple
from octochat.context.session.content import Text
from octochat.mcp.host import McpHost
from octochat.mcp.offered import ServerPrompt
from octochat.mcp.prices import prices
from octochat.mcp.questions import Question
from octochat.session.session import Session
from octochat.text.figures import count
from octochat.text.harmless import one_line
from octochat.tools.base import ToolError

USAGE = "/mcp [restart NAME | answer NAME KEY=VALUE ... | decline NAME]"
NONE = "There are no MCP servers. [mcp_servers.NAME] in your configuration adds one: docs/mcp.md."


def _mcp(session: Session, rest: str) -> Shown:
    host = session.servers
    if host is None or not host.settings:
        return Report(NONE)
    word, _, more = rest.partition(" ")
    name, _, given = more.strip().partition(" ")
    match word:
        case "":
            return Report("\n".join(server_lines(session)))
        case "restart" if name:
            return Report(f"{name} starts again.") if host.restart(name) else _unknown(host, name)
        case "answer" | "decline" if name:
            return _answered(host, name, given, yes=word == "answer")
        case _:
            return Refused(f"Usage: {USAGE}")


def server_lines(session: Session) -> Iterator[str]:
    """A line or two for each server: how it stands, and what it takes; none where there is none."""
    host = session.servers
    if host is None or not host.settings:
        return
    host.start()
    log = session.engine.log.entries
    found = prices(host.standing, session.engine.state, log, session.ruler.tool)
    yield "MCP servers, in tokens:"
    for each, standing in zip(found, host.standing, strict=True):
        how = f"{standing.status}: {standing.why}" if standing.why else standing.status
        settings = host.settings[each.name]
        where = one_line(settings.url or settings.command)
        hidden = ", ".join((*settings.env, *settings.headers))
        secret = f" ({hidden} hidden)" if hidden else ""
        yield f"  {each.name:<16} {how}, {count(each.tools, 'tool')} · {where}{secret}"
        yield f"  {'':<16} {each.told}"


def _unknown(host: McpHost, name: str) -> Refused:
    return Refused(f"There is no server {name}. There are: {', '.join(host.settings)}.")


def _answered(host: McpHost, name: str, given: str, *, yes: bool) -> Shown:
    question = next((each for each in host.questions.open if each.server == name), None)
    if question is None:
        return Refused(f"{name} asks nothing.")
    if not yes:
        question.say(None)
        return Report(f"{name} was told no.")
    if not given and question.fields:
        return Report(_asked(question))
    try:
        answer = dict(part.split("=", 1) for part in shlex.split(given))
        question.say(question.typed(answer))
    except ValueError as error:
        return Refused(f"{error or 'Write KEY=VALUE.'}\n{_asked(question)}")
    return Report(f"{name} was told.")


def _asked(question: Question) -> str:
    fields = (f"  {key}: {json.dumps(about)}" for key, about in question.fields.items())
    return "\n".join((question.message, *fields, f"/mcp answer {question.server} KEY=VALUE ..."))


def prompt_commands(session: Session) -> Iterator[Command]:
    """The prompts of servers as slash commands."""
    for standing in session.servers.standing if session.servers else ():
        for prompt in standing.prompts:
            told = one_line(prompt.description) or f"a prompt of {prompt.server}"
            run = partial(_prompted, prompt)
            yield Command(prompt.command, prompt.usage, told, run)


async def _prompted(prompt: ServerPrompt, session: Session, rest: str) -> Saying:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        yield Refused(f"{error}: /{prompt.command} {prompt.usage}")
        return
    names = (*prompt.required, *prompt.optional)
    if len(words) < len(prompt.required) or len(words) > len(names):
        yield Refused(f"Usage: /{prompt.command} {prompt.usage}")
        return
    assert session.servers
    try:
        given = dict(zip(names, words, strict=False))
        said = await session.servers.prompt(prompt.server, prompt.name, given)
        texts = [m.content.text for m in said.messages if m.content.type == "text"]
    except ToolError as error:
        yield Refused(str(error))
        return
    blocks = tuple(Text(text) for text in texts if text.strip())
    if not blocks:
        yield Refused(f"/{prompt.command} has no text.")
        return
    async with aclosing(session.engine.turn(blocks)) as turn:
        async for item in turn:
            yield item


MCP_COMMANDS: tuple[Command, ...] = (
    Command(
        "mcp",
        "[restart NAME | answer NAME KEY=VALUE ... | decline NAME]",
        "the MCP servers, what they cost, and what they ask",
        simple(_mcp),
        options=("restart", "answer", "decline"),
        at_once=True,
    ),
)
"""Those that both front ends have."""
