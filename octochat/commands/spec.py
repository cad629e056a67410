"""A slash command as data: enough to understand it when typed, to complete it and to list it.

Light enough for before the first paint. What a command does is in `base.py` for those of a session,
and with the front end for its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """What one slash command is called, and what is said of it."""

    name: str
    """Without the slash."""
    usage: str
    """What may follow the name, as in `[FOCUS]`; empty where nothing may."""
    help: str
    """One line."""
    options: tuple[str, ...] = field(default=(), kw_only=True)
    """Words that the first argument may be, where they are known."""
    at_once: bool = field(default=False, kw_only=True)
    """It is carried out even while the model works, instead of waiting."""
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    """Other names, which no list shows."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name, then the aliases."""
        return (self.name, *self.aliases)


def listed(commands: Iterable[CommandSpec]) -> str:
    """A line for each command: how it is used, and what it does."""
    rows = [(f"/{each.name} {each.usage}".rstrip(), each.help) for each in commands]
    width = max((len(usage) for usage, _ in rows), default=0)
    return "\n".join(f"{usage:<{width}}  {words}" for usage, words in rows)


def together(
    commands: Iterable[CommandSpec], own: Iterable[CommandSpec]
) -> tuple[CommandSpec, ...]:
    """Every command once, the session's first; a front end's own stands for the session's."""
    every = {each.name: each for each in commands} | {each.name: each for each in own}
    return tuple(every.values())
