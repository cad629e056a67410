"""The commands of the plain front end itself, and its help."""

from octochat.commands.execute import COMMANDS
from octochat.commands.spec import CommandSpec, listed, together

OWN = (
    CommandSpec("help", "", "these commands"),
    CommandSpec("resume", "[ID]", "go on with an earlier session"),
    CommandSpec("detach", "", "take the last ! line off your next message"),
    CommandSpec("quit", "", "leave; the session can be resumed", aliases=("exit",)),
)
ALL = together(COMMANDS, OWN)
"""Those of the session as well."""
HELP = f"""\
{listed(ALL)}

!COMMAND runs a line in your shell, and what it prints goes with your next message.
!!COMMAND has the terminal to itself; the model does not see it.
@FILE in what you say sends a picture or a PDF along; Tab completes it.
A line that ends with \\ goes on in the next one; \"\"\" opens and closes a block of lines.
Ctrl-C stops the model or the tool and keeps what came; twice in a row leaves. So does Ctrl-D."""
