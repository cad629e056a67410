"""A Markdown table, drawn to fit the page: columns share the width, cells wrap."""

from collections.abc import Sequence
from itertools import zip_longest

from markdown_it.token import Token
from textual.content import Content

from octochat.frontends.tui.render.blocks import EMPTY, Block, cells, styled
from octochat.frontends.tui.render.inline import inline

LINE = "$foreground 30%"
NARROWEST = 6


def table(tokens: Sequence[Token], width: int) -> list[Block]:
    """The rows of a table; its header is bold, numbers go where the source puts them."""
    rows, sides = _cells(tokens)
    if not rows:
        return []
    widths = _widths(rows, width)
    rule = styled(("─┼─".join("─" * w for w in widths), LINE))
    blocks = [Block(line, wrap="cut") for line in _drawn(rows[0], widths, sides, "bold")]
    blocks.append(Block(rule, wrap="cut"))
    for row in rows[1:]:
        blocks += [Block(line, wrap="cut") for line in _drawn(row, widths, sides, "")]
    return blocks


def _cells(tokens: Sequence[Token]) -> tuple[list[list[Content]], list[str]]:
    rows: list[list[Content]] = []
    sides: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in {"th_open", "td_open"}:
            rows[-1].append(inline(tokens[place + 1]))
            if token.type == "th_open":
                sides.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
    return rows, sides


def _widths(rows: list[list[Content]], width: int) -> list[int]:
    """Each column as wide as it wants, the widest ones narrowed until all fit."""
    count = len(rows[0])
    widths = [
        max((cells(row[column]) for row in rows if column < len(row)), default=1) or 1
        for column in range(count)
    ]
    room = width - 3 * (count - 1)
    while sum(widths) > room and max(widths) > NARROWEST:
        widest = max(range(count), key=widths.__getitem__)
        second = max((w for i, w in enumerate(widths) if i != widest), default=NARROWEST)
        step = max(min(sum(widths) - room, widths[widest] - second), 1)
        widths[widest] = max(widths[widest] - step, NARROWEST)
    return widths


def _drawn(
    row: Sequence[Content], widths: Sequence[int], sides: Sequence[str], style: str
) -> list[Content]:
    columns = [
        text.stylize_before(style).wrap(width) if style else text.wrap(width)
        for text, width in zip(row, widths, strict=False)
    ]
    bar = styled((" │ ", LINE))
    return [
        bar.join(
            _padded(text or EMPTY, width, side)
            for text, width, side in zip(line, widths, sides, strict=False)
        )
        for line in zip_longest(*columns)
    ]


def _padded(text: Content, width: int, side: str) -> Content:
    gap = max(width - cells(text), 0)
    if side == "right":
        return text.pad_left(gap)
    if side == "center":
        return text.pad(gap // 2, gap - gap // 2)
    return text.pad_right(gap)
