"""How a session begins: what it was asked for, its first entries, and its system prompt."""

import os
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from octochat.config.load import Loaded
from octochat.context.session.events import Entry, ModelChanged, Opened, SkillLoaded
from octochat.context.session.instructions import framed
from octochat.context.session.state import surviving
from octochat.models.catalogue import ModelInfo
from octochat.models.names import bare
from octochat.models.offline import NAME as OFFLINE
from octochat.models.provider import Lack
from octochat.models.routing import Routed
from octochat.models.tokens.ruler import Ruler
from octochat.project.instructions import InstructionFile
from octochat.session.options import Options
from octochat.session.start_notices import start_notices
from octochat.session.whereabouts import Whereabouts
from octochat.skills.catalogue import SHARE, skills_section
from octochat.skills.skills import Skills, from_environment, skill_text
from octochat.storage.log import Log
from octochat.tools.base import Tool

_ABOUT = """\
# Instructions

What the person and the project want of all work here. Where two differ, the later one counts. \
octochat adds those of a folder when you first work in it, and says when a file has changed.\
"""


def begin(
    log: Log,
    options: Options,
    loaded: Loaded,
    *,
    skills: Skills,
    instructions: Sequence[InstructionFile],
    tools: tuple[Tool, ...],
    folder: Path,
    where: Whereabouts,
    ruler: Ruler,
    known: Callable[[str], ModelInfo],
    models: Routed,
) -> tuple[str, ...]:
    """Open a new session, or say what is different about a resumed one."""
    wanted = bare(options.model or "")
    notices = [*loaded.notices, *start_notices(instructions, skills, loaded, folder)]
    if log.repaired:
        notices.append(log.repaired)
    _, own = models_of(log.entries)
    model = wanted or own or bare(loaded.config.model)
    if not log.entries:
        specs = tuple(tool.spec for tool in tools)
        ruler.model = model
        told = skills_section(skills.for_model, SHARE * known(model).window, ruler.text)
        system = system_prompt(where.section(), instructions, told)
        log.append(Opened(model, system, specs, str(folder)))
        permanent, warnings = from_environment(os.environ, skills)
        notices += warnings
        for skill in permanent:
            log.append(SkillLoaded(skill.name, skill_text(skill), permanent=True))
    notices += go_on_with(log, model, models.lack(model), ruler)
    return tuple(notices)


def models_of(entries: Sequence[Entry]) -> tuple[str, str]:
    """The model that answers now, and the one that somebody chose; empty before the opening."""
    now = chosen = ""
    for entry in surviving(entries):
        match entry.event:
            case ModelChanged(model=name, only_now=True):
                now = name
            case Opened(model=name) | ModelChanged(model=name):
                now = chosen = name
            case _:
                pass
    return now, chosen


def go_on_with(log: Log, model: str, lack: Lack | None, ruler: Ruler) -> Iterator[str]:
    """Take this model from here on, or the offline one if it lacks something; tells what is new."""
    before, chosen = models_of(log.entries)
    now = OFFLINE if lack else model
    if now != before or (not lack and model != chosen):
        log.append(ModelChanged(now, ruler.scale(before, now), only_now=lack is not None))
    if lack:
        yield offline_notice(lack)


def offline_notice(lack: Lack) -> str:
    """That the offline model answers, and why."""
    return (
        f"{lack.what}, so the offline model answers this time: everything works except the "
        f"intelligence. {lack.remedy}"
    )


def system_prompt(
    where: str, instructions: Sequence[InstructionFile] = (), skills: str = ""
) -> str:
    """The system prompt, built once per session. `where` and `skills` are sections of it."""
    parts = (_how_to_work(), where, _instructions(instructions), skills)
    return "\n\n".join(part for part in parts if part)


def _how_to_work() -> str:
    return (files("octochat.session") / "system.md").read_text(encoding="utf-8").strip()


def _instructions(files: Sequence[InstructionFile]) -> str:
    told = [framed(each.file, each.text) for each in files if each.text]
    return "\n\n".join((_ABOUT, *told)) if told else ""
