"""`[[hooks.EVENT]]`: one hook as octochat's own configuration says it."""

from dataclasses import dataclass
from typing import Annotated

from octochat.context.codec.trees import Constraint
from octochat.hooks.hook import LONGEST, TIMEOUT, EventName, Hook, faults


@dataclass(frozen=True, slots=True)
class HookSettings:
    """One hook; docs/hooks.md says what it is given and what it may answer."""

    command: Annotated[str, Constraint("a command line", lambda line: bool(line.strip()))]
    """Run by bash in the working folder, with the event as JSON on its standard input."""
    matcher: Annotated[str, Constraint("a regular expression", lambda said: not faults(said))] = ""
    """For which tools: "Bash", "Edit|Write", "mcp__.*". Empty: for all."""
    timeout: Annotated[
        float, Constraint(f"seconds, up to {LONGEST:.0f}", lambda n: 0 < n <= LONGEST)
    ] = TIMEOUT
    """Seconds after which it is killed with all that it started."""

    def hook(self, event: EventName, source: str) -> Hook:
        """The hook of this event; `source` is the file that says it."""
        return Hook(event, self.command, self.matcher, self.timeout, source=source)
