"""Which custom commands of a project may run commands and allow tools: those that are trusted.

Source: docs/custom-commands.md#commands-of-a-project.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from octochat.config.load import ANSWERS, Loaded, user_file
from octochat.config.project_trust import Answers, Claim, digest_of
from octochat.skills.command_file import CustomCommand
from octochat.skills.command_files import (
    CustomCommands,
    find_commands,
    own_places,
    project_places,
)
from octochat.skills.template import lines


@dataclass(frozen=True, slots=True)
class TrustedCommands:
    """Custom commands, each as far as it is trusted."""

    found: CustomCommands
    claims: tuple[Claim, ...] = ()
    notices: tuple[str, ...] = ()
    """What a person should know of them, one line each."""


def commands_here(loaded: Loaded, folder: Path, root: Path) -> TrustedCommands:
    """The custom commands for working in `folder`, canonical, of the repository `root`."""
    own = own_places(user_file().parent)
    found = find_commands(own, project_places(folder, root), root)
    return as_trusted(found, loaded, folder, root)


def as_trusted(found: CustomCommands, loaded: Loaded, folder: Path, root: Path) -> TrustedCommands:
    """The commands, of which those of an unknown project may only say something."""
    wanting = [
        command
        for command in found.commands
        if command.file.is_relative_to(root) and (command.allowed or lines(command.body))
    ]
    if not wanting or loaded.trusts(folder) or loaded.trusts(root):
        return TrustedCommands(found)
    said = "".join(f"\n{command.file}\n{command.allowed}\n{command.body}" for command in wanting)
    claim = Claim(root / ".claude" / "commands", digest_of(said), tuple(_wants(wanting)))
    answer = Answers(user_file().with_name(ANSWERS)).of(claim.file, claim.digest)
    if answer:
        return TrustedCommands(found)
    commands = tuple(replace(command, trusted=command not in wanting) for command in found.commands)
    notice = (
        f"Commands of this folder want to run something or to allow tools, and nobody has trusted "
        f"them: {', '.join(f'/{command.name}' for command in wanting)}. /trust shows and takes it."
    )
    told = () if answer is False else (notice,)
    return TrustedCommands(replace(found, commands=commands), (claim,), told)


def _wants(commands: Sequence[CustomCommand]) -> Iterator[str]:
    for command in commands:
        runs = (f"runs `{line}`" for line in lines(command.body))
        allows = (f"allows {rule}" for rule in command.allowed)
        yield f"/{command.name}: {', '.join((*runs, *allows))}"
