"""Markdown as blocks of styled text, whole or while it is still being written.

Written for long chats: one pass over markdown-it's tokens, no widget per paragraph, and while
an answer streams only what follows its last finished block is read again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content

from octochat.frontends.tui.render.blocks import EMPTY, Block, styled
from octochat.frontends.tui.render.code import code_blocks
from octochat.frontends.tui.render.inline import inline
from octochat.frontends.tui.render.table import table

UNSETTLED = 2
"""Blocks at the end that what comes may still change: a `1` may become one more item of the list
before it."""
HEADINGS = {"h1": "bold underline $primary", "h2": "bold $primary"}


def markdown(source: str, width: int) -> list[Block]:
    """All of a text as blocks, for a page `width` cells wide."""
    return _spaced([blocks for _, blocks in _top_level(source, width, open_end=False)])


class LiveMarkdown:
    """A text that grows: finished blocks are read once."""

    def __init__(self) -> None:
        self._source = ""
        self._settled: list[list[Block]] = []
        self._from = 0
        self._width = 0

    @property
    def source(self) -> str:
        """What has come so far."""
        return self._source

    def write(self, text: str) -> None:
        """Add a piece."""
        self._source += text

    def blocks(self, width: int) -> list[Block]:
        """The text so far; code whose fence is still open is shown plain."""
        if width != self._width:
            self._settled, self._from, self._width = [], 0, width
        rest = self._source[self._from :]
        parts = list(_top_level(rest, width, open_end=True))
        if len(parts) > UNSETTLED:
            self._settled += [blocks for _, blocks in parts[:-UNSETTLED]]
            self._from += _line_start(rest, parts[-UNSETTLED][0])
        return _spaced(self._settled + [blocks for _, blocks in parts[-UNSETTLED:]])


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _line_start(text: str, line: int) -> int:
    place = 0
    for _ in range(line):
        place = text.index("\n", place) + 1
    return place


def _spaced(parts: Sequence[list[Block]]) -> list[Block]:
    """An empty line between the parts."""
    spaced: list[Block] = []
    for blocks in parts:
        if spaced and blocks:
            spaced.append(Block(EMPTY))
        spaced += blocks
    return spaced


def _top_level(source: str, width: int, *, open_end: bool) -> Iterator[tuple[int, list[Block]]]:
    """Each top-level block with the line it begins at."""
    tokens = _parser().parse(source)
    for first, last in _siblings(tokens, 0, len(tokens)):
        start, _ = tokens[first].map or (0, 0)
        still_open = open_end and last == len(tokens) - 1 and _unclosed(tokens[last], source)
        yield start, _block(tokens, first, last, width, plain=still_open)


def _unclosed(token: Token, source: str) -> bool:
    if token.type != "fence" or not token.map:
        return False
    lines = source.rstrip("\n").split("\n")
    return len(lines) - 1 == token.map[0] or not lines[-1].lstrip().startswith(token.markup)


def _siblings(tokens: Sequence[Token], first: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges of the tokens that stand side by side between two places."""
    while first < end:
        last, depth = first, tokens[first].nesting
        while depth > 0:
            last += 1
            depth += tokens[last].nesting
        yield first, last
        first = last + 1


def _block(
    tokens: Sequence[Token], first: int, last: int, width: int, *, plain: bool = False
) -> list[Block]:
    token = tokens[first]
    match token.type:
        case "paragraph_open":
            return [Block(inline(tokens[first + 1]), wrap="prose")]
        case "heading_open":
            style = HEADINGS.get(token.tag, "bold")
            return [Block(inline(tokens[first + 1]).stylize_before(style), wrap="prose")]
        case "fence" | "code_block":
            language = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
            return code_blocks(token.content, "" if plain else language, label=language)
        case "bullet_list_open" | "ordered_list_open":
            return _list(tokens, first, last, width)
        case "blockquote_open":
            parts = [_block(tokens, a, b, width - 2) for a, b in _siblings(tokens, first + 1, last)]
            bar = styled(("▎ ", "$primary 60%"))
            return [_indented(block, bar, bar) for block in _spaced(parts)]
        case "table_open":
            return table(tokens[first : last + 1], width)
        case "hr":
            return [Block(styled(("─" * width, "$foreground 30%")), wrap="cut")]
        case _:
            return [Block(Content(token.content.rstrip("\n")))] if token.content else []


def _list(tokens: Sequence[Token], first: int, last: int, width: int) -> list[Block]:
    ordered = tokens[first].type == "ordered_list_open"
    number = int(tokens[first].attrs.get("start", 1)) if ordered else 0
    items = list(_siblings(tokens, first + 1, last))
    room = len(f"{number + len(items) - 1}. ") if ordered else 2
    hang = Content(" " * room)
    parts: list[list[Block]] = []
    for a, b in items:
        mark = f"{number}. ".rjust(room) if ordered else "• "
        number += 1
        blocks = [
            block
            for c, d in _siblings(tokens, a + 1, b)
            for block in _block(tokens, c, d, width - room)
        ] or [Block(EMPTY)]
        head, done = _task(blocks[0])
        lead = styled((done or mark, "$primary"))
        parts.append([_indented(head, lead, hang), *(_indented(x, hang, hang) for x in blocks[1:])])
    loose = any(
        not token.hidden
        for token in tokens[first:last]
        if token.type == "paragraph_open" and token.level == tokens[first].level + 2
    )
    return _spaced(parts) if loose else [block for blocks in parts for block in blocks]


def _task(block: Block) -> tuple[Block, str]:
    """A list item that begins with a tick box, and the box."""
    box = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}.get(block.text.plain[:4], "")
    return (replace(block, text=block.text[4:]), box) if box else (block, "")


def _indented(block: Block, lead: Content, hang: Content) -> Block:
    return replace(block, lead=lead + block.lead, hang=hang + block.hang)
