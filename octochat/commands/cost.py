"""`/max-cost` and `/profile`: what the session may cost, told and changed while it is open."""

from collections.abc import Iterator, Mapping

from octochat.commands.base import Command, Refused, Report, Shown, simple
from octochat.commands.cost_text import cost_report
from octochat.config.profiles import PROFILES, ProfileName
from octochat.models.catalogue import uncapped
from octochat.session.session import Session
from octochat.text.figures import amount, dollars, tokens

NONE = "none"
MEANS: Mapping[ProfileName, str] = {
    "careful": "keeps most",
    "balanced": "in between",
    "thrifty": "pays least",
}
HOLDS = "This lasts until you leave octochat; to keep it, set `max_cost` in the configuration."


def _max_cost(session: Session, rest: str) -> Shown:
    engine = session.engine
    if not rest:
        return Report(
            _standing(session, f"To change that: /max-cost DOLLARS, or /max-cost {NONE}.")
        )
    limit = 0.0 if rest == NONE else amount(rest)
    if limit is None:
        return Refused(f"Usage: /max-cost [DOLLARS | {NONE}]")
    engine.max_cost = limit
    unpriced = uncapped(session.known(engine.state.model), limit)
    return Report(_standing(session, unpriced or HOLDS))


def _standing(session: Session, more: str) -> str:
    spent, limit = session.engine.state.ledger.total_cost, session.engine.max_cost
    if not limit:
        allowed = "there is no limit"
    elif spent < limit:
        allowed = f"octochat stops calling the model at {dollars(limit)}"
    else:
        allowed = f"the limit is {dollars(limit)}, so octochat makes no more calls"
    return f"The session has cost {dollars(spent)}; {allowed}. {more}"


def _profile(session: Session, rest: str) -> Shown:
    if not rest:
        return Report("\n".join(_profiles(session)), {"profile": session.config.profile})
    names: Mapping[str, ProfileName] = {name: name for name in PROFILES}
    name = names.get(rest)
    if name is None:
        return Refused(f"Usage: /profile [{' | '.join(PROFILES)}]")
    session.use_profile(name)
    return Report(
        f"The profile is {name}. This lasts until you leave octochat; to keep it, set `profile` in "
        "the configuration."
    )


def _profiles(session: Session) -> Iterator[str]:
    own = session.config.profile
    yield f"The profile is {own}. To change it for this session: /profile NAME."
    for name in PROFILES:
        yield f"{'*' if name == own else ' '} {name}: {profile_line(name)}"
    yield "What you set yourself in the configuration holds with every profile. /whatif compares."


def profile_line(name: ProfileName) -> str:
    """What a profile means, on one line."""
    means = MEANS[name]
    compression, recall = PROFILES[name]["compression"], PROFILES[name]["recall"]
    levels = ", ".join(
        f"{tokens(each.threshold)} ({each.target_ratio:g}x)"
        for each in compression["pressure_levels"]
    )
    notes = tokens(compression["note_max_tokens"])
    return (
        f"{means}; compresses from {levels}; notes of up to {notes}; "
        f"recalls up to {tokens(recall['tokens'])}"
    )


COST_COMMANDS: tuple[Command, ...] = (
    Command("cost", "", "what the session has cost, by model", simple(cost_report), at_once=True),
    Command("max-cost", f"[DOLLARS | {NONE}]", "what the session may cost", simple(_max_cost)),
    Command(
        "profile",
        f"[{' | '.join(PROFILES)}]",
        "how much to keep and how much to pay",
        simple(_profile),
        options=tuple(PROFILES),
    ),
)
"""Those that both front ends have."""
