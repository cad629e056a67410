"""The JSON object in what a model wrote: in prose, in fences, with small faults, broken off."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, cast


def outermost_object(text: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
    """The outermost JSON object in a text that is `wanted`, mended where it was cut off."""
    start = text.find("{")
    if start < 0:
        return None
    for candidate in _candidates(text[start:]):
        try:
            found, _ = json.JSONDecoder(strict=False).raw_decode(candidate)
        except ValueError:
            continue
        if isinstance(found, dict) and wanted(cast("dict[str, Any]", found)):
            return cast("dict[str, Any]", found)
    return None


def _candidates(text: str) -> Iterator[str]:
    yield text
    yield re.sub(r",\s*([}\]])", r"\1", text)  # a comma too many
    open_ends, inside = _open(text)
    mended = text + '"' if inside else text.rstrip().rstrip(",:")
    yield mended + open_ends
    # Cut in the middle of a key or of an entry: give up the last piece.
    for cut in sorted({m.start() for m in re.finditer(r",", text)}, reverse=True)[:20]:
        shorter = text[:cut]
        ends, within = _open(shorter)
        if not within:
            yield shorter + ends


def _open(text: str) -> tuple[str, bool]:
    """The brackets that would close what is open at the end, and whether that is in a string."""
    stack: list[str] = []
    inside = skip = False
    for char in text:
        if skip:
            skip = False
        elif inside:
            skip = char == "\\"
            inside = char != '"'
        elif char == '"':
            inside = True
        elif char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]" and stack:
            stack.pop()
    return "".join(reversed(stack)), inside
