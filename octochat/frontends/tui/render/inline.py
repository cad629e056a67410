"""The inside of a Markdown paragraph as styled text."""

from markdown_it.token import Token
from textual.content import Content, Span

from octochat.frontends.tui.render.blocks import FAINT

STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": "underline"}
CODE = "$text-accent on $foreground 8%"


def inline(token: Token) -> Content:
    """The styled text of an inline token. A link shows where it leads."""
    text: list[str] = []
    spans: list[Span] = []
    opened: list[tuple[str, int]] = []
    links: list[tuple[str, int]] = []
    length = 0

    def add(piece: str, style: str = "") -> None:
        nonlocal length
        if style:
            spans.append(Span(length, length + len(piece), style))
        text.append(piece)
        length += len(piece)

    for child in token.children or ():
        name, _, side = child.type.rpartition("_")
        match child.type:
            case "softbreak":
                add(" ")
            case "hardbreak":
                add("\n")
            case "code_inline":
                add(child.content, CODE)
            case "image":
                add(f"image: {child.content or 'untitled'} ", "italic")
                add(f"({child.attrs.get('src', '')})", FAINT)
            case _ if side == "open" and name in STYLES:
                opened.append((STYLES[name], length))
                if name == "link":
                    links.append((str(child.attrs.get("href", "")), length))
            case _ if side == "close" and name in STYLES and opened:
                style, start = opened.pop()
                spans.append(Span(start, length, style))
                if name == "link":
                    address, begin = links.pop()
                    if address.removeprefix("mailto:") != "".join(text)[begin:]:
                        add(f" ({address})", FAINT)
            case _:
                add(child.content)
    return Content("".join(text), spans=spans)
