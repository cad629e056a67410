"""Custom commands and skills as slash commands: a text of the person's own becomes a prompt.

Source: docs/custom-commands.md.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from octochat.commands.base import Command, Refused, Saying, Shown
from octochat.commands.typed import files_named
from octochat.context.session.content import Said, Text, ToolCall, plain_text
from octochat.context.session.events import ModelChanged
from octochat.context.session.tags import escaped
from octochat.context.session.tool_marks import unmarked
from octochat.engine.stopping import Stopped
from octochat.hooks.tool_names import own_name
from octochat.models.catalogue import MODELS, bare
from octochat.models.port import Notice
from octochat.permissions.rule import Rule, parse
from octochat.session.opening import models_of
from octochat.session.session import Session
from octochat.skills.command_file import CustomCommand
from octochat.skills.order import SkillOrder
from octochat.skills.skill_file import Skill
from octochat.skills.template import Line, lines, pieces
from octochat.text.secrets import masked
from octochat.tools.base import Output, Tool, ToolError
from octochat.tools.bash import Bash
from octochat.tools.read import Read
from octochat.tools.skill import carry_out

LONGEST = 200_000
"""Characters that a prompt made from a command may have."""
_CALL = "custom-command"


class NotSentError(Exception):
    """The command can't be carried out as it stands; nothing was said to the model."""


def custom_commands(session: Session) -> Iterable[Command]:
    """The custom commands of a session, then its skills."""
    for custom in session.custom.commands:
        yield Command(custom.name, custom.hint, custom.description, _saying(custom))
    for skill in session.skills.skills:
        if skill.callable:
            yield Command(skill.name, skill.hint or "[TEXT]", skill.description, _using(skill))


def _saying(custom: CustomCommand) -> Callable[[Session, str], Saying]:
    def run(session: Session, rest: str) -> Saying:
        return _said(session, custom, rest)

    return run


def _using(skill: Skill) -> Callable[[Session, str], Saying]:
    async def run(session: Session, rest: str) -> Saying:
        _, events = carry_out(SkillOrder("use", skill.name), session.skills, session.engine.state)
        for event in events:
            yield session.engine.append(event)
        asked = f"Use the skill {skill.name}{f' for this: {rest}' if rest else '.'}"
        async with aclosing(session.engine.turn((Text(asked),))) as turn:
            async for item in turn:
                yield item

    return run


async def _said(session: Session, custom: CustomCommand, rest: str) -> Saying:
    engine = session.engine
    engine.stopper.begin()
    rules, wrong = _rules(custom)
    for each in wrong:
        yield Notice(each, "warning")
    with _granted(session, rules):
        try:
            blocks = await engine.stopper.wait(_expanded(session, custom, rest))
        except NotSentError as error:
            yield Refused(f"/{custom.name} was not sent: {error}")
            return
        except Stopped:
            yield Refused(f"/{custom.name} was not sent: you stopped it.")
            return
        async with aclosing(_answered(session, custom.model, blocks)) as stream:
            async for item in stream:
                yield item


def _rules(custom: CustomCommand) -> tuple[list[Rule], list[str]]:
    """The rules that hold meanwhile, and what is wrong with those that can't be read."""
    rules, wrong = list[Rule](), list[str]()
    for text in custom.allowed if custom.trusted else ():
        try:
            rule = parse(text)
        except ValueError as error:
            wrong.append(f"/{custom.name}, allowed-tools: {error}")
        else:
            rules.append(Rule(own_name(rule.tool), rule.pattern))
    return rules, wrong


@contextmanager
def _granted(session: Session, rules: Iterable[Rule]) -> Generator[None]:
    """The rules hold until the turn is over, whatever else is allowed meanwhile."""
    permissions, given = session.dials.permissions, tuple(rules)
    permissions.rules = replace(permissions.rules, allow=(*permissions.rules.allow, *given))
    try:
        yield
    finally:
        left = list(permissions.rules.allow)
        for rule in given:
            with suppress(ValueError):
                left.remove(rule)
        permissions.rules = replace(permissions.rules, allow=tuple(left))


