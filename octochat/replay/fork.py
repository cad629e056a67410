"""A second copy of something that is under way, which then goes its own way."""

from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def forked(value: T) -> T:
    """The same, with lists, sets and dictionaries of its own; what these hold is shared."""
    twin = copy(value)
    for field in fields(value):
        held: object = getattr(value, field.name)
        if isinstance(held, list | set | dict):
            setattr(twin, field.name, copy(held))  # pyright: ignore[reportUnknownArgumentType]
    return twin
