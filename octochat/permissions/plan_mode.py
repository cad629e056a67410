"""What plan mode runs: command lines that are known to change nothing."""

from octochat.permissions import readers
from octochat.permissions.commandline import simple_commands


def only_reads(line: str) -> bool:
    """Whether a command line is known to change nothing: each of its commands only reads."""
    commands = simple_commands(line)
    return commands is not None and not any(
        command.writes or not readers.only_reads(command.words) for command in commands
    )
