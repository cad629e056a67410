"""Reads a call's arguments, which a model wrote and nobody has checked."""

from collections.abc import Iterable, Mapping
from typing import cast

from octochat.tools.base import Arguments, ToolError


def text(arguments: Arguments, name: str) -> str:
    """A required string.

    Raises:
        ToolError: it is missing or something else.
    """
    value = arguments.get(name)
    if isinstance(value, str):
        return value
    raise ToolError(_wrong(name, "a string", value))


def optional_text(arguments: Arguments, name: str) -> str:
    """A string; empty where it is missing or null.

    Raises:
        ToolError: it is something else.
    """
    return "" if arguments.get(name) is None else text(arguments, name)


def flag(arguments: Arguments, name: str) -> bool:
    """A boolean; false where it is missing or null.

    Raises:
        ToolError: it is something else.
    """
    value = arguments.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise ToolError(_wrong(name, "true or false", value))


def count(arguments: Arguments, name: str) -> int:
    """A whole number; 0 where it is missing or null.

    Raises:
        ToolError: it is something else, or below 0.
    """
    value = arguments.get(name)
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ToolError(_wrong(name, "a whole number from 0 up", value))


def line_range(arguments: Arguments, name: str) -> tuple[int, int | None] | None:
    """First and last line, counted from 1, the last one None for the end of the file.

    Raises:
        ToolError: it is not `[start_line, end_line]`, or no line lies in it.
    """
    value = arguments.get(name)
    if value is None:
        return None
    numbers = cast("list[object]", value) if isinstance(value, list) else []
    match numbers:
        case [int(first), int(last)]:
            start, end = max(first, 1), (last if last > 0 else None)
        case _:
            raise ToolError(f"{name} must be [start_line, end_line], two whole numbers")
    if end is not None and end < start:
        raise ToolError(f"{name} [{first}, {last}] holds no line: the end is before the start")
    return start, end


def known(arguments: Arguments, names: Iterable[str]) -> None:
    """Check that nothing is there but what the tool takes.

    Raises:
        ToolError: there is.
    """
    extra = sorted(set(arguments) - set(names))
    if extra:
        raise ToolError(f"unknown argument {', '.join(extra)}: this tool takes {', '.join(names)}")


def schema(required: Iterable[str], **properties: Mapping[str, object]) -> Mapping[str, object]:
    """The JSON schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _wrong(name: str, wanted: str, value: object) -> str:
    if value is None:
        return f"{name} is missing: it must be {wanted}"
    return f"{name} must be {wanted}, not {type(value).__name__}"
