"""Which edits are undone together: Textual's rule, and those of one command of vim's."""

from textual.document._edit import Edit
from textual.document._history import EditHistory


class UndoBatches(EditHistory):
    """A history of edits in which those between `begin` and `end` are one step."""

    _together: bool = False
    _begun: bool = False
    """An edit of the step was recorded."""

    def begin(self) -> None:
        """What comes is undone together."""
        self.end()
        self._together = True

    def end(self) -> None:
        """What comes is a step of its own."""
        self._together = self._begun = False
        self.checkpoint()

    def record(self, edit: Edit) -> None:
        """Keep an edit, with those before it if they belong together."""
        before = self._undo_stack[-1] if self._undo_stack else None
        super().record(edit)
        newest = self._undo_stack[-1] if self._undo_stack else None
        if not self._together or newest is None or newest is before:
            return
        if self._begun and before is not None:
            before += self._undo_stack.pop()
        self._begun = True

    def clear(self) -> None:
        """Forget all."""
        super().clear()
        self.end()

    def _pop_undo(self) -> list[Edit] | None:
        self._begun = False
        return super()._pop_undo()
