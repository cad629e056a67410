"""Frozen dataclasses to plain JSON or TOML trees and back, strictly, by their type hints alone.

A dataclass is a table of its fields. Where a hint allows several dataclasses, the table says which
under `kind` (the class name in snake case). It knows nothing of files, logs or configuration.
"""

import json
from typing import Any, TypeVar, overload

from octochat.context.codec.decode import Constraint, reader
from octochat.context.codec.encode import kind_of, writer
from octochat.context.codec.errors import TreeError, dotted

__all__ = ["Constraint", "TreeError", "canonical", "dotted", "from_tree", "kind_of", "to_tree"]

T = TypeVar("T")


def to_tree(value: object, hint: object = None) -> Any:
    """The tree of a value; fields that equal their default are left out.

    `hint` is the type that the reader will be given, where that is a union and the value must be
    tagged for it; a value inside another is tagged as its field's type wants it.

    Raises:
        TreeError: the value holds something that JSON can't (such as an infinite number).
    """
    return writer(type(value) if hint is None else hint)(value)


@overload
def from_tree(hint: type[T], tree: object) -> T: ...
@overload
def from_tree(hint: object, tree: object) -> Any: ...
def from_tree(hint: object, tree: object) -> Any:
    """The value of type `hint` (a class, a union, any type form) that a tree stands for.

    A dataclass may add checks of its own: a `ValueError` from `__post_init__` gets the path.

    Raises:
        TreeError: the tree is not of that form; it says where, what was expected and what came.
    """
    return reader(hint)(tree)


def canonical(value: object, hint: object = None) -> str:
    """Compact JSON with sorted keys: equal values give equal text. It is always valid UTF-8."""
    tree = to_tree(value, hint)
    text = json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()  # lone surrogates become escapes