async def _expanded(session: Session, custom: CustomCommand, rest: str) -> tuple[Said, ...]:
    """The prompt that the command makes: its text, what its lines print, and the files it names.

    Raises:
        NotSentError: it can't be made.
    """
    if lines(custom.body) and not custom.trusted:
        raise NotSentError("it runs commands, and nobody has trusted this folder's. See /trust.")
    text, words = "", ""
    for piece in pieces(custom.body, rest):
        if isinstance(piece, Line):
            text += await _printed(session, piece.command)
        else:
            text += piece.text
            words += f" {piece.text}"
    if not text.strip():
        raise NotSentError("it would say nothing.")
    blocks: list[Said] = []
    for name in files_named(words):
        blocks += await _file(session, name)
    made = (*blocks, Text(text))
    if sum(len(block.text) for block in made if isinstance(block, Text)) > LONGEST:
        raise NotSentError(f"it would be longer than {LONGEST:,} characters.")
    return made


async def _printed(session: Session, command: str) -> str:
    """What a command line prints, under the same rules as any that the model wants to run."""
    bash = next((tool for tool in session.tools if isinstance(tool, Bash)), None)
    if bash is None:
        raise NotSentError("there is no shell.")
    once = bash.apart()
    try:
        output = await _run(session, once, ToolCall(_CALL, "bash", {"command": command}))
    finally:
        await once.close()
    text = plain_text(output.content)
    text = text if output.failed else unmarked("bash", text)
    return escaped(masked(text)[0] if session.config.privacy.mask_secrets else text)


async def _file(session: Session, name: str) -> tuple[Said, ...]:
    """A file that the text names; nothing where there is none, for it may be no file at all."""
    read = next((tool for tool in session.tools if isinstance(tool, Read)), None)
    path = await asyncio.to_thread(_existing, Path(session.engine.state.folder), name)
    if read is None or path is None:
        return ()
    output = await _run(session, read, ToolCall(_CALL, "read", {"file_path": str(path)}))
    mask = session.config.privacy.mask_secrets
    told = (
        Text(f"{name}:\n{escaped(masked(b.text)[0] if mask else b.text)}")
        if isinstance(b, Text)
        else b
        for b in output.content
    )
    return tuple(told)


def _existing(folder: Path, name: str) -> Path | None:
    try:
        path = folder / Path(name).expanduser()
        return path if path.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


async def _run(session: Session, tool: Tool, call: ToolCall) -> Output:
    """Run a tool for the command, if it may.

    Raises:
        NotSentError: it may not, or it failed.
    """
    what = next(iter(call.arguments.values()))
    try:
        access = tool.access(call.arguments)
        answer = await session.dials.permissions.check(call.name, call, access)
        if isinstance(answer, str):
            raise NotSentError(f"`{what}`: {answer}.")
        return await tool.run(call.arguments, access, lambda _: None)
    except ToolError as error:
        raise NotSentError(f"`{what}`: {error}") from error


async def _answered(
    session: Session, wanted: str, blocks: tuple[Said, ...]
) -> AsyncGenerator[Shown, None]:
    """The turn, by the model that the command wants; the session then goes on with its own."""
    engine = session.engine
    before, name = engine.state.model, _model(session, wanted)
    if not name:
        yield Notice(f"The command wants the model {wanted}, which can't answer here.", "warning")
    other, back = bool(name) and name != before, None
    if other:
        yield engine.append(ModelChanged(name, session.ruler.scale(before, name), only_now=True))
    try:
        async with aclosing(engine.turn(blocks)) as turn:
            async for item in turn:
                yield item
    finally:
        if other:
            _, chosen = models_of(engine.log.entries)
            scale = session.ruler.scale(name, before)
            back = engine.append(ModelChanged(before, scale, only_now=before != chosen))
    if back:
        yield back


def _model(session: Session, wanted: str) -> str:
    """The model that a name of Claude Code's means; empty where it can't answer."""
    if wanted in ("", "inherit"):
        return session.engine.state.model
    family = (model.name for model in MODELS if f"-{wanted.lower()}-" in model.name)
    known = session.known(next(family, bare(wanted)))
    return known.name if known.known and not session.models.lack(known.name) else ""
