"""What the model is told of where it is: at the start, and later what of it has changed.

The start's facts are a section of the system prompt, which stays as it is; changes are appended
(docs/instructions.md#where-it-is). What the model knows is what stands in its context, so nothing
else is remembered of it.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from octochat.context.session.asides import Reminded
from octochat.context.session.content import plain_text
from octochat.context.session.state import State
from octochat.context.session.system_sections import system_sections
from octochat.context.session.tags import REMINDER, escaped, tagged, untagged
from octochat.context.session.view import Note, View
from octochat.permissions.ask import Permissions
from octochat.permissions.refusals import without_asking
from octochat.project.surroundings import surroundings
from octochat.sandbox.sandbox import Sandbox
from octochat.text.harmless import one_line

PAUSE = 3_600
"""Seconds without a call after which it is looked again."""
TITLE = "Where you are"
_CHANGED = "Where you are has changed:"
_DATE = "Date"
_SANDBOX = "Sandbox"
_NO_SANDBOX = "none any more: commands run as the person's own do"
Facts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """What is fixed for a session."""

    folder: Path
    """The working folder, canonical."""
    root: Path
    """The repository's root, or the folder itself."""
    scratch: Path
    """The scratch folder, canonical."""
    env: Mapping[str, str]
    """What programs see as their environment."""
    answered: bool
    """Somebody can be asked for permission."""
    sandbox: Sandbox | None = None
    """Where commands run; None: as octochat itself does."""


class Whereabouts:
    """Looks around, and tells what is new."""

    def __init__(self, place: Place, permissions: Permissions, clock: Callable[[], float]) -> None:
        """`clock` tells seconds since the epoch."""
        self._place = place
        self._permissions = permissions
        self._clock = clock
        self._ahead: Future[Facts] | None = None
        self._seen: float | None = None
        self._found: Facts = {}

    def look_ahead(self) -> None:
        """Begin to look around, in the background."""
        pool = ThreadPoolExecutor(1)
        self._ahead = pool.submit(self._look)
        pool.shutdown(wait=False)

    def section(self) -> str:
        """The section of a new session's system prompt."""
        return f"# {TITLE}\n\n{_lines(self._now())}"

    async def changes(self, state: State) -> tuple[Reminded, ...]:
        """What has changed, where it is time to look again."""
        if not self._due(state):
            return ()
        now = await asyncio.to_thread(self._now)
        known = told(state.view)
        if _SANDBOX in known:
            now = {_SANDBOX: _NO_SANDBOX, **now}
        changed = {name: fact for name, fact in now.items() if known.get(name) != fact}
        if not changed:
            return ()
        return (Reminded(tagged(REMINDER, f"{_CHANGED}\n\n{_lines(changed)}")),)

    def _due(self, state: State) -> bool:
        """Whether the session is resumed, was idle, lost a note of it, or a day has begun."""
        if self._seen is None:
            return True
        known = told(state.view)
        lost = any(known.get(name) != fact for name, fact in self._found.items())
        idle = self._clock() - max(self._seen, state.ledger.last_call or 0.0) >= PAUSE
        return lost or idle or known.get(_DATE) != self._date()

    def _now(self) -> Facts:
        """The facts; those that were looked up ahead serve once."""
        self._seen = self._clock()
        ahead, self._ahead = self._ahead, None
        self._found = ahead.result() if ahead else self._look()
        return self._found

    def _look(self) -> Facts:
        place = self._place
        facts = {
            "Working folder": str(place.folder),
            _DATE: self._date(),
            **surroundings(place.folder, place.root, place.env),
            "Scratch folder": f"{place.scratch} (yours alone, outside the repository)",
            **dict(self._permitted()),
        }
        return {name: escaped(one_line(fact)) for name, fact in facts.items()}

    def _date(self) -> str:
        return datetime.fromtimestamp(self._clock()).astimezone().strftime("%Y-%m-%d (%A)")

    def _permitted(self) -> Iterator[tuple[str, str]]:
        """Whatever the mode, of which the model is told when it changes."""
        rules = self._permissions.rules
        yield "Without asking", "; ".join(without_asking(rules, "ask"))
        if within := _enclosed(self._place.sandbox):
            yield _SANDBOX, within
        if rules.deny:
            yield "Never", ", ".join(map(str, rules.deny))
        if self._place.answered:
            yield "Questions", "the person is there and answers"
        else:
            yield "Questions", "nobody can be asked in this run: try no variants of a refused call"


def told(view: View) -> Facts:
    """What the model knows of it, from its context."""
    section = next((text for title, text in system_sections(view.system) if title == TITLE), "")
    texts = (section, *(untagged(plain_text(note.blocks)) for note in _notes(view)))
    lines = (line.partition(": ") for text in texts for line in text.split("\n"))
    return {name: fact for name, colon, fact in lines if colon}


def _notes(view: View) -> Iterator[Note]:
    for unit in view.units:
        if isinstance(unit, Note) and unit.kind == "reminder" and _tells_changes(unit):
            yield unit


def _tells_changes(note: Note) -> bool:
    return untagged(plain_text(note.blocks)).startswith(_CHANGED)


def _lines(facts: Facts) -> str:
    return "\n".join(f"{name}: {fact}" for name, fact in facts.items())


def _enclosed(sandbox: Sandbox | None) -> str:
    """What the model has to know of the sandbox; empty where commands run as octochat does."""
    if sandbox is None or not sandbox.on:
        return ""
    reach = "the network is there" if sandbox.settings.network else "there is no network"
    asked = "" if sandbox.settings.network else "commands in it are not asked about; "
    return (
        f"bash runs in one: only the working folder, the scratch folder and a /tmp of its own can "
        f"be written, what decides what runs (.git/hooks, .vscode, ...) can't; {reach}; secrets "
        f"(.env files, ~/.ssh, ...) look empty, other processes are not there; {asked}"
        "outside: true with a reason asks the person"
    )
