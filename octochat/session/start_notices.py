"""What a person should know at the start of the instructions and skills that are found."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from octochat.config.load import Loaded
from octochat.project.instructions import InstructionFile
from octochat.project.root import root_of
from octochat.skills.command_files import CustomCommands
from octochat.skills.skills import Skills
from octochat.text.figures import count
from octochat.text.harmless import one_line

TROUBLES = 3
"""Lines on what could not be taken; more are counted."""


def odd(found: CustomCommands) -> Iterator[str]:
    """What is odd about custom commands; they work all the same."""
    yield from found.troubles[:TROUBLES]
    if len(found.troubles) > TROUBLES:
        yield f"{count(len(found.troubles) - TROUBLES, 'more command')} could not be taken so."


def start_notices(
    instructions: Sequence[InstructionFile], skills: Skills, loaded: Loaded, folder: Path
) -> Iterator[str]:
    """One line each: whose instructions count here, what was not taken, what is odd."""
    root = root_of(folder)
    if not (loaded.trusts(folder) or loaded.trusts(root)):
        taken = [one_line(each.file) for each in instructions if each.text and not each.mine]
        own = [skill for skill in skills.skills if skill.folder.is_relative_to(root)]
        if own:
            taken.append(count(len(own), "skill"))
        if taken:
            yield (
                f"The model is told what this folder wants of it: {', '.join(taken)}. If you trust "
                "it, add it to permissions.trusted_folders, and this line goes."
            )
    troubles = [trouble for each in instructions for trouble in each.troubles]
    yield from troubles[:TROUBLES]
    if len(troubles) > TROUBLES:
        yield f"{count(len(troubles) - TROUBLES, 'more file')} could not be taken as they are."
    if skills.summary:
        yield skills.summary
