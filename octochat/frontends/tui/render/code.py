"""Code, highlighted, as blocks on a ground of its own."""

from dataclasses import replace

from textual.content import Content

from octochat.frontends.tui.render.blocks import FAINT, Block, styled
from octochat.frontends.tui.render.highlight import highlight

GROUND = "on $foreground 5%"
LONGEST = 60_000
"""Characters above which code is shown plain: highlighting takes about a second for a million."""


PROSE = frozenset({"", "text", "txt", "plaintext", "md", "markdown"})
"""Languages whose long lines break between words."""


def code_blocks(code: str, language: str, *, label: str = "") -> list[Block]:
    """A code block: a head with the language and a place to click for a copy, then the code."""
    code = code.rstrip("\n")
    head = Block(
        styled((label or "text", FAINT)),
        lead=Content("  "),
        hang=Content("  "),
        right=styled(("copy", FAINT)),
        fill=GROUND,
        action="copy",
        value=code,
    )
    block = listing(highlighted(code, language))
    return [head, replace(block, wrap="words") if label.lower() in PROSE else block]


def listing(text: Content) -> Block:
    """Lines of code; long ones go on in the next row, nothing is cut."""
    return Block(text, lead=Content("  "), hang=Content("  "), fill=GROUND, wrap="code")


def highlighted(code: str, language: str) -> Content:
    """Code with colours, as far as its language is known."""
    code = code.expandtabs(4)
    if not language or len(code) > LONGEST:
        return Content(code)
    return highlight(code, language)
