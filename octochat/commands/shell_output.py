"""What a `!` line printed, as it goes along with the next prompt: cut as a result of bash is."""

from octochat.context.session.ran import Ran
from octochat.session.session import Session
from octochat.text.harmless import harmless, one_line
from octochat.tools.base import ToolError
from octochat.tools.bash import Bash


def shell_output(session: Session, command: str, ended: str, output: str) -> Ran:
    """A command as the model is told of it.

    What is longer than `[tools] output_chars` goes to a file, which the text names.

    Raises:
        ToolError: that file can't be written.
    """
    bash = next((tool for tool in session.tools if isinstance(tool, Bash)), None)
    if bash is None:
        raise ToolError("This session has no bash, so nothing of a ! line can go along.")
    printed = bash.spill.shortened(harmless(output), "shell", bash.limits)
    return Ran(harmless(command), one_line(ended), printed)
