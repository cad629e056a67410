"""Commands about sessions as wholes: new ones, copies, a name, a look into all of them."""

import asyncio
import os
import time
from pathlib import Path

from octochat.commands.base import Command, Refused, Report, Saying, Shown, Switched, simple
from octochat.commands.search_text import found_data, found_text
from octochat.context.session.events import Prompted, Titled
from octochat.context.session.ran import own_words
from octochat.memory.all_sessions import search
from octochat.session.session import Session
from octochat.storage import sessions
from octochat.storage.export import entry_markdown, markdown
from octochat.storage.fork import fork, prompts, title
from octochat.text.figures import ago, count, dollars
from octochat.text.harmless import harmless

LISTED = 20
"""Prompts that `/fork` lists where the number is none."""


def _fork(session: Session, rest: str) -> Shown:
    log = session.engine.log.entries
    said = prompts(log)
    number = int(rest.lstrip("#")) if rest.lstrip("#").isdecimal() else None
    if not said:
        return Report("You haven't said anything yet, so there is nothing to fork.")
    if rest and number not in dict(said):
        rows = [f"  #{n:<6}{_first_line(text)}" for n, text in said[-LISTED:]]
        return Report("\n".join(["Fork before which prompt? `/fork NUMBER`:", *rows]))
    now = session.engine.ports.clock()
    path = sessions.new_path(now)
    try:
        fork(log, session.engine.log.id, number, path, now)
    except OSError as error:
        return Report(f"The fork can't be written to {path}: {error.strerror or error}")
    where = "" if number is None else f" before #{number}"
    return Switched(
        f"Forked{where}: the new session is {path.stem}; this one stays as it is. "
        "What you have paid stays on its bill.",
        {"session_id": path.stem},
        session=path.stem,
        draft=_draft(session, number),
    )


def _draft(session: Session, number: int | None) -> str:
    """What was said at the fork, to be said otherwise."""
    for entry in session.engine.log.entries:
        if entry.id == number and isinstance(entry.event, Prompted):
            return own_words(entry.event.blocks)
    return ""


def _clear(session: Session, _rest: str) -> Shown:
    return Switched(
        f"A new session begins; octochat -r {session.engine.log.id} goes on with this one."
    )


async def _search(session: Session, rest: str) -> Saying:
    if not rest:
        yield Refused('Usage: /search WORDS or "AN EXACT PHRASE"')
        return
    found = await asyncio.to_thread(search, rest)
    yield Report(found_text(found, session.engine.ports.clock()), found_data(found))


def _export(session: Session, rest: str) -> Shown:
    log = session.engine.log
    name = f"octochat-{log.id or 'session'}.md"
    if not rest:
        return Report(f"Export to which file? For example: /export {name}", draft=f"/export {name}")
    folder = Path(session.engine.state.folder or ".")
    path = Path(os.path.normpath(folder / Path(_unquoted(rest)).expanduser()))
    if path.is_dir():
        path /= name
    if not path.parent.is_dir():
        return Refused(f"There is no folder {path.parent}; make it, or name another file.")
    text = harmless(markdown(log.entries, log.id, title(log.entries)))
    try:
        new = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # for its owner alone
    except FileExistsError:
        return Refused(f"{path} exists; name another file.")
    except OSError as error:
        return Refused(f"{path} can't be written: {error.strerror or error}")
    try:
        with os.fdopen(new, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        path.unlink(missing_ok=True)
        return Report(f"{path} can't be written: {error.strerror or error}")
    return Report(f"Exported to {path}", {"file": str(path)})


def _unquoted(name: str) -> str:
    """A file's name as it is meant by one who quotes it as in a shell."""
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "'\""
    return name[1:-1] if quoted else name


def _show(session: Session, rest: str) -> Shown:
    entries = session.engine.log.entries
    number = rest.lstrip("#")
    if not number.isdecimal() or not 1 <= int(number) <= len(entries):
        return Refused(f"Usage: /show NUMBER, 1 to {len(entries)}; /context lists some.")
    return Report(harmless("\n\n".join(entry_markdown(entries[int(number) - 1]))))


def _rename(session: Session, rest: str) -> Shown:
    if not rest:
        return Refused("Usage: /rename TITLE")
    return session.engine.append(Titled(" ".join(rest.split())))


def _first_line(text: str) -> str:
    return harmless(text.strip().partition("\n")[0][:100])


def listing(limit: int = 30) -> str:
    """The sessions that can be gone on with, the last used first, a line each."""
    found = sessions.listed(limit)
    if not found:
        return "There is no session to resume."
    now = time.time()
    return "\n".join(
        f"{each.id}  {ago(each.updated, now):<16} {count(each.turns, 'turn'):>10}  "
        f"{dollars(each.cost):>8}  "
        f"{harmless(each.title)}  ({harmless(each.folder)})"
        for each in found
    )


SESSION_COMMANDS: tuple[Command, ...] = (
    Command("rename", "TITLE", "give the session a name", simple(_rename)),
    Command("clear", "", "begin a new session; this one can be resumed", simple(_clear)),
    Command("fork", "[NUMBER]", "go on in a copy, from before a prompt", simple(_fork)),
    Command("search", "TEXT", "find a text in all sessions", _search),
    Command("show", "NUMBER", "an entry in full: output, note, thinking", simple(_show)),
    Command("export", "FILE", "write the transcript to a Markdown file", simple(_export)),
)
"""Those that both front ends have."""
