"""Small faults that can be made in the code: a comparison turned round, a number one too high."""

import ast
import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.root import ROOT


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault."""

    file: Path
    """As seen from the repository."""
    line: int
    last: int
    """The line in which it ends."""
    start: int
    """The characters that are replaced, as a range of the file's text."""
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changed(node: ast.expr) -> Iterator[ast.expr]:
    """The same expression with a fault in it."""
    twin = copy.deepcopy(node)
    match twin:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            twin.ops = [_COMPARED[type(op)]()]
        case ast.BinOp(op=op) if type(op) in _COUNTED:
            twin.op = _COUNTED[type(op)]()
        case ast.BoolOp(op=op):
            twin.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            twin = inner
        case ast.IfExp(body=body, orelse=orelse):
            twin.body, twin.orelse = orelse, body
        case ast.Call(func=ast.Name(id=name) as func) if name in _CALLED:
            func.id = _CALLED[name]
        case ast.Constant(value=bool(value)):
            twin.value = not value
        case ast.Constant(value=int(value) | float(value)):
            twin.value = value + 1
        case _:
            return
    yield twin


def mutants(file: Path, root: Path = ROOT) -> Iterator[Mutant]:
    """Every fault that can be made in a file."""
    text = (root / file).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()
    tree = ast.parse(text)
    quiet = {
        id(inner) for node in ast.walk(tree) for note in _quiet(node) for inner in ast.walk(note)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or id(node) in quiet or node.end_lineno is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + (node.end_col_offset or 0)
        before = data[start:end].decode()
        for twin in changed(node):
            after = f"({ast.unparse(twin)})"
            yield Mutant(file, node.lineno, node.end_lineno, start, end, before, after)


def _quiet(node: ast.AST) -> Iterator[ast.expr]:
    """What nothing computes with: annotations, decorators such as `frozen=True`; and f-strings."""
    if isinstance(node, ast.ClassDef):
        yield from node.decorator_list
    match node:
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
            yield annotation
        case ast.FunctionDef(returns=ast.expr() as returns):
            yield returns
        case ast.JoinedStr():  # before Python 3.12 nobody knows where its pieces stand
            yield node
        case _:
            return


def chosen(places: Sequence[Path], count: int | None, seed: int) -> list[Mutant]:
    """So many of the faults, by lot."""
    files = [
        each.relative_to(ROOT)
        for place in places
        for each in (sorted(place.rglob("*.py")) if place.is_dir() else [place])
    ]
    every = [mutant for file in files for mutant in mutants(file)]
    return every if count is None else random.Random(seed).sample(every, min(count, len(every)))
