"""From plain trees to values: one strict decoder for each type, made once from its hints."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from octochat.context.codec.encode import (
    Codec,
    any_json,
    default_of,
    kind_of,
    listed,
    mapped,
    number,
    options,
    written_as,
)
from octochat.context.codec.errors import TreeError, nearest, shown, wrong

LARGEST = 2**53
"""Beyond any tokens, dollars or seconds, and what JSON numbers are exact up to (RFC 8259)."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a value must fulfil beyond its type: `Annotated[int, Rule("1 or more", ...)]`."""

    expected: str
    """Completes "expected ..."."""
    holds: Callable[[Any], bool]


@cache
def reader(hint: Any) -> Codec:
    """The decoder of a type."""
    make = _FORMS.get(get_origin(hint))
    if make is not None:
        return make(get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return _read_table(hint)
    return _read_scalar(hint)


def _read_scalar(hint: Any) -> Codec:
    if hint in (object, Any):
        return any_json
    if hint is float:
        return _read_float
    if hint is int:
        return _read_int
    cls = NoneType if hint is None else hint
    names = {str: "a string", bool: "true or false", NoneType: "nothing"}
    expected = names.get(cls)
    if expected is None:
        raise TypeError(f"{hint!r} has no plain form")

    def read(tree: object) -> object:
        if type(tree) is not cls:
            raise wrong(expected, tree)
        return tree

    return read


def _read_int(tree: object) -> int:
    if type(tree) is not int:
        raise wrong("a whole number", tree)
    if abs(tree) > LARGEST:
        raise wrong("a smaller number", tree)
    return tree


def _read_float(tree: object) -> float:
    if isinstance(tree, int | float) and abs(tree) > LARGEST:
        raise wrong("a smaller number", tree)
    return number(tree)


def _read_annotated(args: tuple[Any, ...]) -> Codec:
    if other := written_as(args):
        read_form = reader(other.form)
        return lambda tree: other.from_form(read_form(tree))
    read_value = reader(args[0])
    rules = [rule for rule in args[1:] if isinstance(rule, Constraint)]

    def read(tree: object) -> object:
        value = read_value(tree)
        for rule in rules:
            if not rule.holds(value):
                raise wrong(rule.expected, tree)
        return value

    return read


def _read_list(args: tuple[Any, ...]) -> Codec:
    item = reader(args[0])
    return lambda tree: listed(item, _list(tree))


def _read_tuple(args: tuple[Any, ...]) -> Codec:
    if args[1:] != (...,):
        return _read_fixed([reader(arg) for arg in args])
    item = reader(args[0])
    return lambda tree: tuple(listed(item, _list(tree)))


def _read_fixed(items: list[Codec]) -> Codec:
    def read(tree: object) -> object:
        parts = _list(tree)
        if len(parts) != len(items):
            raise TreeError((), f"expected {len(items)} values, got {len(parts)}")

        def part(place: int) -> object:
            return items[place](parts[place])

        return tuple(listed(part, range(len(items))))

    return read


def _read_mapping(args: tuple[Any, ...]) -> Codec:
    item = reader(args[1])
    return lambda tree: mapped(item, _table(tree))


def _list(tree: object) -> list[object]:
    if not isinstance(tree, list):
        raise wrong("a list", tree)
    return cast("list[object]", tree)


def _table(tree: object) -> dict[str, object]:
    if not isinstance(tree, dict):
        raise wrong("a table", tree)
    return cast("dict[str, object]", tree)


def _read_literal(words: tuple[Any, ...]) -> Codec:
    expected = " or ".join(map(shown, words))
    texts = [word for word in words if isinstance(word, str)]

    def read(tree: object) -> object:
        for word in words:
            if type(tree) is type(word) and tree == word:
                return word
        raise wrong(expected, tree, nearest(tree, texts) if isinstance(tree, str) else None)

    return read


def _read_table(cls: type) -> Codec:
    hints = get_type_hints(cls, include_extras=True)
    readers = {field.name: reader(hints[field.name]) for field in fields(cls) if field.init}
    needed = {field.name for field in fields(cls) if field.init and default_of(field) is MISSING}

    def read(tree: object) -> object:
        values: dict[str, object] = {}
        for key, item in _table(tree).items():
            read_item = readers.get(key)
            if read_item is None:
                raise TreeError((key,), "unknown key", nearest(key, readers))
            try:
                values[key] = read_item(item)
            except TreeError as error:
                raise error.inside(key) from None
        if not needed <= values.keys():
            raise TreeError((min(needed - values.keys()),), "this key is missing")
        return _made(cls, values)

    return read


def _made(cls: type, values: dict[str, object]) -> object:
    try:
        return cls(**values)
    except TreeError:
        raise
    except ValueError as error:
        raise TreeError((), str(error)) from None


def _read_union(args: tuple[Any, ...]) -> Codec:
    tables, others = options(args)
    rest = [reader(other) for other in others if other is not NoneType]
    table = _read_tagged(tables) if len(tables) > 1 else reader(tables[0]) if tables else None
    choices = rest if table is None else [table, *rest]
    optional = NoneType in others

    def read(tree: object) -> object:
        if tree is None and optional:
            return None
        if len(choices) == 1 or (table is not None and isinstance(tree, dict)):
            return choices[0](tree)
        return _first(choices, tree)

    return read


def _first(choices: list[Codec], tree: object) -> object:
    """What the first of the decoders makes of it that takes it."""
    refusals: list[str] = []
    for read in choices:
        try:
            return read(tree)
        except TreeError as error:
            if error.path:  # the right form, with something wrong inside
                raise
            refusals.append(error.message.removeprefix("expected ").partition(", got ")[0])
    raise wrong(" or ".join(refusals), tree)


def _read_tagged(tables: list[type]) -> Codec:
    readers = {kind_of(table): reader(table) for table in tables}
    if len(readers) < len(tables):
        raise TypeError(f"two of {tables} have the same tag")

    def read(tree: object) -> object:
        untagged = dict(_table(tree))
        kind = untagged.pop("kind", None)
        known = readers.get(kind) if isinstance(kind, str) else None
        if known is None:
            near = nearest(kind, readers) if isinstance(kind, str) else None
            raise TreeError(("kind",), _unknown(kind), near)
        return known(untagged)

    return read


def _unknown(kind: object) -> str:
    return "this key is missing" if kind is None else f"unknown kind {shown(kind)}"


_FORMS: Mapping[Any, Callable[[tuple[Any, ...]], Codec]] = {
    Annotated: _read_annotated,
    Union: _read_union,
    UnionType: _read_union,
    Literal: _read_literal,
    tuple: _read_tuple,
    list: _read_list,
    dict: _read_mapping,
    Mapping: _read_mapping,
}
