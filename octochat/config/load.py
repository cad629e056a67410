"""The configuration: which files count, TOML to a tree of dataclasses, and what is wrong with it.

`--config` or `OCTOCHAT_CONFIG` names one file that counts alone. Without them the project's
`.octochat/config.toml` is laid over the user's own file: tables are merged key by key, lists
replaced, and the permissions of both hold. What a project allows counts only where the user trusts
the folder: a repository that was just cloned must not be able to permit itself anything.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias, cast

import tomli
from platformdirs import user_config_path

from octochat.config.compression import CompressionSettings
from octochat.config.schema import ContextSettings, PermissionSettings, Settings
from octochat.context.codec.errors import nearest, wrong
from octochat.context.codec.trees import PlainError, from_plain
from octochat.context.plans.strategy import Strategy, section
from octochat.context.strategies import STRATEGIES
from octochat.models.catalogue import ModelSettings, bare
from octochat.permissions import rules

Tree: TypeAlias = dict[str, Any]

VARIABLE = "OCTOCHAT_CONFIG"


class ConfigError(Exception):
    """The configuration is wrong; the message names the file, the key, and what was expected."""


@dataclass(frozen=True, slots=True)
class Config(Settings):
    """All settings, those of the strategies included."""

    strategy: Mapping[str, Strategy] = field(
        default_factory=lambda: _strategies({}, CompressionSettings())
    )
    """Every strategy by its name, with its settings."""

    @property
    def pipeline(self) -> tuple[Strategy, ...]:
        """The strategies in force, in their order."""
        return tuple(self.strategy[name] for name in self.context.strategies)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration, and where it came from."""

    config: Config
    files: tuple[Path, ...] = ()
    """What was read, the strongest first."""
    notices: tuple[str, ...] = ()
    """What a person should know of it, one line each."""


def load(folder: Path, *, flag: Path | None = None, own: Path | None = None) -> Loaded:
    """The configuration for working in `folder`; the defaults where there is no file.

    `flag` is what `--config` says, `own` the user's file instead of the usual one.

    Raises:
        ConfigError: a file can't be read or something in it is wrong.
    """
    variable = os.environ.get(VARIABLE)
    named = flag or (Path(variable).expanduser() if variable else None)
    if named is not None:
        return Loaded(_parsed(_read(named), named), (named,))
    own = own or user_file()
    project = project_file(folder)
    trees = {path: _read(path) for path in (project, own) if path.is_file()}
    for path, tree in trees.items():
        _parsed(tree, path)  # each must stand alone, so that an error names its file
    lower, upper = trees.get(own, {}), trees.get(project, {})
    upper, notices = _trusted(upper, lower, folder, project)
    return Loaded(_parsed(_over(upper, lower), next(iter(trees), own)), tuple(trees), notices)


def user_file() -> Path:
    """The user's own configuration file, whether it exists or not."""
    return user_config_path("octochat") / "config.toml"


def project_file(folder: Path) -> Path:
    """The configuration file of the project in `folder`, whether it exists or not."""
    return folder / ".octochat" / "config.toml"


def parse(text: str, where: Path) -> Config:
    """The configuration that a TOML text says; `where` stands in error messages.

    Raises:
        ConfigError: it is no TOML, or a key or value is wrong.
    """
    try:
        tree = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{where}: this is not TOML: {error}") from error
    return _parsed(tree, where)


def _read(path: Path) -> Tree:
    try:
        return tomli.loads(path.read_text(encoding="utf-8"))
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{path}: this is not TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: this is not UTF-8 text") from error
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error


def _parsed(tree: Tree, where: Path) -> Config:
    try:
        return config_of(tree)
    except PlainError as error:
        raise ConfigError(f"{where}: {error}") from error


def config_of(tree: Tree) -> Config:
    """The configuration that a TOML tree says.

    Raises:
        PlainError: a key or value is wrong.
    """
    rest, tables = _without_strategies(tree)
    settings = from_plain(Settings, rest)
    _check_pipeline(settings.context.strategies)
    _check_models(settings.models)
    _check_rules(settings.permissions)
    values = {part.name: getattr(settings, part.name) for part in fields(Settings)}
    values["models"] = {bare(name): known for name, known in settings.models.items()}
    return Config(**values, strategy=_strategies(tables, settings.compression))


