"""From values to plain trees: one encoder for each type, made once from its hints.

Types are trusted (the type checker has seen them); only what JSON can't hold is refused.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from octochat.context.codec.errors import TreeError, wrong

Codec: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class WrittenAs:
    """A type with another plain form: `Annotated[A | B, WrittenAs(Form, to_form, from_form)]`."""

    form: type
    to_form: Callable[[Any], Any]
    from_form: Callable[[Any], Any]


def written_as(args: tuple[Any, ...]) -> WrittenAs | None:
    """The other form that an annotation asks for."""
    return next((arg for arg in args[1:] if isinstance(arg, WrittenAs)), None)


@cache
def kind_of(cls: type) -> str:
    """The tag of a dataclass in a union: that of `ToolCall` is `tool_call`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()


def default_of(field: Field[Any]) -> object:
    """What a field holds that is not given; `MISSING` where it must be given."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def options(args: tuple[Any, ...]) -> tuple[list[type], list[Any]]:
    """A union's dataclasses, and its other members."""
    tables = [arg for arg in args if isinstance(arg, type) and is_dataclass(arg)]
    return tables, [arg for arg in args if arg not in tables]


@cache
def writer(hint: Any) -> Codec:
    """The encoder of a type."""
    make = _FORMS.get(get_origin(hint))
    if make is not None:
        return make(get_args(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return _write_table(hint)
    if hint in (str, int, bool, NoneType, None):
        return _as_it_is
    return any_json  # `float`, `object`, and bare containers


def number(tree: object) -> float:
    """A finite number."""
    if type(tree) not in (int, float) or not isfinite(cast("float", tree)):
        raise wrong("a number", tree)
    return float(cast("float", tree))


def any_json(tree: object) -> object:
    """Any JSON value, in JSON's own types."""
    match tree:
        case None | str() | int():
            return tree
        case float():
            return number(tree)
        case Mapping():
            return mapped(any_json, cast("Mapping[str, object]", tree))
        case list() | tuple():
            return listed(any_json, cast("list[object]", tree))
        case _:
            raise wrong("a JSON value", tree)


def listed(codec: Codec, tree: Iterable[object]) -> list[Any]:
    """Every item through the codec; an error learns its index."""
    done: list[Any] = []
    try:
        for item in tree:
            done.append(codec(item))  # noqa: PERF401 - its length is the index of the culprit
    except TreeError as error:
        raise error.inside(len(done)) from None
    return done


def mapped(codec: Codec, tree: Mapping[str, object]) -> dict[str, Any]:
    """Every value through the codec; an error learns its key."""
    done: dict[str, Any] = {}
    for key, item in tree.items():
        if type(key) is not str:
            raise wrong("a string as key", key)
        try:
            done[key] = codec(item)
        except TreeError as error:
            raise error.inside(key) from None
    return done


def _as_it_is(value: object) -> object:
    return value


def _write_annotated(args: tuple[Any, ...]) -> Codec:
    other = written_as(args)
    if other is None:
        return writer(args[0])
    write = writer(other.form)
    return lambda value: write(other.to_form(value))


def _write_list(args: tuple[Any, ...]) -> Codec:
    if args[1:] not in ((), (...,)):
        return _write_fixed([writer(arg) for arg in args])
    item = writer(args[0])
    return lambda value: listed(item, value)


def _write_fixed(items: list[Codec]) -> Codec:
    return lambda value: [write(part) for write, part in zip(items, value, strict=True)]


def _write_mapping(args: tuple[Any, ...]) -> Codec:
    item = writer(args[1])
    return lambda value: mapped(item, value)


def _write_table(cls: type) -> Codec:
    hints = get_type_hints(cls, include_extras=True)
    parts = [(f.name, default_of(f), writer(hints[f.name])) for f in fields(cls)]

    def write(value: object) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for name, default, write_part in parts:
            part = getattr(value, name)
            if part != default:
                try:
                    tree[name] = write_part(part)
                except TreeError as error:
                    raise error.inside(name) from None
        return tree

    return write


def _write_union(args: tuple[Any, ...]) -> Codec:
    tables, others = options(args)
    tagged = len(tables) > 1
    writers: dict[type, Codec] = {cls: _tagged(cls) if tagged else writer(cls) for cls in tables}
    for other in others:
        for cls in _CONTAINERS.get(get_origin(other), ()):
            writers.setdefault(cls, writer(other))

    def write(value: object) -> Any:
        return writers.get(type(value), any_json)(value)

    return write


def _tagged(cls: type) -> Codec:
    if any(field.name == "kind" for field in fields(cls)):
        raise TypeError(f"{cls.__name__}.kind would hide the tag of its union")
    kind, write = kind_of(cls), writer(cls)
    return lambda value: {"kind": kind, **write(value)}


_CONTAINERS: Mapping[Any, tuple[type, ...]] = {
    tuple: (tuple, list),
    list: (tuple, list),
    dict: (dict,),
    Mapping: (dict,),
}
_FORMS: Mapping[Any, Callable[[tuple[Any, ...]], Codec]] = {
    Annotated: _write_annotated,
    Union: _write_union,
    UnionType: _write_union,
    Literal: lambda _: _as_it_is,
    tuple: _write_list,
    list: _write_list,
    dict: _write_mapping,
    Mapping: _write_mapping,
}
