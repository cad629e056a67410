"""Pictures and PDFs that a prompt names with an `@`: they are sent along with it.

The words stay as they are, so that the transcript and the model see which file is meant.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from octochat.context.session.content import Said, Text
from octochat.mcp.answer import Room, resources
from octochat.session.session import Session
from octochat.storage.sessions import spill_folder
from octochat.tools.base import Tool, ToolError
from octochat.tools.limits import Spill
from octochat.tools.read import Read

SENT = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"})
"""Endings of files that a model sees as what they are; others it reads with its tool."""
_A_FILE = re.compile(r"(?:~[\w-]*|\.\.?)?/.*|.*(?:\.\w{1,4}|/)")
"""What can only be a path, and no `@decorator`, `@types/node` or name of a person."""
_LINES = re.compile(r"[:#]L?\d[\dL-]*\Z")
"""Which lines of a file are meant."""
_TOLD = 3
"""Files that are told by name."""


@dataclass(frozen=True, slots=True)
class Attachments:
    """What goes with a prompt."""

    blocks: tuple[Said, ...] = ()
    troubles: tuple[str, ...] = ()
    """Why a file does not, one line each."""


async def read_attachments(session: Session, names: Sequence[str]) -> Attachments:
    """The pictures and PDFs among the files, within the limits of the read tool."""
    tool = next((tool for tool in session.tools if isinstance(tool, Read)), None)
    blocks: list[Said] = []
    troubles: list[str] = []
    if tool is None:
        return Attachments()
    folder = Path(session.engine.state.folder)
    for path in _files(folder, names):
        try:
            blocks += await _read(tool, str(path))
        except ToolError as error:
            troubles.append(f"{error} The file was not sent.")
    for name in names:
        try:
            blocks += await _resource(session, name)
        except ToolError as error:
            troubles.append(f"{error} The resource was not sent.")
    servers = session.servers.settings if session.servers else ()
    files = (name for name in names if name.partition(":")[0] not in servers)
    return Attachments(tuple(blocks), (*troubles, *_missing(folder, files)))


async def _resource(session: Session, name: str) -> tuple[Said, ...]:
    """What stands behind `SERVER:ADDRESS`; nothing where no server is called so."""
    server, _, address = name.partition(":")
    if not session.servers or not address or server not in session.servers.settings:
        return ()
    given = await session.servers.read(server, address)
    model = session.known(session.engine.state.model)
    spill = Spill(spill_folder(session.engine.log.id))
    room = Room(session.config.tools, spill, lambda: model.pictures)
    return resources(given.contents, server, room)


def _files(folder: Path, names: Iterable[str]) -> Sequence[Path]:
    places = filter(None, (_place(folder, name) for name in names))
    return [path for path in places if path.suffix.lower() in SENT and path.is_file()]


def _place(folder: Path, name: str) -> Path | None:
    """What is called so, if it is there."""
    try:
        place = folder / Path(name).expanduser()
        return place if place.exists() else None
    except (OSError, RuntimeError):  # the name is too long; the home of nobody
        return None


def _missing(folder: Path, names: Iterable[str]) -> Sequence[str]:
    """A line about files that are not there, if there are any."""
    called = (_LINES.sub("", name) for name in names)
    lost = [name for name in called if _is_path(folder, name) and not _place(folder, name)]
    if not lost:
        return ()
    more = f" and {len(lost) - _TOLD} more" if len(lost) > _TOLD else ""
    said = ", ".join(lost[:_TOLD]) + more
    return (f"There is no file {said}. Your message went as it is.",)


def _is_path(folder: Path, name: str) -> bool:
    """Whether a name can only be meant as a path."""
    first, slash, _ = name.partition("/")
    return bool(_A_FILE.fullmatch(name) or (slash and _place(folder, first)))


async def _read(tool: Tool, path: str) -> tuple[Said, ...]:
    arguments = {"file_path": path}
    output = await tool.run(arguments, tool.access(arguments), lambda _: None)
    return tuple(block for block in output.content if not isinstance(block, Text))
