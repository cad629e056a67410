"""Slash commands: what a person may say that is not for the model.

The front ends all hand what was typed to `say`; commands that only make sense in an open chat
(`/resume`, `/quit`, ...) are their own.
"""

from collections.abc import Callable, Sequence
from contextlib import aclosing
from difflib import get_close_matches

from octochat.commands.base import Command, Report, Saying, Shown, Switched, Unknown, simple
from octochat.commands.cost import COST_COMMANDS
from octochat.commands.models import MODEL_COMMANDS
from octochat.commands.reports import context_report, info_data, info_text, knowledge_text
from octochat.commands.sessions import SESSION_COMMANDS
from octochat.context.session.content import Said, Text, ToolCall
from octochat.context.session.events import (
    Entry,
    Knowledge,
    KnowledgeChanged,
    Replied,
    Returned,
    Rewound,
)
from octochat.engine import tasks
from octochat.models.port import Notice
from octochat.session.session import Session
from octochat.skills.skills import SkillOrder, order, typed
from octochat.tools.base import ToolError
from octochat.tools.skill import carry_out

__all__ = ["COMMANDS", "Command", "Report", "Saying", "Shown", "Switched", "parsed", "say"]


async def say(session: Session, text: str, blocks: tuple[Said, ...] = ()) -> Saying:
    """Do what was typed: a command, a typed `skill(...)`, or a prompt for the model.

    `blocks` are sent along with a prompt (images, files). An unknown command is told and not sent.

    Raises:
        ModelError: a call failed; what was said is in the log.
        LogError: the session could not be written.
    """
    if skill := typed(text):
        yield _skilled(session, skill)
        return
    stream: Saying
    if command := parsed(text):
        stream = command[0].run(session, command[1])
    elif _looks_like_command(text):
        yield _unknown(text.split(maxsplit=1)[0])
        return
    else:
        stream = session.engine.turn((*blocks, Text(text)) if text.strip() else blocks)
    async with aclosing(stream):
        async for item in stream:
            yield item


def parsed(text: str) -> tuple[Command, str] | None:
    """The command that a text is, with its arguments; None where it is none of `COMMANDS`."""
    word, _, rest = (
        text.partition(" ") if "\n" not in text.split(" ", maxsplit=1)[0] else (text, "", "")
    )
    for command in COMMANDS:
        if word == f"/{command.name}":
            return command, rest.strip()
    return None


