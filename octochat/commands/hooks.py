"""`/hooks`: which commands run at which point of the session, and which would if trusted."""

from collections.abc import Iterator, Sequence

from octochat.commands.base import Command, Report, Shown, simple
from octochat.hooks.hook import EVENTS, Hook
from octochat.session.session import Session
from octochat.text.harmless import one_line

NONE = "No hooks. docs/hooks.md says what they can do and where they stand."


def _hooks(session: Session, _rest: str) -> Shown:
    found = session.found_hooks
    running, waiting = list(_listed(found.hooks)), list(_listed(found.waiting))
    if waiting:
        waiting.insert(0, "Not trusted, so they do not run; /trust shows and takes their files:")
    data = [_data(hook, trusted=True) for hook in found.hooks]
    data += [_data(hook, trusted=False) for hook in found.waiting]
    return Report("\n".join((*running, *waiting)) or NONE, {"hooks": data})


def _listed(hooks: Sequence[Hook]) -> Iterator[str]:
    for event in EVENTS:
        for hook in (each for each in hooks if each.event == event):
            where = f" if {hook.only_if}" if hook.only_if else ""
            line = one_line(" ".join((hook.command, *(hook.args or ()))))
            yield f"{event} {hook.matcher or '*'}{where}: {line}"
            yield f"  from {hook.source}, {hook.timeout:g} s at most"


def _data(hook: Hook, *, trusted: bool) -> dict[str, object]:
    return {
        "event": hook.event,
        "matcher": hook.matcher,
        "command": hook.command,
        "source": hook.source,
        "trusted": trusted,
    }


HOOK_COMMANDS: tuple[Command, ...] = (
    Command(
        "hooks", "", "commands that run at points of the session", simple(_hooks), at_once=True
    ),
)
"""Those that both front ends have."""
