"""A small language for the shapes of JSON: what is required, what is allowed, nothing else."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard

from tests.server.refusal import ApiRefusal, Json

Check: TypeAlias = Callable[[Any, str], None]
"""Raises an `ApiRefusal` that names the path, or does nothing."""


def is_object(value: Any) -> TypeGuard[Json]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def refuse(path: str, message: str) -> ApiRefusal:
    return ApiRefusal(f"{path}: {message}")


def any_value(value: Any, path: str) -> None:
    """Take everything."""


def string(value: Any, path: str) -> None:
    if not isinstance(value, str):
        raise refuse(path, "Input should be a valid string")


def boolean(value: Any, path: str) -> None:
    if not isinstance(value, bool):
        raise refuse(path, "Input should be a valid boolean")


def integer(value: Any, path: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise refuse(path, "Input should be a valid integer")


def number(value: Any, path: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(path, "Input should be a valid number")


def mapping(value: Any, path: str) -> None:
    if not is_object(value):
        raise refuse(path, "Input should be a valid dictionary")


def matching(pattern: str) -> Check:
    compiled = re.compile(pattern)

    def check(value: Any, path: str) -> None:
        string(value, path)
        if not compiled.fullmatch(value):
            raise refuse(path, f"String should match pattern '^{pattern}$'")

    return check


def one_of(*values: str) -> Check:
    def check(value: Any, path: str) -> None:
        if value not in values:
            raise refuse(path, f"Input should be {' or '.join(map(repr, values))}")

    return check


def maybe(inner: Check) -> Check:
    """Null, or what `inner` takes."""

    def check(value: Any, path: str) -> None:
        if value is not None:
            inner(value, path)

    return check


def each(inner: Check) -> Check:
    """A list whose items all are what `inner` takes."""

    def check(value: Any, path: str) -> None:
        if not is_list(value):
            raise refuse(path, "Input should be a valid list")
        for index, item in enumerate(value):
            inner(item, f"{path}.{index}")

    return check


def text_or(inner: Check) -> Check:
    """A string, or what `inner` takes."""

    def check(value: Any, path: str) -> None:
        if not isinstance(value, str):
            inner(value, path)

    return check


@dataclass(frozen=True, slots=True)
class Shape:
    """An object: these keys and no others."""

    required: Mapping[str, Check] = field(default_factory=dict[str, Check])
    optional: Mapping[str, Check] = field(default_factory=dict[str, Check])

    def __call__(self, value: Any, path: str) -> None:
        if not is_object(value):
            raise refuse(path or "body", "Input should be a valid dictionary")
        prefix = f"{path}." if path else ""
        for key in self.required:
            if key not in value:
                raise refuse(f"{prefix}{key}", "Field required")
        for key, item in value.items():
            check = self.required.get(key) or self.optional.get(key)
            if check is None:
                raise refuse(f"{prefix}{key}", "Extra inputs are not permitted")
            check(item, f"{prefix}{key}")


@dataclass(frozen=True, slots=True)
class Tagged:
    """An object whose `type` says which shape it has."""

    shapes: Mapping[str, Shape]

    def __call__(self, value: Any, path: str) -> None:
        if not is_object(value):
            raise refuse(path, "Input should be a valid dictionary")
        if "type" not in value:
            raise refuse(f"{path}.type", "Field required")
        shape = self.shapes.get(value["type"]) if isinstance(value["type"], str) else None
        if shape is None:
            raise refuse(
                path,
                f"Input tag '{value['type']}' found using 'type' does not match any of the"
                f" expected tags: {', '.join(map(repr, self.shapes))}",
            )
        shape(value, path)
