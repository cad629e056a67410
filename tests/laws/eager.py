"""Settings with which a strategy acts in a small world, made from its fields.

No strategy is named: the laws hold for a new one without a line here.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import chain, islice, product
from typing import Any, cast

from octochat.context.codec.errors import TreeError
from octochat.context.codec.trees import from_tree, to_tree
from octochat.context.plans.strategy import Strategy
from tests.laws.world import WINDOW

MOST = 2_000
"""Variants of one strategy."""
LARGE, HUGE = 100, 10_000
"""From here on a number is one of tokens or characters, and one of a whole context."""


def variants(strategy: type[Strategy]) -> list[Strategy]:
    """The strategy with all that its fields can be where the window is small."""
    names = [part.name for part in fields(cast("Any", strategy))]
    options = [_options(getattr(strategy(), name)) for name in names]
    trees = (dict(zip(names, chosen, strict=True)) for chosen in product(*options))
    return list(islice(chain.from_iterable(_made(strategy, tree) for tree in trees), MOST))


def _made(strategy: type[Strategy], tree: dict[str, object]) -> Iterator[Strategy]:
    """The strategy with these settings, if its own rules allow them."""
    try:
        yield from_tree(strategy, tree)
    except TreeError:
        return


def _options(default: object) -> list[object]:
    """What takes the place of a default."""
    match default:
        case bool():
            return [default, not default]
        case int() if default >= HUGE:
            return [default * WINDOW // 200_000, default * WINDOW // 400_000]
        case int() if default >= LARGE:
            return [default // 5, default // 40]
        case int():
            return [2, max(default // 2, 1)] if default else [600, 900]
        case float():
            return [default, default / 2]
        case tuple():
            items = cast("tuple[object, ...]", default)
            return [[_lowered(to_tree(item)) for item in items]] if items else [[]]
        case _ if is_dataclass(default):
            return [{p.name: _options(getattr(default, p.name))[-1] for p in fields(default)}]
        case _:
            return [to_tree(default)]


def _lowered(item: object) -> object:
    """A table in which whole numbers are the second of what they can be."""
    if not isinstance(item, dict):
        return item
    table = cast("dict[str, object]", item)
    return {k: _options(v)[1] if isinstance(v, int) else v for k, v in table.items()}
