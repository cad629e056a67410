"""What a command has to say: lines whose columns are aligned with spaces."""

import re
from collections.abc import Sequence

from textual.content import Content

from octochat.frontends.tui.render.blocks import Block, styled
from octochat.frontends.tui.transcript.cards.card import Card, Page
from octochat.text.harmless import harmless

BAR = "│ "
DEEPEST = 8
"""Spaces before a line that is indented; one with more and with columns is a table's head."""
_KEY = re.compile(r"\s+[^\s:][^:]{0,40}:(?= )")
_GAP = re.compile(r"(?<=\S)  +(?=\S)")
"""Between two columns."""


class ReportCard(Card):
    """A page of facts, set off by a bar."""

    def __init__(self, at: float, source: str) -> None:
        super().__init__(at)
        self._source = source

    def blocks(self, page: Page) -> Sequence[Block]:
        return [_line(line, page.width) for line in harmless(self._source).split("\n")]

    def text(self) -> str:
        return self._source


def report_width(page: Page) -> int:
    """Cells that a line of a report may take."""
    return page.width - len(BAR)


def _line(line: str, width: int) -> Block:
    """Headings and keys stand out; what does not fit in a line stands under its words."""
    text = Content(line)
    if key := _KEY.match(line):
        text = text.stylize("$text-primary", *key.span())
    elif line.startswith("* ") or (line.endswith(":") and not line.startswith(" ")):
        text = text.stylize("bold")
    bar = styled((BAR, "$text-accent 60%"))
    return Block(text, lead=bar, hang=bar + Content(" " * _under(line, width)))


def _under(line: str, width: int) -> int:
    """Where what does not fit stands: under its last column, if that is near."""
    columns = [gap.end() for gap in _GAP.finditer(line) if gap.end() <= width // 2]
    indent = len(line) - len(line.lstrip())
    if columns:
        return columns[-1]
    if 0 < indent <= DEEPEST:
        return indent + 2
    return 0 if indent > width // 2 or _GAP.search(line) else indent