def _check_pipeline(names: tuple[str, ...]) -> None:
    for index, name in enumerate(names):
        path = ("context", "strategies", index)
        if name not in STRATEGIES:
            raise PlainError(path, f'there is no strategy "{name}"', nearest(name, STRATEGIES))
        if name in names[:index]:
            raise PlainError(path, f'"{name}" stands there twice')


def _check_rules(permissions: PermissionSettings) -> None:
    for key in ("allow", "ask", "deny"):
        patterns: tuple[str, ...] = getattr(permissions, key)
        for index, text in enumerate(patterns):
            try:
                rules.parse(text)
            except ValueError as error:
                raise PlainError(("permissions", key, index), str(error)) from None


def _check_models(models: Mapping[str, ModelSettings]) -> None:
    for name, settings in models.items():
        for part in fields(settings):
            value = getattr(settings, part.name)
            least = 1 if part.name in ("window", "max_output") else 0
            if value is not None and not isinstance(value, str) and value < least:
                raise wrong(f"{least} or more", value, path=("models", name, part.name))


def _without_strategies(tree: Tree) -> tuple[Tree, Tree]:
    """The tree, and what was taken out of it: the tables of strategies under `context`."""
    context = tree.get("context")
    if not isinstance(context, dict):
        return tree, {}
    keys = [part.name for part in fields(ContextSettings)]
    own: Tree = {}
    tables: Tree = {}
    for key, value in cast("Tree", context).items():
        if key in STRATEGIES and (place := section(STRATEGIES[key])) != f"context.{key}":
            raise PlainError(("context", key), f"its settings belong in [{place}]")
        if key not in keys and key not in STRATEGIES:
            raise PlainError(("context", key), "unknown key", nearest(key, [*keys, *STRATEGIES]))
        (own if key in keys else tables)[key] = value
    return {**tree, "context": own}, tables


def _strategies(tables: Tree, compression: CompressionSettings) -> Mapping[str, Strategy]:
    return {
        name: _strategy(cls, tables.get(name, {}), compression) for name, cls in STRATEGIES.items()
    }


def _strategy(cls: type[Strategy], table: object, compression: CompressionSettings) -> Strategy:
    """A strategy with its settings, which may stand in [compression]."""
    if section(cls) == "compression":
        keys = [part.name for part in fields(cast("Any", cls))]
        return cls(**{key: getattr(compression, key) for key in keys})
    try:
        return from_plain(cls, table)
    except PlainError as error:
        raise error.inside(cls.name).inside("context") from None


def _trusted(upper: Tree, lower: Tree, folder: Path, project: Path) -> tuple[Tree, tuple[str, ...]]:
    """The project's tree without what it must not say, and the lines that tell so."""
    said: Tree = upper.get("permissions", {})
    trusted: list[str] = lower.get("permissions", {}).get("trusted_folders", [])
    kept = {key: value for key, value in said.items() if key != "trusted_folders"}
    if any(Path(name).expanduser().resolve() == folder.resolve() for name in trusted):
        return {**upper, "permissions": kept}, ()
    notices: tuple[str, ...] = ()
    if kept.pop("allow", []):
        ignored = f"{project}: the rules in its permissions.allow are ignored"
        remedy = "add it to permissions.trusted_folders in your own configuration"
        notices = (f"{ignored}; to trust this folder, {remedy}",)
    return {**upper, "permissions": kept}, notices


def _over(upper: Tree, lower: Tree) -> Tree:
    """Two trees as one: tables merge, everything else of the upper wins; permissions add up."""
    merged = dict(lower)
    for key, value in upper.items():
        below = lower.get(key)
        tables = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = _over(cast("Tree", value), cast("Tree", below)) if tables else value
    if "permissions" in upper and "permissions" in lower:
        lists = ("allow", "ask", "deny")
        both = (lower["permissions"], upper["permissions"])
        merged["permissions"] |= {k: [x for said in both for x in said.get(k, [])] for k in lists}
    return merged
