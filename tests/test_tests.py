"""What every test keeps to: it asserts something, it does not sleep, and it looks at no clock."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.root import ROOT

HERE = ROOT / "tests"
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
LETS_PASS = frozenset({"sleep", "pause", "rest"})
"""Calls that let time pass, with the seconds as their argument."""


TIMED = (HERE / "benchmarks", HERE / "waiting.py")
"""Where time is the business, and the one place that waits."""


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    """All that belongs to the tests."""
    return [(path, ast.parse(path.read_text("utf-8"))) for path in sorted(HERE.rglob("*.py"))]


def timeless() -> list[tuple[Path, ast.Module]]:
    """All that may not let time pass."""
    return [(path, tree) for path, tree in modules() if not any(map(path.is_relative_to, TIMED))]


def functions(tree: ast.AST) -> Iterator[Function]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def called(tree: ast.AST) -> Iterator[tuple[str, Sequence[ast.expr]]]:
    """The names of what is called, without the object, and the arguments."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
                yield name, arguments
            case _:
                pass


def states(tree: ast.AST) -> bool:
    """Whether something is asserted, or must be raised."""
    ends = any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree))
    return ends or any(name in {"raises", "warns"} for name, _ in called(tree))


def asserting(trees: Sequence[ast.AST]) -> set[str]:
    """The functions that assert something, themselves or by what they call."""
    others = [
        (one.name, states(one), {name for name, _ in called(one)})
        for tree in trees
        for one in functions(tree)
        if not one.name.startswith("test_")
    ]
    names = {name for name, itself, _ in others if itself}
    while more := {
        name for name, _, of in others if name not in names and not names.isdisjoint(of)
    }:
        names |= more
    return names


def calls(tree: ast.AST, names: set[str]) -> bool:
    """Whether one of them is called."""
    return any(name in names for name, _ in called(tree))


def empty(trees: Sequence[ast.AST]) -> Iterator[str]:
    """Tests that assert nothing, neither themselves nor by what they call."""
    names = asserting(trees)
    for tree in trees:
        for one in functions(tree):
            if one.name.startswith("test_") and not states(one) and not calls(one, names):
                yield one.name


def sleeps(tree: ast.AST) -> Iterator[str]:
    """Calls that wait for a time instead of for something."""
    for name, arguments in called(tree):
        match arguments:
            case [ast.Constant(value=int() | float() as seconds), *_]:
                if name in LETS_PASS and seconds:
                    yield f"{name}({seconds})"
            case _:
                pass


def clocks(tree: ast.AST) -> Iterator[str]:
    """Imports of a clock."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="time" | "timeit" as name):
                yield name
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name in {"time", "timeit"})
            case _:
                pass


def test_every_test_asserts_something() -> None:
    assert list(empty([tree for _, tree in modules()])) == []


def test_nothing_sleeps() -> None:
    assert [(path.name, call) for path, tree in timeless() for call in sleeps(tree)] == []


def test_no_test_looks_at_a_clock() -> None:
    tests = [(path, tree) for path, tree in timeless() if path.name.startswith("test_")]
    assert [(path.name, name) for path, tree in tests for name in clocks(tree)] == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("def test_a():\n    print(1)", ["test_a"]),
        ("def look():\n    print(1)\ndef test_a():\n    look()", ["test_a"]),
        ("def look():\n    assert 1\ndef go():\n    look()\ndef test_a():\n    go()", []),
        ("def test_a():\n    with pytest.raises(ValueError):\n        go()", []),
        ("time.sleep(1)", ["sleep(1)"]),
        ("async def test_a():\n    assert await asyncio.sleep(0.1)", ["sleep(0.1)"]),
        ("async def test_a():\n    assert await asyncio.sleep(0)", []),
        ("async def test_a():\n    assert await pilot.pause(0.5)", ["pause(0.5)"]),
        ("import os, time", ["time"]),
        ("from time import monotonic", ["time"]),
    ],
)
def test_what_is_planted_is_found(planted: str, found: list[str]) -> None:
    tree = ast.parse(planted)
    assert [*empty([tree]), *sleeps(tree), *clocks(tree)] == found


def test_every_picture_belongs_to_a_test() -> None:
    names = {path: {one.name for one in functions(tree)} for path, tree in modules()}
    for picture in HERE.rglob("__snapshots__/*/*.svg"):
        module = picture.parents[2] / f"{picture.parent.name}.py"
        assert picture.name.partition("[")[0].removesuffix(".svg") in names[module]
