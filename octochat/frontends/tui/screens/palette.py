"""Slash commands in the command palette. They are given as data by whatever screen is shown."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import CommandPalette, Hit, Hits, Provider
from textual.containers import Vertical

from octochat.commands.spec import CommandSpec

FIRST = 1_000.0
"""Score by which they stand before what Textual itself offers, which has 0, or a few if found."""

TITLE, KEYS = "Commands", "type to narrow · Enter takes it · Esc goes back"


@runtime_checkable
class HasPaletteCommands(Protocol):
    """An app whose commands the palette offers."""

    def palette_commands(self) -> Sequence[CommandSpec]:
        """The commands there are."""
        ...

    def palette_chose(self, command: CommandSpec) -> None:
        """One was chosen: carry it out, or put it into the input if words must follow."""
        ...


class SlashCommands(Provider):
    """Offers the commands of a `HasPaletteCommands` app."""

    async def startup(self) -> None:
        """Say on the palette's border what it is, as on that of every other list."""
        if isinstance(self.app.screen, CommandPalette):
            box = self.app.screen.query_one(Vertical)
            box.border_title, box.border_subtitle = TITLE, KEYS

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command, choose in self._commands():
            yield Hit(FIRST, _name(command), choose, help=command.help)

    async def search(self, query: str) -> Hits:
        """Those that what was typed fits."""
        matcher = self.matcher(query.removeprefix("/"))
        for command, choose in self._commands():
            score = max(2 * matcher.match(command.name), matcher.match(command.help))
            if score > 0:
                yield Hit(FIRST + score, _name(command), choose, help=command.help)

    def _commands(self) -> list[tuple[CommandSpec, Callable[[], None]]]:
        app = self.app
        if not isinstance(app, HasPaletteCommands):
            return []
        return [(one, partial(app.palette_chose, one)) for one in app.palette_commands()]


def _name(command: CommandSpec) -> str:
    # The palette reads names as markup: an argument in brackets must not become a tag.
    return f"/{command.name} {command.usage}".rstrip().replace("[", "\\[")
