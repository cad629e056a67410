"""All that the session changed, by file, with the colours of a diff."""

from collections.abc import Iterator, Sequence

from octochat.commands.session_diff import NOTHING, FileDiff, diff_text
from octochat.frontends.shared.changes import change_in
from octochat.frontends.tui.render.blocks import EMPTY, FAINT, Block, styled
from octochat.frontends.tui.render.diff import drawn
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.figures import count
from octochat.text.harmless import one_line

MOST = 500
"""Lines of one change that are drawn."""


class ChangesCard(Card):
    """The files below each other, each with its changes in order."""

    def __init__(self, at: float, files: Sequence[FileDiff]) -> None:
        super().__init__(at)
        self._files = files

    def blocks(self, page: Page) -> Sequence[Block]:
        del page
        if not self._files:
            return [Block(styled((NOTHING, FAINT)))]
        return [block for n, file in enumerate(self._files) for block in _file(file, first=not n)]

    def text(self) -> str:
        return diff_text(self._files)


def _file(file: FileDiff, *, first: bool) -> Iterator[Block]:
    path, added, removed, times = file.head
    if not first:
        yield Block(EMPTY)
    yield Block(
        styled(
            (one_line(path), "bold"),
            (added, "$text-success"),
            (removed, "$text-error"),
            (times, FAINT),
        )
    )
    for n, diff in enumerate(file.diffs):
        change = change_in(diff)
        if n:
            yield Block(styled(("  ⋯", FAINT)))
        yield from drawn(change, MOST)
        if (rest := len(change.lines) - MOST) > 0:
            yield Block(styled((f"  … {count(rest, 'more line')}", FAINT)))
