"""Every strategy that comes with octochat, by its name in the configuration.

A strategy is a class in a module of this package: it is found by its place. The module needs to be
named nowhere, and none knows another.
"""

from collections.abc import Iterator
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules
from typing import cast

from octochat.context.plans.strategy import Strategy


def _found() -> Iterator[type[Strategy]]:
    """The classes with a `name` and a `decide` that the package's modules define."""
    for module in iter_modules(__path__, f"{__name__}."):
        for value in vars(import_module(module.name)).values():
            own = isclass(value) and value.__module__ == module.name
            if own and hasattr(value, "name") and hasattr(value, "decide"):
                yield cast("type[Strategy]", value)


STRATEGIES: dict[str, type[Strategy]] = {
    strategy.name: strategy for strategy in sorted(_found(), key=lambda each: each.name)
}
"""In the order of their names."""
