"""Completing what is typed: it watches the text area and keeps the list of choices.

It knows nothing of sending; the prompt passes it the keys that may be meant for the list.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

from octochat.commands.spec import CommandSpec
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.completion import (
    Choice,
    CompletionQuery,
    Mention,
    argument_choices,
    command_choices,
    file_choices,
    mention_choices,
    wanted_at,
)
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.files import Files, best

MOST = 50
"""Most files offered."""


class Completer:
    """What may follow the word under the cursor."""

    def __init__(
        self,
        editor: Editor,
        choices: Choices,
        files: Files,
        commands: Callable[[], Sequence[CommandSpec]],
    ) -> None:
        """`commands` gives those that there are now."""
        self.mentions: Callable[[], Sequence[Mention]] = tuple
        """Gives what is no file and may stand behind an `@`."""
        self._commands = commands
        self._editor = editor
        self._choices = choices
        self._files = files
        self._wanted: CompletionQuery | None = None
        self._dismissed: int | None = None
        """Where the word starts for which the person wants no choices."""
        self.quiet: bool = False
        """Text is being shown, not typed: nothing is offered."""

    def update(self) -> None:
        """Look again at the word under the cursor."""
        wanted = self._now()
        if wanted is None:
            self._dismissed = None
        if wanted is None or wanted.start == self._dismissed:
            self._offer(None, [])
            return
        match wanted.kind:
            case "command":
                self._offer(wanted, command_choices(wanted.letters, self._commands()))
            case "argument":
                self._offer(wanted, argument_choices(wanted, self._commands()))
            case "file":
                self._wanted = wanted
                self._choices.run_worker(
                    self._find_files(wanted), group="files", exclusive=True, exit_on_error=False
                )

    def close(self) -> None:
        """Offer nothing for this word any more."""
        wanted = self._now()
        self._dismissed = None if wanted is None else wanted.start
        self._offer(None, [])

    def take_key(self, key: str) -> bool:
        """Whether the key was meant for the open list."""
        choice = self._choices.chosen
        if choice is None:
            return False
        match key:
            case "up" | "ctrl+p":
                self._choices.move(-1)
            case "down" | "ctrl+n":
                self._choices.move(1)
            case "tab":
                self.accept(choice)
            case "escape":
                self.close()
            case _:
                return False
        return True

    def enter(self) -> Literal["completed", "final"] | None:
        """Enter takes the chosen row: more is to come, or it can be sent; None without a list."""
        choice = self._choices.chosen
        if choice is None or self._typed() == choice.insert.strip():
            self.close()
            return None
        self.accept(choice)
        return "final" if choice.final else "completed"

    def accept(self, choice: Choice) -> None:
        """Put a choice in the place of the word."""
        wanted = self._now()
        if wanted is None:
            return
        row, column = self._editor.cursor_location
        result = self._editor.replace(choice.insert, (row, wanted.start), (row, column))
        self._editor.move_cursor(result.end_location)
        if choice.final:
            self.close()

    def _now(self) -> CompletionQuery | None:
        row, _ = self._editor.cursor_location
        return wanted_at(self._editor.before_cursor, first_line=row == 0)

    def _typed(self) -> str:
        return self._editor.before_cursor[self._wanted.start if self._wanted else 0 :]

    async def _find_files(self, wanted: CompletionQuery) -> None:
        paths = await asyncio.to_thread(lambda: best(wanted.letters, self._files.paths(), MOST))
        if self._now() == wanted:
            others = mention_choices(wanted.letters, self.mentions())[:MOST]
            self._offer(wanted, [*others, *file_choices(paths)])

    def _offer(self, wanted: CompletionQuery | None, rows: list[Choice]) -> None:
        self._wanted = wanted
        self._choices.offer(rows)
