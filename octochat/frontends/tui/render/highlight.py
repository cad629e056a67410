"""Colours for code, by Pygments, in the theme's own names."""

from functools import cache, lru_cache
from typing import TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.token import Token
from pygments.util import ClassNotFound
from textual.content import Content, Span

Kind: TypeAlias = tuple[str, ...]
STYLES: dict[Kind, str] = {
    Token.Comment: "italic $foreground 70%",
    Token.Generic.Heading: "bold",
    Token.Generic.Subheading: "bold",
    Token.Generic.Inserted: "$text-success",
    Token.Generic.Deleted: "$text-error",
    Token.Keyword: "$text-accent",
    Token.Literal.Number: "$text-warning",
    Token.Literal.String: "$text-success",
    Token.Name.Builtin: "$text-accent",
    Token.Name.Class: "bold $text-primary",
    Token.Name.Decorator: "$text-warning",
    Token.Name.Function: "$text-primary",
    Token.Name.Tag: "$text-primary",
    Token.Name.Attribute: "$text-warning",
    Token.Operator.Word: "$text-accent",
}


@lru_cache(maxsize=32)
def highlight(code: str, language: str) -> Content:
    """Code with spans for what Pygments knows; plain where it does not know the language."""
    lexer = _lexer(language)
    if lexer is None:
        return Content(code)
    spans: list[Span] = []
    for start, kind, text in lexer.get_tokens_unprocessed(code):
        if style := _style(kind):
            spans.append(Span(start, start + len(text), style))
    return Content(code, spans=spans)


def language_of(file: str) -> str:
    """The language that a file of this name is written in; empty where Pygments knows none."""
    return _language(file.replace("\\", "/").rpartition("/")[2])


@lru_cache(maxsize=256)
def _language(name: str) -> str:
    lexer = find_lexer_class_for_filename(name) if name else None
    return lexer.aliases[0] if lexer and lexer.aliases else ""


@cache
def _lexer(language: str) -> Lexer | None:
    try:
        return find_lexer_class_by_name(language)(stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _style(kind: Kind) -> str:
    """The style of the nearest kind that has one: kinds are paths from general to special."""
    return next((STYLES[kind[:end]] for end in range(len(kind), 0, -1) if kind[:end] in STYLES), "")
