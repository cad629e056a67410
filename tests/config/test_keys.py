"""No key of the configuration is dead: something in octochat reads each one."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import octochat
from octochat.config.schema import Settings
from octochat.context.strategies import STRATEGIES
from octochat.models.catalogue import ModelSettings

PACKAGE = Path(octochat.__file__).parent
CHECKING = ("compression.py", "schema.py", "example.py")
"""Files of `octochat/config` that know every key without using it."""
TABLES: tuple[type, ...] = (Settings, ModelSettings, *STRATEGIES.values())


def keys(table: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every key of a table and of the tables in it, and where it stands."""
    hints = get_type_hints(table)
    for part in fields(table):
        here = f"{path}.{part.name}"
        yield part.name, here
        for inner in tables_in(hints[part.name]):
            yield from keys(inner, here)


def tables_in(hint: Any) -> Iterator[type]:
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for part in get_args(hint):
        yield from tables_in(part)


@cache
def read() -> frozenset[str]:
    """Names that octochat reads as attributes, or asks a parsed table for."""
    return frozenset(
        name
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "config" or path.name not in CHECKING
        for name in reads(ast.parse(path.read_text("utf-8")))
    )


def reads(tree: ast.AST) -> Iterator[str]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) if id(node) not in called:
                yield name
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(str(name)), *_]):
                yield name
            case _:
                pass


def dead(table: type) -> list[str]:
    return [path for name, path in keys(table, table.__name__) if name not in read()]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_something_reads_every_key(table: type) -> None:
    assert not dead(table)


@dataclass(frozen=True, slots=True)
class Inner:
    zebra_stripes: int = 0


@dataclass(frozen=True, slots=True)
class Planted:
    max_tokens: int = 0
    inner_tables: tuple[Inner, ...] = ()


def test_a_key_that_nothing_reads_is_found_wherever_it_is_planted() -> None:
    assert dead(Planted) == ["Planted.inner_tables", "Planted.inner_tables.zebra_stripes"]
    assert not set(reads(ast.parse("a.zebra_stripes = 1; a.zebra_stripes()"))) & {"zebra_stripes"}
    assert "zebra_stripes" in set(reads(ast.parse("print(a.zebra_stripes)")))
