"""All that is wrong with a tree, by taking out what is wrong and reading what is left again.

Of a list one mistake is told at a time: without it, the numbers of the others would be wrong.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from octochat.context.codec.errors import Path, TreeError

Tree: TypeAlias = dict[str, Any]

MOST = 20
"""So many are told at once."""


def mistakes(tree: Tree, read: Callable[[Tree], object]) -> list[TreeError]:
    """What `read` finds wrong, in the order in which it finds it."""
    found: list[TreeError] = []
    while len(found) < MOST:
        try:
            read(tree)
        except TreeError as error:
            found.append(error)
            left = _without(tree, error.path)
            if left is None:
                break
            tree = left
        else:
            break
    return found


def _without(tree: Tree, path: Path) -> Tree | None:
    """The tree without what stands at the path, or the nearest that holds it; None: it is all."""
    if not path or path[0] not in tree:
        return None
    key, *rest = path
    kept = {name: value for name, value in tree.items() if name != key}
    inner = tree[str(key)]
    left = _without(cast("Tree", inner), tuple(rest)) if isinstance(inner, dict) else None
    return kept if left is None else {**kept, str(key): left}