def _unknown(word: str) -> Unknown:
    near = get_close_matches(word, [f"/{command.name}" for command in COMMANDS], n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return Unknown(
        f"There is no command {word}.{meant} /help lists them; start with a space to send it."
    )


def _looks_like_command(text: str) -> bool:
    """A slash and one word, and not the path of something."""
    word = text.split(maxsplit=1)[0] if text.startswith("/") else ""
    return "/" not in word[1:] and len(word) > 1


async def _done(session: Session, rest: str) -> Saying:
    keep = session.config.compression.done_keep_turns
    stream = tasks.done(session.engine, session.condenser, rest, keep_turns=keep)
    async with aclosing(stream):
        async for item in stream:
            yield item


async def _compact(session: Session, rest: str) -> Saying:
    stream = tasks.compact(session.engine, session.condenser, rest)
    async with aclosing(stream):
        async for item in stream:
            yield item


async def _go_on(session: Session, _rest: str) -> Saying:
    if not session.engine.unfinished:
        yield Report("The last turn is complete; there is nothing to go on with.")
        return
    async with aclosing(session.engine.go_on()) as stream:
        async for item in stream:
            yield item


def _info(session: Session, _rest: str) -> Shown:
    return Report(info_text(session), info_data(session))


def _context(session: Session, _rest: str) -> Shown:
    return Report(context_report(session))


def _help(_session: Session, _rest: str) -> Shown:
    width = max(len(f"/{c.name} {c.usage}") for c in COMMANDS)
    rows = [f"{f'/{c.name} {c.usage}'.rstrip():<{width}}  {c.help}" for c in COMMANDS]
    return Report("\n".join(rows))


def _restore(session: Session, _rest: str) -> Shown:
    entry = tasks.restore(session.engine, session.condenser)
    return entry or Report("There is no compression to take back.")


async def _undo(session: Session, _rest: str) -> Saying:
    before = session.engine.log.entries
    undone = tasks.undo(session.engine)
    if undone is None:
        yield Report("There is nothing to undo.")
        return
    yield undone[0]
    to = undone[0].event.to if isinstance(undone[0].event, Rewound) else 0
    if files := changed_files(before, to):
        yield Notice(
            f"Files that were changed since are as they are: {', '.join(files)}", "warning"
        )


def changed_files(log: Sequence[Entry], after: int) -> tuple[str, ...]:
    """Files that `write` and `edit` changed after an entry, as the calls named them."""
    failed = {e.event.call_id for e in log if isinstance(e.event, Returned) and e.event.failed}
    calls = (
        block
        for entry in log
        if entry.id > after and isinstance(entry.event, Replied)
        for block in entry.event.blocks
        if isinstance(block, ToolCall) and block.name in ("write", "edit")
    )
    paths = (str(c.arguments.get("file_path", "")) for c in calls if c.id not in failed)
    return tuple(dict.fromkeys(path for path in paths if path))


def _pin(session: Session, rest: str) -> Shown:
    return _pinned(session, rest, tasks.pin, "is not in the context")


def _unpin(session: Session, rest: str) -> Shown:
    return _pinned(session, rest, tasks.unpin, "is not pinned")


def _pinned(session: Session, rest: str, act: Callable[..., Entry | None], refusal: str) -> Shown:
    number = rest.lstrip("#")
    units = session.engine.state.view.units
    if not number and units and act is tasks.pin:
        number = str(units[-1].id)
    if not number.isdigit():
        return Report("Which? /context lists the units by number: `/pin 12`.")
    return act(session.engine, int(number)) or Report(f"#{number} {refusal}; /context lists units.")


def _knowledge(session: Session, rest: str) -> Shown:
    state = session.engine.state
    word, _, text = rest.partition(" ")
    match word:
        case "" | "list":
            retained = session.config.compression.knowledge_retention
            return Report(knowledge_text(state, retained))
        case "add" if text.strip():
            added = Knowledge("fact", text.strip())
            return session.engine.append(KnowledgeChanged((*state.knowledge, added)))
        case "drop" if text.strip().isdigit() and 0 < int(text) <= len(state.knowledge):
            n = int(text) - 1
            left = (*state.knowledge[:n], *state.knowledge[n + 1 :])
            return session.engine.append(KnowledgeChanged(left))
        case _:
            return Report("Usage: /knowledge [list | add TEXT | drop NUMBER]")


def _skill(session: Session, rest: str) -> Shown:
    word, _, name = rest.partition(" ")
    given = order(word or "list", name)
    if given is None:
        return Report("Usage: /skill [list | use NAME | forget NAME]")
    return _skilled(session, given)


def _skilled(session: Session, given: SkillOrder) -> Shown:
    engine = session.engine
    try:
        said, events = carry_out(given, session.skills, engine.state)
    except ToolError as error:
        return Report(str(error))
    for event in events:
        return engine.append(event)
    return Report(said)


COMMANDS: tuple[Command, ...] = (
    Command("help", "", "these commands", simple(_help)),
    Command("info", "", "compression statistics, context, strategies, cost", simple(_info)),
    Command("context", "", "what is in the context, by part and by unit", simple(_context)),
    Command("done", "[TEXT]", "end the task: one note, a clean slate; then say TEXT", _done),
    Command("compact", "[FOCUS]", "compress now, in mid-task, with an eye on FOCUS", _compact),
    Command("restore", "", "take back the last compression", simple(_restore)),
    Command("undo", "", "take back the last prompt and all that followed", _undo),
    Command("retry", "", "go on where the last turn was cut off", _go_on),
    Command("pin", "[NUMBER]", "keep a unit through every compression", simple(_pin)),
    Command("unpin", "NUMBER", "let a pinned unit go", simple(_unpin)),
    Command(
        "knowledge", "[list | add TEXT | drop N]", "what the notes carry on", simple(_knowledge)
    ),
    Command("skill", "[list | use NAME | forget NAME]", "instructions for a task", simple(_skill)),
    *MODEL_COMMANDS,
    *COST_COMMANDS,
    *SESSION_COMMANDS,
)
"""Every command that works in both front ends."""
