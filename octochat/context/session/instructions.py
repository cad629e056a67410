"""Which instructions hold in a session: those in its system prompt, and what was told since."""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from octochat.context.session.asides import Instructed
from octochat.context.session.edits import UnitId
from octochat.context.session.tags import INSTRUCTIONS, tagged

_FRAMED = re.compile(rf'<{INSTRUCTIONS} file="([^"\n]*)">\n(.*?)\n</{INSTRUCTIONS}>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Instructions:
    """What one file says, as the model knows it."""

    file: str
    """As the model is told it."""
    text: str
    """All of it; empty where the file is gone since."""
    opened: bool = False
    """It stands in the system prompt, as it was then."""
    units: tuple[UnitId, ...] = ()
    """The notes that the model needs to know it; those before are out of date."""
    changes: int = 0
    """Characters of the changes among them."""


Standing = tuple[Instructions, ...]
"""In the order in which they came into play."""


def framed(file: str, text: str) -> str:
    """The instructions of a file as the model reads them."""
    return tagged(INSTRUCTIONS, text, {"file": file})


def opened_with(system: str) -> Standing:
    """The instructions that stand in a system prompt."""
    return tuple(
        Instructions(html.unescape(file), text, opened=True)
        for file, text in _FRAMED.findall(system)
    )


def instructed(standing: Standing, unit: UnitId, event: Instructed) -> Standing:
    """The instructions after one more event, whose note is `unit`."""
    had = next((each for each in standing if each.file == event.file), Instructions(event.file, ""))
    others = tuple(each for each in standing if each.file != event.file)
    if event.change == "removed" and not had.opened:
        return others
    now = replace(
        had,
        text=event.now,
        units=(*had.units, unit) if event.partly else (unit,),
        changes=had.changes + len(event.text) if event.partly else 0,
    )
    if had not in standing:
        return (*standing, now)
    return tuple(now if each is had else each for each in standing)


def after_task(standing: Standing) -> Standing:
    """What holds after `/done`: what came into play later is told again where it matters."""
    return tuple(each for each in standing if each.opened)


def units_of(standing: Iterable[Instructions]) -> frozenset[UnitId]:
    """The notes that the model needs to know them all."""
    return frozenset(unit for each in standing for unit in each.units)
