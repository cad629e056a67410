"""The commands of the plain front end itself, and its help."""

from octochat.commands.execute import commands_of
from octochat.commands.spec import CommandSpec, listed, together
from octochat.session.session import Session

OWN = (
    CommandSpec("help", "", "these commands"),
    CommandSpec("resume", "[ID]", "go on with an earlier session"),
    CommandSpec("detach", "", "take the last ! line off your next message"),
    CommandSpec("quit", "", "leave; the session can be resumed", aliases=("exit",)),
)
_BESIDE = """\
!COMMAND runs a line in your shell, and what it prints goes with your next message.
!!COMMAND has the terminal to itself; the model does not see it.
@FILE in what you say sends a picture or a PDF along; Tab completes it.
A line that ends with \\ goes on in the next one; \"\"\" opens and closes a block of lines.
Ctrl-C stops the model or the tool and keeps what came; twice in a row leaves. So does Ctrl-D."""


def every_command(session: Session | None) -> tuple[CommandSpec, ...]:
    """Those of the session as well."""
    return together(commands_of(session), OWN)


def help_text(session: Session | None) -> str:
    """What `/help` says."""
    return f"{listed(every_command(session))}\n\n{_BESIDE}"
