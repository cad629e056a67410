"""Carrying out what was typed, as far as it concerns the session, and the commands for that.

Commands that only make sense in an open chat (`/resume`, `/quit`, ...) are the front ends' own.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing

from octochat.commands.attachments import read_attachments
from octochat.commands.base import Command, Refused, Report, Saying, Shown, simple
from octochat.commands.cost import COST_COMMANDS
from octochat.commands.custom import custom_commands
from octochat.commands.doctor import DOCTOR_COMMANDS
from octochat.commands.errands import ERRAND_COMMANDS
from octochat.commands.going_back import GOING_BACK_COMMANDS
from octochat.commands.hooks import HOOK_COMMANDS
from octochat.commands.info_text import info_text
from octochat.commands.mcp import MCP_COMMANDS, prompt_commands
from octochat.commands.models import MODEL_COMMANDS
from octochat.commands.permissions import PERMISSION_COMMANDS
from octochat.commands.remember import REMEMBER_COMMANDS
from octochat.commands.reports import context_report, info_data, knowledge_text
from octochat.commands.session_diff import DIFF_COMMANDS
from octochat.commands.sessions import SESSION_COMMANDS
from octochat.commands.spec import listed
from octochat.commands.steering import STEERING_COMMANDS
from octochat.commands.trust import TRUST_COMMANDS
from octochat.commands.typed import (
    ForSession,
    PromptText,
    SessionCommand,
    SkillForm,
    UnknownCommand,
    for_session,
)
from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Knowledge, KnowledgeChanged
from octochat.engine import tasks
from octochat.models.port import Notice
from octochat.session.session import Session
from octochat.skills.order import SkillOrder, order
from octochat.tools.base import ToolError
from octochat.tools.skill import carry_out


async def execute(session: Session, said: ForSession) -> Saying:
    """Carry out what was typed: a command, a typed `skill(...)`, or a prompt for the model.

    An unknown command is told and not sent.

    Raises:
        ModelError: a call failed; what was said is in the log.
        LogError: the session could not be written.
    """
    stream: Saying
    match said:
        case SkillForm(order):
            yield _skilled(session, order)
            return
        case UnknownCommand(word, _, rest):
            # It may have been typed before the session was there.
            there = (each for each in commands_of(session) if f"/{each.name}" == word)
            if not (command := next(there, None)):
                yield _unknown(said)
                return
            stream = command.run(session, rest)
        case SessionCommand(command, rest):
            stream = command.run(session, rest)
        case PromptText():
            stream = _prompted(session, said)
    async with aclosing(stream):
        async for item in stream:
            yield item


def understood(text: str, session: Session | None = None) -> ForSession:
    """What a text means where nobody sits at a terminal."""
    return for_session(text, commands_of(session))


def commands_of(session: Session | None) -> tuple[Command, ...]:
    """Every command that a session has now: octochat's own, and those of `MORE_COMMANDS`.

    One that is called like another before it is left out.
    """
    more = () if session is None else (each for source in MORE_COMMANDS for each in source(session))
    every: dict[str, Command] = {command.name: command for command in COMMANDS}
    for command in more:
        every.setdefault(command.name, command)
    return tuple(every.values())


async def _prompted(session: Session, said: PromptText) -> Saying:
    along = await read_attachments(session, said.files)
    for trouble in along.troubles:
        yield Notice(trouble, "warning")
    words = tuple(Text(text) for text in (*said.along, said.text) if text.strip())
    async with aclosing(session.engine.turn((*along.blocks, *words))) as stream:
        async for item in stream:
            yield item


def _unknown(said: UnknownCommand) -> Refused:
    meant = f" Did you mean {said.near}?" if said.near else ""
    return Refused(
        f"There is no command {said.word}.{meant} /help lists them; start with a space to send it."
    )


async def _done(session: Session, rest: str) -> Saying:
    keep = session.config.compression.done_keep_turns
    stream = tasks.done(session.engine, session.compressor, rest, keep_turns=keep)
    async with aclosing(stream):
        async for item in stream:
            yield item


async def _compact(session: Session, rest: str) -> Saying:
    stream = tasks.compact(session.engine, session.compressor, rest)
    async with aclosing(stream):
        async for item in stream:
            yield item


async def _go_on(session: Session, _rest: str) -> Saying:
    if not session.engine.unfinished:
        yield Report("The last turn is complete; there is nothing to retry.")
        return
    async with aclosing(session.engine.go_on()) as stream:
        async for item in stream:
            yield item


def _info(session: Session, _rest: str) -> Shown:
    return Report(info_text(session.info), info_data(session))


def _context(session: Session, _rest: str) -> Shown:
    return Report(context_report(session))


def shadowed(session: Session) -> Sequence[str]:
    """A line for each custom command that can't be called, for octochat has one of its name."""
    names = {name for command in COMMANDS for name in command.names}
    return [
        f"/{custom.name} is octochat's own command, so the one in {custom.file} can't be called."
        for custom in session.custom.commands
        if custom.name in names
    ]


