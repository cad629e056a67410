"""Reads a call's arguments, which a model wrote and nobody has checked."""

from collections.abc import Iterable, Mapping, Sequence
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


def ranges(arguments: Arguments, name: str) -> Sequence[tuple[int, int | None]]:
    """First and last lines, counted from 1, a last one None for the end; empty where missing.

    One range may stand alone: `[1, 40]` for `[[1, 40]]`.

    Raises:
        ToolError: it is something else, or no line lies in one.
    """
    value = arguments.get(name)
    if value is None:
        return ()
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    one = bool(given) and all(isinstance(number, int) for number in given)  # [1, 50] itself
    return tuple(_range(item, name) for item in ([given] if one else given))


def objects(arguments: Arguments, name: str) -> Sequence[Arguments]:
    """A list of objects; empty where it is missing or null.

    Raises:
        ToolError: it is something else.
    """
    value = arguments.get(name)
    if value is None:
        return ()
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    found = [cast("Arguments", item) for item in items if isinstance(item, Mapping)]
    if len(found) < len(items):
        raise ToolError(f"{name} must be a list of objects")
    return found


def known(arguments: Arguments, names: Iterable[str], formerly: Iterable[str] = ()) -> None:
    """Check that nothing is there but what the tool takes, or took when a session began.

    Raises:
        ToolError: there is.
    """
    extra = sorted(set(arguments) - {*names, *formerly})
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


def _range(value: object, name: str) -> tuple[int, int | None]:
    match value:
        case [int(first), int(last)] if first > 0 and (last >= first or last <= 0):
            return first, (last if last > 0 else None)
        case [int(first), int(last)]:
            raise ToolError(
                f"{name} [{first}, {last}] holds no line: they are counted from 1, and only the "
                "end may be -1"
            )
        case _:
            raise ToolError(f"{name} must be [[first_line, last_line], ...], whole numbers")


def _wrong(name: str, wanted: str, value: object) -> str:
    if value is None:
        return f"{name} is missing: it must be {wanted}"
    return f"{name} must be {wanted}, not {type(value).__name__}"
