"""`/trust`: what the project's own configuration wants, and the person's answer to it."""

from collections.abc import Iterator
from pathlib import Path

from octochat.commands.base import Command, Refused, Report, Shown, simple
from octochat.config.load import ANSWERS, ConfigError, Loaded, load, project_file, user_file
from octochat.config.project_trust import Answers
from octochat.session.session import Session
from octochat.text.harmless import one_line

USAGE = "/trust [yes NUMBER | no]"
_LONGEST = 4_000
"""Characters of the file that are shown."""


def _trust(session: Session, rest: str) -> Shown:
    folder = Path(session.engine.state.folder)
    project = project_file(folder)
    if session.config_flag:
        return Report(f"--config names the only file that counts: {session.config_flag}")
    try:
        loaded = load(folder)
        answer = rest.split()
        if answer in (["yes", _short(loaded)], ["no"]):
            yes = answer[0] == "yes"
            Answers(user_file().with_name(ANSWERS)).remember(project, loaded.digest, trusted=yes)
            took = "taken from the next start on" if yes else "not taken, and not told"
            return Report(f"{project} is {took}, until it changes.")
        if answer:
            return Refused(f"Usage: {USAGE}; /trust shows the number, which goes with the content.")
        return Report("\n".join(_shown(loaded, project)))
    except (ConfigError, OSError) as error:
        return Refused(str(error))


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
        f"/trust yes {_short(loaded)} takes all of it from the next start on; /trust no does not, "
        "and is quiet. Either holds until the file changes."
    )


def _short(loaded: Loaded) -> str:
    """The beginning of the digest: who says yes has seen this content."""
    return loaded.digest[:8]


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
