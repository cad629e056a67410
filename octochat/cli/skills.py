"""`octochat skills`: the skills that are found in this folder, and what is odd about them."""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from platformdirs import user_config_path

from octochat.project.root import root_of
from octochat.skills.catalogue import described
from octochat.skills.skills import Skills, discover, places
from octochat.text.exit_codes import FAILED, OK
from octochat.text.figures import count
from octochat.text.harmless import one_line

ACTIONS = ("list", "check")


def main(words: Sequence[str]) -> int:
    """Print what was found; returns the exit code: 1 where `check` finds a skill left out."""
    said = parser().parse_args(words)
    folder = Path(os.path.realpath("."))
    root = root_of(folder)
    found = discover(places(folder, user_config_path("octochat"), root), root)
    if said.action == "list":
        print("\n".join(one_line(described(skill)) for skill in found.skills))
        return OK
    print("\n".join(checked(found)))
    return FAILED if found.left_out else OK


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat skills`."""
    made = argparse.ArgumentParser(
        "octochat skills",
        description="The skills that octochat finds in this folder. `check` says what is odd about "
        "them, and why one was left out.",
        epilog="Exit codes: 0 fine, 1 a skill was left out, 2 wrong arguments.",
    )
    made.add_argument(
        "action",
        nargs="?",
        choices=ACTIONS,
        default="list",
        metavar="ACTION",
        help=" or ".join(ACTIONS) + " (default: list)",
    )
    return made


def checked(found: Skills) -> Iterator[str]:
    """What is odd, a line for the file and one for each thing; at last how many there are."""
    for skill in found.skills:
        if skill.oddities:
            yield f"{one_line(skill.name)}, usable: {one_line(str(skill.folder))}"
            yield from (f"  {one_line(oddity)}" for oddity in skill.oddities)
    for each in found.left_out:
        yield f"left out: {one_line(str(each.file))}"
        yield f"  {one_line(each.why)}"
    for skill in found.hidden:
        first = found.get(skill.name)
        yield f"not used: {one_line(str(skill.folder))}"
        yield f"  {one_line(str(first.folder if first else ''))} has the same name and comes first"
    odd = sum(bool(skill.oddities) for skill in found.skills)
    yield f"{count(len(found.skills), 'skill')}, {odd} of them odd; {len(found.left_out)} left out."
