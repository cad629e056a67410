"""Which strategies a configuration may use: octochat's own, installed ones, and those it names.

Packages offer theirs in the entry-point group `octochat.strategies`. A configuration names one as
`my_module:DropFailures`: the file `my_module.py` beside it, or else any module that Python finds.
One that can't be used is a notice, and the rest goes on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias, cast

from octochat.config.compression import CompressionSettings
from octochat.config.imported import StrategyError, imported, unusable
from octochat.config.originals import strategy_name
from octochat.config.schema import ContextSettings
from octochat.context.codec.errors import nearest
from octochat.context.codec.trees import TreeError, from_tree
from octochat.context.plans.strategy import Strategy, section
from octochat.context.strategies import STRATEGIES

Tree: TypeAlias = dict[str, Any]

GROUP = "octochat.strategies"


REMEDY = "to trust this folder, add it to permissions.trusted_folders in your own configuration"


@dataclass(frozen=True, slots=True)
class KnownStrategies:
    """The strategies that there are."""

    types: Mapping[str, type[Strategy]] = field(default_factory=lambda: STRATEGIES)
    """By their names."""
    named: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of those that a configuration names as `my_module:DropFailures`."""
    notices: tuple[str, ...] = ()
    """What can't be used, one line each."""

    def with_named(self, names: Iterable[str], folder: Path) -> "KnownStrategies":
        """With those that a configuration in `folder` names."""
        known = self
        for name in names:
            try:
                found = imported(name, folder)
                known = known.added(name, found)
                known = replace(known, named={**known.named, name: found.name})
            except StrategyError as error:
                known = known.told(str(error))
        return known

    def added(self, source: str, strategy: type[Strategy]) -> "KnownStrategies":
        """With one more.

        Raises:
            StrategyError: its name is taken.
        """
        if self.types.get(strategy.name, strategy) is not strategy:
            raise unusable(source, f'there is another strategy "{strategy.name}"')
        return replace(self, types={**self.types, strategy.name: strategy})

    def without(self, names: Iterable[str], where: str) -> "KnownStrategies":
        """A configuration names these, but the folder that it stands in is not trusted."""
        listed = ", ".join(f'"{name}"' for name in names)
        return self.told(f"{where}: {listed} is not loaded; {REMEDY}") if listed else self

    def told(self, *notices: str) -> "KnownStrategies":
        """With more notices."""
        return replace(self, notices=(*self.notices, *notices))


def installed() -> KnownStrategies:
    """Octochat's own, and those of installed packages."""
    known = KnownStrategies()
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            known = known.added(point.value, imported(point.value))
        except StrategyError as error:
            known = known.told(str(error))
    return known


def foreign(tree: Mapping[str, Any]) -> tuple[str, ...]:
    """What a TOML tree names as `my_module:DropFailures`."""
    context: object = tree.get("context")
    names = cast("Tree", context).get("strategies") if isinstance(context, dict) else None
    listed = cast("list[object]", names) if isinstance(names, list) else []
    return tuple(name for name in listed if isinstance(name, str) and ":" in name)


def pipeline_of(names: Iterable[str], known: KnownStrategies) -> tuple[str, ...]:
    """The names of the strategies in force; those that could not be loaded are left out.

    Raises:
        TreeError: there is no such strategy, or one is listed twice.
    """
    found: list[str] = []
    for index, said in enumerate(names):
        path = ("context", "strategies", index)
        name = known.named.get(said) or _own_name(said, path, known)
        if name in found:
            raise TreeError(path, f'"{name}" is listed twice')
        if name in known.types:
            found.append(name)
        elif ":" not in name:
            raise TreeError(path, f'there is no strategy "{name}"', nearest(name, known.types))
    return tuple(found)


def _own_name(said: str, path: tuple[str | int, ...], known: KnownStrategies) -> str:
    """Octochat's name for a strategy; an original's is understood where there is no such one.

    Raises:
        TreeError: it could mean two.
    """
    if said in known.types:
        return said
    try:
        name = strategy_name(said)
    except TreeError as error:
        raise TreeError(path, error.message) from None
    return name if name in known.types else said


def without_strategies(tree: Tree, known: KnownStrategies) -> tuple[Tree, Tree]:
    """The tree, and what was taken out of it: the tables of strategies under `context`.

    Raises:
        TreeError: a table is nobody's.
    """
    context = tree.get("context")
    if not isinstance(context, dict):
        return tree, {}
    keys = [part.name for part in fields(ContextSettings)]
    own: Tree = {}
    tables: Tree = {}
    for key, value in cast("Tree", context).items():
        if key in keys:
            own[key] = value
            continue
        if key in known.types and (place := section(known.types[key])) != f"context.{key}":
            raise TreeError(("context", key), f"its settings belong in [{place}]")
        near = nearest(key, [*keys, *known.types])
        if key not in known.types and (near or not known.notices):
            raise TreeError(("context", key), "unknown key", near)
        tables[key] = value  # of one that could not be loaded, nobody reads it
    return {**tree, "context": own}, tables


def strategies_of(
    tables: Tree, compression: CompressionSettings, known: KnownStrategies
) -> Mapping[str, Strategy]:
    """Every strategy with its settings.

    Raises:
        TreeError: a setting is wrong.
    """
    return {
        name: _made(cls, tables.get(name, {}), compression) for name, cls in known.types.items()
    }


def with_compression(
    strategies: Mapping[str, Strategy], compression: CompressionSettings
) -> Mapping[str, Strategy]:
    """The strategies, those that read [compression] with these settings."""
    return {
        name: _made(type(each), {}, compression) if section(type(each)) == "compression" else each
        for name, each in strategies.items()
    }


def _made(cls: type[Strategy], table: object, compression: CompressionSettings) -> Strategy:
    """A strategy with its settings, which may stand in [compression]."""
    if section(cls) == "compression":
        keys = [part.name for part in fields(cast("Any", cls))]
        return cls(**{key: getattr(compression, key) for key in keys})
    try:
        return from_tree(cls, table)
    except TreeError as error:
        raise error.inside(cls.name).inside("context") from None
