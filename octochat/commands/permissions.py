"""`/permissions`: what may run without a question, and taking back what an answer has allowed."""

from collections.abc import Iterator

from octochat.commands.base import Command, Refused, Report, Shown, simple
from octochat.permissions.modes import words
from octochat.permissions.rule import Rule
from octochat.session.sandboxing import told_to_person
from octochat.session.session import Session

USAGE = "Usage: /permissions [drop NUMBER]"


def _permissions(session: Session, rest: str) -> Shown:
    word, _, number = rest.partition(" ")
    if not rest:
        return Report("\n".join(_listing(session)))
    permissions = session.dials.permissions
    granted = permissions.granted
    if word != "drop" or not number.strip().isdecimal():
        return Refused(USAGE)
    if not 1 <= int(number) <= len(granted):
        return Refused(f"There is no rule {number.strip()}; /permissions lists them.")
    gone = granted[int(number) - 1]
    try:
        permissions.take_back(gone)
    except (OSError, ValueError) as error:
        return Report(f"{gone.rule} could not be taken back: {error}")
    return Report(f"Taken back: {gone.rule}. octochat asks about that again.")


def _listing(session: Session) -> Iterator[str]:
    permissions = session.dials.permissions
    rules, granted = permissions.rules, permissions.granted
    yield f"Mode: {words(permissions.mode)}. /mode changes it."
    yield told_to_person(session.sandbox)
    if granted:
        yield "You allowed:"
        for number, each in enumerate(granted, 1):
            lasts = "always, in this folder" if each.lasting else "until octochat ends"
            yield f"{number:>3}  {each.rule}  ({lasts})"
        yield "/permissions drop NUMBER takes one back."
    else:
        yield "You have allowed nothing for longer than once."
    answers = [each.rule for each in granted]
    given = [rule for rule in rules.allow if rule not in answers]
    for title, some in (("Allowed", given), ("Asked about", rules.ask), ("Denied", rules.deny)):
        yield from _set(title, some)


def _set(title: str, rules: "tuple[Rule, ...] | list[Rule]") -> Iterator[str]:
    """What the configuration and the command line say."""
    if rules:
        yield f"{title} by the configuration or the command line: {', '.join(map(str, rules))}"


PERMISSION_COMMANDS: tuple[Command, ...] = (
    Command(
        "permissions",
        "[drop NUMBER]",
        "what runs without a question, and taking that back",
        simple(_permissions),
        options=("drop",),
        at_once=True,
    ),
)
"""Those that both front ends have."""
