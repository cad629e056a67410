"""What may follow a command, for a front end that lets the person choose it from a list."""

from collections.abc import Iterator
from dataclasses import dataclass

from octochat.commands.cost import profile_line
from octochat.commands.going_back import first_line
from octochat.commands.models import offered_models, price_line
from octochat.commands.steering import MEANS
from octochat.config.profiles import PROFILES
from octochat.context.session.steering import Effort
from octochat.permissions.modes import words
from octochat.session.session import Session
from octochat.storage.fork import prompts
from octochat.text.figures import clock

EFFORTS: dict[Effort, str] = {
    "low": "quick and cheap, for small things",
    "medium": "less thinking than usual",
    "high": "thinks as long as it takes",
    "max": "thinks longest and costs most",
}


@dataclass(frozen=True, slots=True)
class Pick:
    """One thing to choose."""

    value: str
    """What is said after the command's name."""
    label: str
    help: str = ""
    current: bool = False
    """It holds now."""


@dataclass(frozen=True, slots=True)
class Picks:
    """A question, and what may be chosen."""

    title: str
    rows: tuple[Pick, ...]


TITLES = {
    "model": "Which model? Prices are for a million tokens",
    "effort": "How hard is the model to work?",
    "mode": "How much is asked?",
    "profile": "How much to keep, and how much to pay?",
    "skill": "Which skill?",
    "rewind": "Back to before which prompt?",
}
"""The commands that let the person choose, and what they ask."""


def picks_of(session: Session, command: str) -> Picks | None:
    """What may follow a command; None where nothing is to be chosen."""
    rows = tuple(_rows(session, command)) if command in TITLES else ()
    return Picks(TITLES[command], rows) if rows else None


def _rows(session: Session, command: str) -> Iterator[Pick]:
    match command:
        case "model":
            own = session.engine.state.model
            for model in offered_models(session):
                told = price_line(session, model)
                yield Pick(model.name, model.name, told, model.name == own)
        case "effort":
            state, dials = session.engine.state, session.dials
            now = dials.effective(state)
            for effort in dials.efforts(state):
                yield Pick(effort, effort, EFFORTS.get(effort, ""), effort == now)
        case "mode":
            for mode in session.dials.modes:
                yield Pick(mode, words(mode), MEANS[mode], mode == session.dials.mode)
        case "profile":
            for profile in PROFILES:
                own = session.config.profile
                yield Pick(profile, profile, profile_line(profile), profile == own)
        case "skill":
            active = {skill.name for skill in session.engine.state.skills}
            for skill in session.skills.skills:
                order = "forget" if skill.name in active else "use"
                named = f"{order} {skill.name}"
                yield Pick(named, skill.name, skill.description, skill.name in active)
        case "rewind":
            log = session.engine.log.entries
            for number, text in reversed(prompts(log)):
                at = clock(log[number - 1].at)
                yield Pick(str(number), f"{at}  {first_line(text)}")
        case _:
            return
