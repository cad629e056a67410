"""The words of the originals that the strategies come from, understood where they are pasted.

`FIFO`, `sliding_window_turns`, `contextPruning` with its camel case: each becomes octochat's own
key, and what can't be told apart is an error that names both.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

from octochat.context.codec.errors import dotted
from octochat.context.codec.trees import TreeError

Tree: TypeAlias = dict[str, Any]

_STRATEGIES = {
    "priority_based": "priority",
    "truncate": "group_truncate",
    "hybrid": "group_hybrid",
    "conversation_pruner": "group_hybrid",
    "agentic_conversation_pruner": "tool_cleanup",
    "context_pruning": "ttl_prune",
    "cache_ttl": "ttl_prune",
}
"""Names of strategies, in snake case."""
_AMBIGUOUS = {
    "SlidingWindow": '"sliding_window" keeps the last turns (Octopus), "sliding_window_tokens" the '
    "tokens that fit (the context strategy trait)"
}
_ZONED = ("group_hybrid", "group_summarize", "group_truncate", "tool_cleanup")
_KEYS = {
    "sliding_window_turns": (("context", "sliding_window", "turns"),),
    "min_history_messages": (("context", "fifo", "min_history_messages"),),
    "conversation_prune_safe_zone_tokens": tuple(
        ("context", name, "safe_zone_tokens") for name in _ZONED
    ),
}
"""Keys, in snake case, and what octochat calls them; they stand at the top or in [context]."""
_PRUNING = ("context", "ttl_prune")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|-")


def strategy_name(said: str) -> str:
    """The strategy that an original calls so; a name that none has stays as it is.

    Raises:
        TreeError: two originals mean different ones.
    """
    if meant := _AMBIGUOUS.get(said):
        raise TreeError((), f'"{said}" may be either: {meant}')
    if ":" in said:
        return said
    return _STRATEGIES.get(_snake(said), _snake(said))


def translated(tree: Mapping[str, Any]) -> Tree:
    """The tree with the originals' keys as octochat's.

    Raises:
        TreeError: the file has both.
    """
    made = _copied(tree)
    for path, value in _found(tree):
        _take(made, path)
        for target in _targets(path[-1]):
            _put(made, target, _snaked(value) if target == _PRUNING else value, path)
    if (own := _at(made, _PRUNING)) is not None:
        made["context"]["ttl_prune"] = _snaked(own)
    return made


def _targets(key: str) -> tuple[tuple[str, ...], ...]:
    match _snake(key):
        case "context_pruning":
            return (_PRUNING,)
        case "context_tokens":
            return ((*_PRUNING, "context_tokens"),)
        case word:
            return _KEYS.get(word, ())


def _found(tree: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    """What an original calls otherwise: at the top, in [context], and in OpenClaw's own tables."""
    for place in ((), ("context",), ("agents", "defaults")):
        table = _at(tree, place)
        if not isinstance(table, dict):
            continue
        for key, value in cast("Tree", table).items():
            if _targets(key):
                yield (*place, key), value


def _at(tree: Mapping[str, Any], path: tuple[str, ...]) -> object:
    found: Any = tree
    for key in path:
        found = cast("Tree", found).get(key) if isinstance(found, dict) else None
    return found


def _take(tree: Tree, path: tuple[str, ...]) -> None:
    """Without the key; tables that are empty then go, too."""
    *above, key = path
    table = _at(tree, tuple(above))
    if isinstance(table, dict):
        cast("Tree", table).pop(key)
        if above and not table and above != ["context"]:
            _take(tree, tuple(above))


def _put(tree: Tree, path: tuple[str, ...], value: object, said: tuple[str, ...]) -> None:
    *above, key = path
    table = tree
    for step in above:
        inner: object = table.setdefault(step, cast("Tree", {}))
        if not isinstance(inner, dict):
            return  # what is wrong with it is said when it is read
        table = cast("Tree", inner)
    if key in table:
        raise TreeError(said, f'this is octochat\'s "{dotted(path)}", which stands there, too')
    table[key] = value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in cast("Tree", value).items()}
    return value


def _snaked(value: Any) -> Any:
    """A table with its keys, and those of the tables in it, in snake case."""
    if isinstance(value, dict):
        return {_snake(key): _snaked(inner) for key, inner in cast("Tree", value).items()}
    return value


def _snake(word: str) -> str:
    return _CAMEL.sub("_", word).lower().replace("__", "_")
