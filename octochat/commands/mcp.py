"""`/mcp`: the servers of a session, what they cost, and what they ask; and their prompts."""

import asyncio
import json
import shlex
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial

from octochat.commands.base import Command, Refused, Report, Saying, Shown
from octochat.context.session.content import Text
from octochat.mcp.expand import MissingVariableError
from octochat.mcp.host import McpHost
from octochat.mcp.login import LoginNeededError, opened
from octochat.mcp.offered import ServerPrompt
from octochat.mcp.prices import prices
from octochat.mcp.questions import Question
from octochat.session.session import Session
from octochat.text.figures import count
from octochat.text.harmless import one_line
from octochat.tools.base import ToolError

WORDS = "[restart NAME | login NAME | logout NAME | answer NAME KEY=VALUE ... | decline NAME]"
USAGE = f"/mcp {WORDS}"
NONE = "There are no MCP servers. [mcp_servers.NAME] in your configuration adds one: docs/mcp.md."


async def _mcp(session: Session, rest: str) -> Saying:
    word, _, more = rest.partition(" ")
    name, _, given = more.strip().partition(" ")
    host = session.servers
    if word == "login" and name and host and host.settings:
        yield await _login(host, name, given.strip())
    else:
        yield _at_once(session, rest)


async def _login(host: McpHost, name: str, given: str) -> Shown:
    """Show where to log in; `given` is the address that the browser came back to, or `browser`."""
    login = host.login(name)
    if isinstance(login, str):
        return Refused(f"No login: {login}.")
    if given and given != "browser":
        taken = login.take(given)
        return (
            Report("Thank you; a line will say what came of it.")
            if taken
            else Refused(f"That address does not belong to the login to {name}.")
        )
    try:
        address = await asyncio.wrap_future(login.address)
    except LoginNeededError as error:
        return Refused(f"No login: {error}.")
    if not address:
        return Report(f"{name} is there and asks for no login.")
    wanted = given == "browser" or host.settings[name].oauth.browser
    tried = wanted and await asyncio.to_thread(opened, address)
    how = "Your browser opens it." if tried else f"/mcp login {name} browser opens it."
    if wanted and not tried:
        how = "There is no browser that could be opened from here."
    return Report(
        f"Log in to {name}: {login.short}\n{how}\nIn a browser on another machine open this, then "
        f"type /mcp login {name} and the address that it ends at:\n{one_line(address)}"
    )


def _at_once(session: Session, rest: str) -> Shown:
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
        case "logout" if name:
            return _logout(host, name)
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


def _logout(host: McpHost, name: str) -> Shown:
    try:
        forgotten = host.logout(name)
    except (OSError, MissingVariableError) as error:
        return Refused(f"The login to {name} could not be removed: {error}")
    if not forgotten:
        return _unknown(host, name) if name not in host.settings else Report("There was no login.")
    return Report(f"The login to {name} is removed from this machine; the server was not told.")


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
        WORDS,
        "the MCP servers, what they cost and ask, and logins",
        _mcp,
        options=("restart", "login", "logout", "answer", "decline"),
        at_once=True,
    ),
)
"""Those that both front ends have."""
