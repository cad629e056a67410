"""`/trust`: what the project's own configuration wants, and the person's answer to it."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from octochat.commands.base import Command, Refused, Report, Shown, simple
from octochat.config.load import (
    ANSWERS,
    VARIABLE,
    ConfigError,
    Loaded,
    load,
    project_file,
    user_file,
)
from octochat.config.project_trust import Answers, Claim
from octochat.session.session import Session
from octochat.text.harmless import one_line

USAGE = "/trust [yes NUMBER | no]"
_LONGEST = 4_000
"""Characters of the file that are shown."""


def _trust(session: Session, rest: str) -> Shown:
    folder = Path(session.engine.state.folder)
    project = project_file(folder)
    for name, file in (("--config", session.config_flag), (VARIABLE, os.environ.get(VARIABLE))):
        if file:
            return Report(f"{name} names the only file that counts: {file}")
    try:
        loaded = load(folder)
        own = Claim(project, loaded.digest, loaded.left_out)
        answer = rest.split()
        if answer:
            return _answered(answer, (own, *session.claims()))
        claims = session.claims()
        shown = _shown(loaded, project) if loaded.left_out or not claims else ()
        return Report("\n".join((*shown, *(line for each in claims for line in _claimed(each)))))
    except (ConfigError, OSError) as error:
        return Refused(str(error))


def _answered(answer: list[str], claims: Sequence[Claim]) -> Shown:
    """Remember what the person says to the file whose number it is, or to all of them."""
    said = [each for each in claims if answer in (["yes", each.number], ["no"])]
    if not said:
        return Refused(f"Usage: {USAGE}; /trust shows the number, which goes with the content.")
    yes = answer[0] == "yes"
    for each in said:
        Answers(user_file().with_name(ANSWERS)).remember(each.file, each.digest, trusted=yes)
    took = "taken from the next start on" if yes else "not taken, and not told"
    return Report("\n".join(f"{each.file} is {took}, until it changes." for each in said))


def _claimed(claim: Claim) -> Iterator[str]:
    """What a file beside the project's configuration wants."""
    yield f"{claim.file} wants to run or allow, and nobody has trusted it:"
    yield from (f"  {one_line(line)}" for line in claim.wants)
    yield (
        f"/trust yes {claim.number} takes it from the next start on; /trust no does not, and is "
        "quiet. Either holds until the file, or a script that it names, changes."
    )


def _shown(loaded: Loaded, project: Path) -> Iterator[str]:
    if not loaded.left_out:
        yield "Nothing of this folder's configuration is left out."
        return
    yield f"{project} says more than a project may say by itself. Not taken:"
    yield from (f"  {key}" for key in loaded.left_out)
    yield "The file:"
    text = project.read_text(encoding="utf-8", errors="replace")
    if len(text) > _LONGEST:
        yield f"  (its first {_LONGEST:,} of {len(text):,} characters; open it to see the rest)"
        text = text[:_LONGEST]
    yield from (f"  {one_line(line)}" for line in text.splitlines())
    yield (
        f"/trust yes {loaded.digest[:8]} takes all of it from the next start on; /trust no does "
        "not, and is quiet. Either holds until the file changes."
    )


TRUST_COMMANDS: tuple[Command, ...] = (
    Command(
        "trust",
        "[yes NUMBER | no]",
        "what this folder's own configuration wants, and whether to take it",
        simple(_trust),
        options=("yes", "no"),
    ),
)
"""Those that both front ends have."""
