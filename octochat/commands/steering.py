"""`/mode`, `/plan` and `/effort`: how much is asked, what is planned first, how hard is worked."""

from contextlib import aclosing

from octochat.commands.base import Command, Report, Saying, Shown, simple
from octochat.context.session.content import Text
from octochat.context.session.steering import Effort
from octochat.permissions.modes import Mode, words
from octochat.session.session import Session

GO = "Carry out the plan."
"""What is said for a plan that was accepted as it is."""
MEANS: dict[Mode, str] = {
    "plan": "reads and asks, changes nothing, and ends with a plan",
    "ask": "asks before it changes files or runs commands",
    "accept-edits": "changes files in the working folder; asks about commands",
    "allow-all": "asks nothing; only rules that deny hold",
    "read-only": "writes and runs nothing; octochat was started with --read-only",
}
"""What octochat does in a mode."""


def _mode(session: Session, rest: str) -> Shown:
    dials = session.dials
    if not rest:
        rows = (
            f"{'*' if each == dials.mode else ' '} {words(each):<12}  {MEANS[each]}"
            for each in dials.modes
        )
        return Report("\n".join((*rows, "/mode NAME or Shift+Tab changes it.")))
    wanted = rest.lower().replace(" ", "-")
    named: dict[str, Mode] = {each: each for each in dials.modes}
    if chosen := named.get(wanted):
        dials.permissions.mode = chosen
        return Report(f"Mode: {words(chosen)}. octochat {MEANS[chosen]}.")
    if wanted == "allow-all" and dials.mode != "read-only":
        return Report("For that, start octochat with --allow-all.")
    return Report(f"There is no mode {rest} here. There are: {', '.join(map(words, dials.modes))}.")


async def _plan(session: Session, rest: str) -> Saying:
    if session.dials.mode == "read-only":
        yield Report(f"octochat {MEANS['read-only']}.")
        return
    word, _, text = rest.partition(" ")
    accepted: dict[str, Mode] = {"go": "ask", "edits": "accept-edits"}
    mode = accepted.get(word, "plan")
    said = text.strip() or GO if word in accepted else rest
    session.dials.permissions.mode = mode
    if mode == "plan":
        yield Report(f"Mode: plan. octochat {MEANS['plan']}.")
    if not said:
        return
    async with aclosing(session.engine.turn((Text(said),))) as turn:
        async for item in turn:
            yield item


def _effort(session: Session, rest: str) -> Shown:
    dials, state = session.dials, session.engine.state
    offered = dials.efforts(state)
    now = dials.effective(state)
    if not offered:
        return Report(_fixed(state.model, now, takes=bool(session.known(state.model).efforts)))
    if not rest:
        return Report(f"Effort: {now or 'as the model likes'}. /effort {' | '.join(offered)}")
    named: dict[str, Effort] = {each: each for each in offered}
    if chosen := named.get(rest.lower()):
        dials.effort = chosen
        return Report(f"Effort: {chosen}.")
    return Report(f"There is no effort {rest}. There are: {', '.join(offered)}.")


def _fixed(model: str, now: Effort | None, *, takes: bool) -> str:
    """Why no effort can be chosen."""
    if not takes:
        return f"{model} can't be told how hard to work."
    is_now = f"It is {now}." if now else "It works as it likes."
    return f"{model} takes an effort only before the first request of a session. {is_now}"


STEERING_COMMANDS: tuple[Command, ...] = (
    Command(
        "mode",
        "[NAME]",
        "how much is asked: plan, ask, accept edits",
        simple(_mode),
        options=("plan", "ask", "accept-edits", "allow-all"),
        at_once=True,
    ),
    Command(
        "plan",
        "[go | edits] [TEXT]",
        "plan first; then carry it out, asking, or accepting edits",
        _plan,
        options=("go", "edits"),
    ),
    Command(
        "effort",
        "[low | medium | high | max]",
        "how hard the model works",
        simple(_effort),
        options=("low", "medium", "high", "max"),
        at_once=True,
    ),
)
"""Those that both front ends have."""