def _help(session: Session, _rest: str) -> Shown:
    return Report(listed(commands_of(session)))


def _restore(session: Session, _rest: str) -> Shown:
    entry = tasks.restore(session.engine, session.compressor)
    return entry or Report("There is no compression to take back.")


def _pin(session: Session, rest: str) -> Shown:
    return _pinned(session, rest, tasks.pin, "is not in the context")


def _unpin(session: Session, rest: str) -> Shown:
    return _pinned(session, rest, tasks.unpin, "is not pinned")


def _pinned(session: Session, rest: str, act: Callable[..., Entry | None], refusal: str) -> Shown:
    number = rest.lstrip("#")
    units = session.engine.state.view.units
    if not number and units and act is tasks.pin:
        number = str(units[-1].id)
    if not number.isdecimal():
        return Refused("Which? /context lists the units by number: `/pin 12`.")
    if act is tasks.pin and int(number) in session.engine.state.pins:
        return Report(f"#{number} is pinned already; /unpin {number} lets it go.")
    return act(session.engine, int(number)) or Refused(
        f"#{number} {refusal}; /context lists units."
    )


def _knowledge(session: Session, rest: str) -> Shown:
    state = session.engine.state
    word, _, text = rest.partition(" ")
    match word:
        case "" | "list":
            retained = session.config.compression.knowledge_retention
            return Report(knowledge_text(state, retained))
        case "add" if text.strip():
            added = Knowledge("fact", text.strip(), "person")
            return session.engine.append(KnowledgeChanged((*state.knowledge, added)))
        case "drop" if text.strip().isdecimal() and 0 < int(text) <= len(state.knowledge):
            n = int(text) - 1
            left = (*state.knowledge[:n], *state.knowledge[n + 1 :])
            return session.engine.append(KnowledgeChanged(left))
        case _:
            return Refused("Usage: /knowledge [list | add TEXT | drop NUMBER]")


def _skill(session: Session, rest: str) -> Shown:
    word, _, name = rest.partition(" ")
    given = SkillOrder("use", rest) if session.skills.get(rest) else order(word or "list", name)
    if given is None:
        return Refused("Usage: /skill [NAME | list | search WORDS | use NAME | forget NAME]")
    return _skilled(session, given)


def _skilled(session: Session, given: SkillOrder) -> Shown:
    engine = session.engine
    try:
        said, events = carry_out(given, session.skills, engine.state)
    except ToolError as error:
        return Refused(str(error))
    for event in events:
        return engine.append(event)
    return Report(said)


COMMANDS: tuple[Command, ...] = (
    Command("help", "", "these commands", simple(_help), at_once=True),
    *GOING_BACK_COMMANDS,
    Command("retry", "", "go on where the last turn was cut off", _go_on),
    *STEERING_COMMANDS,
    *ERRAND_COMMANDS,
    *PERMISSION_COMMANDS,
    *MCP_COMMANDS,
    *MODEL_COMMANDS,
    *DIFF_COMMANDS,
    *SESSION_COMMANDS,
    *REMEMBER_COMMANDS,
    Command(
        "skill",
        "[NAME | list | search WORDS | use NAME | forget NAME]",
        "instructions for a task",
        simple(_skill),
    ),
    Command(
        "info", "", "compression statistics, context, strategies, cost", simple(_info), at_once=True
    ),
    Command(
        "context", "", "what is in the context, by part and by unit", simple(_context), at_once=True
    ),
    Command("done", "[TEXT]", "end the task: one note, a clean slate; then say TEXT", _done),
    Command("compact", "[FOCUS]", "compress now, in mid-task, with an eye on FOCUS", _compact),
    Command("restore", "", "take back the last compression", simple(_restore)),
    Command("pin", "[NUMBER]", "keep a unit through every compression", simple(_pin)),
    Command("unpin", "NUMBER", "let a pinned unit go", simple(_unpin)),
    Command(
        "knowledge", "[list | add TEXT | drop N]", "what the notes carry on", simple(_knowledge)
    ),
    *COST_COMMANDS,
    *DOCTOR_COMMANDS,
    *HOOK_COMMANDS,
    *TRUST_COMMANDS,
)
"""Every command that works in both front ends."""

MORE_COMMANDS: tuple[Callable[[Session], Iterable[Command]], ...] = (
    custom_commands,
    prompt_commands,
)
"""Where the commands come from that are known only while a session goes on."""
