"""The sentences that stand in a module's code, read from its syntax: f-strings as templates.

A sentence has at least two words, or is a remark in square brackets. Left out is what nobody reads
as text: docstrings, types, patterns, the keys of tables.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_SENTENCE = re.compile(r"[^\W\d_]{2,}[^\w\n]*\s+[^\w\n]*[^\W\d_]{2,}|\[[a-z][^\]]*\]|</?[a-z-]{4,}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_PUT_IN = re.compile(r"\{[^{}]*\}")
_NO_TEXT = frozenset({"compile", "cast", "Literal", "TypeVar", "ToolFacts", "split"})
"""Calls whose strings are no text."""
CARRIERS = frozenset(
    {
        "Amended",
        "Deny",
        "Denied",
        "Output",
        "Recalled",
        "Request",
        "Returned",
        "SkillLoaded",
        "Text",
        "ToolDefinition",
        "ToolError",
        "ToolResult",
        "tagged",
    }
)
"""What a text is put into on its way to the model."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One text as it is written."""

    owner: str
    """The name that it stands under: `CONSTANT`, `function` or `Class.method`."""
    text: str
    """With `{...}` where something is put in."""


def literals(path: Path) -> tuple[Literal, ...]:
    """All sentences of a module, in order, each once."""
    return _unique(_owned(ast.parse(path.read_text("utf-8")).body))


def carried(path: Path) -> tuple[Literal, ...]:
    """Only those that stand in a call of one of the `CARRIERS`."""
    text = path.read_text("utf-8")
    if not any(f"{name}(" in text for name in CARRIERS):
        return ()
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and _called(node) in CARRIERS
    ]
    return _unique(Literal(_called(call), text) for call in calls for text in _found(call))


def _unique(found: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple({literal.text: literal for literal in reversed(list(found))}.values())[::-1]


def _owned(body: Iterable[ast.stmt], within: str = "") -> Iterator[Literal]:
    for node in body:
        match node:
            case ast.ClassDef(name=name, body=inner):
                yield from _owned(inner, f"{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from (Literal(within + name, text) for text in _found(node))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield from (Literal(within + name, text) for text in _found(node))
            case _:
                yield from (Literal(within, text) for text in _found(node))


def _found(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.expr) and (text := _text(node)) is not None:
        if _is_sentence(text):
            yield text
        return
    for child in _read(node):
        yield from _found(child)


def _is_sentence(text: str) -> bool:
    """Whether a template has words of its own; what is put in counts as one."""
    shown = text
    while _PUT_IN.search(shown):
        shown = _PUT_IN.sub("\0", shown)
    words = bool(_WORD.search(shown))
    return words and bool(_SENTENCE.search(shown.replace("\0", "it")))


def _read(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of a node that may hold texts."""
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring
            return ()
        case ast.Call() if _called(node) in _NO_TEXT:
            return ()
        case ast.AnnAssign(value=value):
            return () if value is None else (value,)
        case ast.Import() | ast.ImportFrom() | ast.arg() | ast.MatchValue() | ast.Compare():
            return ()
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return (*node.args.defaults, *node.body)
        case ast.Dict(values=values):
            return values
        case ast.Subscript(value=value):
            return (value,)
        case _:
            return ast.iter_child_nodes(node)


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _text(node: ast.expr) -> str | None:
    """A string as a template; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_piece, values))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            sides = _text(left), _text(right)
            if sides == (None, None):
                return None
            return "".join(
                f"{{{ast.unparse(side)}}}" if text is None else text
                for side, text in zip((left, right), sides, strict=True)
            )
        case _:
            return None


def _piece(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.FormattedValue(value=value):
            return f"{{{ast.unparse(value)}}}"
        case _:
            return ""
