"""What changed around a session and the model must know, as events before its next request.

It only ever adds to the conversation: docs/instructions.md#later.
"""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

from octochat.context.session.active_skills import ActiveSkill
from octochat.context.session.asides import Reminded
from octochat.context.session.content import plain_text
from octochat.context.session.events import Event
from octochat.context.session.state import State
from octochat.context.session.tags import REMINDER, tagged
from octochat.context.session.view import Prompt, Step, Unit
from octochat.project.changes import changes
from octochat.project.instructions import InstructionFile, InstructionFiles
from octochat.project.touched_folders import touched_folders
from octochat.session.whereabouts import Whereabouts
from octochat.text.figures import count

IDLE = 3
"""Prompts without a use of a skill after which the model is told that it may forget it."""
_FOLDER = re.compile(r'<[^>\n]* folder="([^"\n]+)"')


class News:
    """The engine's port for it."""

    def __init__(
        self,
        files: InstructionFiles,
        told: Sequence[InstructionFile],
        where: Whereabouts,
        warn: Callable[[str], None],
        servers: Callable[[State], Awaitable[Sequence[Event]]],
    ) -> None:
        """`told` was read at the start, and its troubles told; `warn` hears of later ones.

        `servers` tells what changed with the tools of servers.
        """
        self._files = files
        self._troubles = {trouble for file in told for trouble in file.troubles}
        self._where = where
        self._warn = warn
        self._servers = servers

    async def __call__(self, state: State) -> tuple[Event, ...]:
        """The events; the disk is read in a thread."""
        moved = await self._where.changes(state)
        told = await asyncio.to_thread(self._events, state)
        return (*await self._servers(state), *moved, *told)

    def _events(self, state: State) -> tuple[Event, ...]:
        now = self._now(state)
        for trouble in dict.fromkeys(trouble for file in now for trouble in file.troubles):
            if trouble not in self._troubles:
                self._troubles.add(trouble)
                self._warn(trouble)
        told = changes(state.instructions, {file.file: file.text for file in now})
        return (*told, *reminders(state))

    def _now(self, state: State) -> tuple[InstructionFile, ...]:
        """The files of the start, those told of since, and those of the folders just touched."""
        files = self._files
        start = files.at_start()
        later = (
            Path(os.path.normpath(files.folder / each.file)).parent for each in state.instructions
        )
        touched = touched_folders(state.view, files.folder, files.root)
        places = dict.fromkeys(
            inner for place in (*later, *touched) for inner in files.below(place)
        )
        return (*start, *(file for place in places if (file := files.of(place))))


def reminders(state: State) -> Iterator[Reminded]:
    """That a skill may be forgotten which was of no use for some time; once for each skill."""
    for skill in state.skills:
        if skill.permanent or skill.reminded:
            continue
        unused = _prompts_since_use(skill, state.view.units)
        if unused >= IDLE:
            words = (
                f"The skill {skill.name} was last used {count(unused, 'request')} ago. If its work "
                f'is over, call `skill` with action "forget" and the name {skill.name}.'
            )
            yield Reminded(tagged(REMINDER, words), skill.name)


def _prompts_since_use(skill: ActiveSkill, units: Sequence[Unit]) -> int:
    """How many prompts there are behind the last use of a skill; it was loaded by one, too."""
    note = next((unit for unit in units if unit.id == skill.unit), None)
    said = plain_text(note.blocks) if note and not isinstance(note, Step) else ""
    folder = found[1] if (found := _FOLDER.match(said)) else ""
    since = 0
    for unit in reversed(units):
        if unit.id == skill.unit or (isinstance(unit, Step) and _uses(unit, skill.name, folder)):
            break
        since += isinstance(unit, Prompt)
    return since


def _uses(step: Step, name: str, folder: str) -> bool:
    """Whether a step reads or runs something of the skill, or takes it up again."""
    values = (str(value) for call in step.calls for value in call.arguments.values())
    return any(value == name or (folder and folder in value) for value in values)
