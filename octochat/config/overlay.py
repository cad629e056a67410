"""One configuration laid over another, as trees: what wins, what adds up, and who said what."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias, cast

from octochat.context.codec.errors import dotted

Tree: TypeAlias = dict[str, Any]


def keys_of(tree: Tree, file: Path, above: tuple[str, ...] = ()) -> dict[str, Path]:
    """Every key of a tree by its path, with the file that it stands in."""
    found: dict[str, Path] = {}
    for key, value in tree.items():
        path = (*above, key)
        if isinstance(value, dict):
            found |= keys_of(cast("Tree", value), file, path)
        else:
            found[dotted(path)] = file
    return found


def laid_over(upper: Tree, lower: Tree) -> Tree:
    """Two trees as one: tables merge, everything else of the upper wins; permissions add up."""
    merged = dict(lower)
    for key, value in upper.items():
        below = lower.get(key)
        tables = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = laid_over(cast("Tree", value), cast("Tree", below)) if tables else value
    if "permissions" in upper and "permissions" in lower:
        lists = ("allow", "ask", "deny")
        merged["permissions"] |= _added(lower["permissions"], upper["permissions"], lists)
    if "hooks" in upper and "hooks" in lower:
        every = (*lower["hooks"], *upper["hooks"])
        merged["hooks"] = _added(lower["hooks"], upper["hooks"], every)
    return merged


def _added(lower: Tree, upper: Tree, keys: Iterable[str]) -> Tree:
    """The lists of both: a project takes nothing away."""
    return {key: [each for said in (lower, upper) for each in said.get(key, [])] for key in keys}
