"""The configuration: which files count, TOML to a tree of dataclasses, and what is wrong with it.

`--config` or `OCTOCHAT_CONFIG` names one file that counts alone. Without them the project's
`.octochat/config.toml` is laid over the user's own file: tables are merged key by key, lists
replaced, and the permissions of both hold. A project may only tighten what the user says, unless
the user trusts it: a repository that was just cloned must not be able to permit itself anything,
to spend, nor to have its own code loaded as a strategy.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

import tomli
from platformdirs import user_config_path

from octochat.config.compression import CompressionSettings
from octochat.config.hook_scripts import commands_in, scripts_in
from octochat.config.mistakes import mistakes
from octochat.config.originals import translated
from octochat.config.overlay import keys_of, laid_over
from octochat.config.profiles import ProfileName, changed, filled
from octochat.config.project_trust import Answers, digest_of, tightened
from octochat.config.schema import PermissionSettings, Settings
from octochat.config.strategies import (
    KnownStrategies,
    foreign,
    installed,
    pipeline_of,
    strategies_of,
    with_compression,
    without_strategies,
)
from octochat.context.codec.errors import nearest, wrong
from octochat.context.codec.trees import TreeError, from_tree
from octochat.context.plans.strategy import Strategy
from octochat.hooks.hook import EVENTS
from octochat.mcp.settings import McpServer, fault
from octochat.models.catalogue import ModelSettings
from octochat.models.names import bare
from octochat.permissions import rule
from octochat.project.text_file import UnusableFileError, read_text_file

Tree: TypeAlias = dict[str, Any]

VARIABLE = "OCTOCHAT_CONFIG"
ANSWERS = "trusted-projects.jsonl"
"""The person's answers, beside their configuration."""
LARGEST = 256 * 1024
"""Bytes of a project's file."""


class ConfigError(Exception):
    """The configuration is wrong: a line for each mistake, with the file, the key, what is due."""


@dataclass(frozen=True, slots=True)
class Config(Settings):
    """All settings, those of the strategies included."""

    strategy: Mapping[str, Strategy] = field(
        default_factory=lambda: strategies_of({}, CompressionSettings(), KnownStrategies())
    )
    """Every strategy by its name, with its settings."""

    @property
    def pipeline(self) -> tuple[Strategy, ...]:
        """The strategies in force, in their order."""
        return tuple(self.strategy[name] for name in self.context.strategies)

    def with_profile(self, profile: ProfileName) -> "Config":
        """The same with another profile; what a person wrote stays."""
        tables = {"compression": self.compression, "recall": self.recall}
        made = replace(self, profile=profile, **changed(self.profile, profile, tables))
        return replace(made, strategy=with_compression(self.strategy, made.compression))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration, and where it came from."""

    config: Config
    files: tuple[Path, ...] = ()
    """What was read, the strongest first."""
    notices: tuple[str, ...] = ()
    """What a person should know of it, one line each."""
    known: KnownStrategies = KnownStrategies()
    trusted: tuple[str, ...] = ()
    """Folders that the person trusts, as they are written."""
    written: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """The keys in force that somebody wrote, as `tools.command_timeout`, and the file of each."""
    left_out: tuple[str, ...] = ()
    """Keys of the project's file that are not taken, because nobody trusts it."""
    digest: str = ""
    """Of the project's file, and of the scripts that its hooks name."""
    alone: bool = False
    """One file was named, and no other counts."""

    def trusts(self, folder: Path) -> bool:
        """Whether the person's own configuration names the folder."""
        named = (at_home(name, "permissions.trusted_folders") for name in self.trusted)
        return any(path.resolve() == folder.resolve() for path in named)


def at_home(name: str, where: str) -> Path:
    """A path that somebody wrote, its `~` followed; `where` it stands is said in the error.

    Raises:
        ConfigError: there is no such user.
    """
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"{where}: there is no user as in {name}") from error


def load(folder: Path, *, flag: Path | None = None, own: Path | None = None) -> Loaded:
    """The configuration for working in `folder`; the defaults where there is no file.

    `flag` is what `--config` says, `own` the user's file instead of the usual one.

    Raises:
        ConfigError: a file can't be read or something in it is wrong.
    """
    variable = os.environ.get(VARIABLE)
    named = flag or (at_home(variable, VARIABLE) if variable else None)
    known = installed()
    if named is not None:
        tree = _read(named)
        known = known.with_named(foreign(tree), named.absolute().parent)
        config = _parsed(tree, named, known)
        trusts = config.permissions.trusted_folders
        return Loaded(
            config, (named,), known.notices, known, trusts, keys_of(tree, named), alone=True
        )
    own = own or user_file()
    project = project_file(folder)
    said = _project_text(project)
    trees = {project: _tree(said, project)} if said is not None else {}
    trees |= {own: _read(own)} if own.is_file() else {}
    lower, upper = trees.get(own, {}), trees.get(project, {})
    known = known.with_named(foreign(lower), own.parent)
    mine = _parsed(lower, own, known)  # each must stand alone, so that an error names its file
    trusts = mine.permissions.trusted_folders
    trusted = Loaded(mine, trusted=trusts).trusts(folder)
    code = foreign(upper)
    known = known.with_named(code, project.parent) if trusted else known.without(code, str(project))
    _parsed(upper, project, known)
    digest = digest_of((said or "") + scripts_in(commands_in(upper.get("hooks", {})), folder))
    answer = True if trusted else Answers(own.with_name(ANSWERS)).of(project, digest)
    upper, left_out = _permitted(upper, lower, answer)
    notices = _untold(project, left_out) if answer is None else ()
    config = _parsed(laid_over(upper, lower), next(iter(trees), own), known)
    written = keys_of(lower, own) | keys_of(upper, project)
    notices = (*notices, *known.notices)
    return Loaded(config, tuple(trees), notices, known, trusts, written, left_out, digest)


def known_here(folder: Path) -> KnownStrategies:
    """The strategies that there are in `folder`; a wrong configuration is a notice."""
    try:
        return load(folder).known
    except ConfigError as error:
        return installed().told(*str(error).split("\n"))


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
    tree = _tree(text, where)
    return _parsed(tree, where, installed().with_named(foreign(tree), where.absolute().parent))


def _read(path: Path) -> Tree:
    try:
        return _tree(path.read_text(encoding="utf-8"), path)
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: this is not UTF-8 text") from error
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error


def _project_text(path: Path) -> str | None:
    """A project's file, of which nothing is known; None where there is none."""
    try:
        text = read_text_file(path, LARGEST).text
    except FileNotFoundError:
        return None
    except UnusableFileError as error:
        raise ConfigError(f"{path}: {error}") from error
    if "\ufffd" in text:
        raise ConfigError(f"{path}: this is not UTF-8 text")
    return text


def _tree(text: str, path: Path) -> Tree:
    try:
        return translated(tomli.loads(text))
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{path}: this is not TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: it is nested too deeply") from error
    except TreeError as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        raise ConfigError(f"{path}: there is a number in it that is too long") from error


def _untold(project: Path, left_out: tuple[str, ...]) -> tuple[str, ...]:
    """The line about what the person has not been asked about yet."""
    if not left_out:
        return ()
    keys = ", ".join(left_out)
    return (f"{project}: not taken, for nobody has trusted it: {keys}. /trust shows and takes it.",)


def _parsed(tree: Tree, where: Path, known: KnownStrategies) -> Config:
    try:
        return config_of(tree, known)
    except TreeError as error:
        found = mistakes(tree, lambda rest: config_of(rest, known))
        raise ConfigError("\n".join(f"{where}: {each}" for each in found)) from error


def config_of(tree: Tree, known: KnownStrategies | None = None) -> Config:
    """The configuration that a TOML tree says; octochat's own strategies are known by default.

    Raises:
        TreeError: a key or value is wrong.
    """
    known = known or KnownStrategies()
    rest, tables = without_strategies(tree, known)
    settings = from_tree(Settings, rest)
    names = pipeline_of(settings.context.strategies, known)
    _check_models(settings.models)
    _check_rules(settings.permissions)
    _check_events(settings.hooks)
    _check_servers(settings.mcp_servers)
    values = {part.name: getattr(settings, part.name) for part in fields(Settings)}
    values["models"] = {bare(name): known for name, known in settings.models.items()}
    values["context"] = replace(settings.context, strategies=names)
    values |= filled(settings.profile, rest, values)
    return Config(**values, strategy=strategies_of(tables, values["compression"], known))


def _check_rules(permissions: PermissionSettings) -> None:
    for key in ("allow", "ask", "deny"):
        patterns: tuple[str, ...] = getattr(permissions, key)
        for index, text in enumerate(patterns):
            try:
                rule.parse(text)
            except ValueError as error:
                raise TreeError(("permissions", key, index), str(error)) from None


def _check_events(hooks: Mapping[str, object]) -> None:
    for name in hooks:
        if name not in EVENTS:
            raise TreeError(("hooks", name), "hooks never run at this", nearest(name, EVENTS))


def _check_servers(servers: Mapping[str, McpServer]) -> None:
    for name, server in servers.items():
        if said := fault(name, server):
            raise TreeError(("mcp_servers", name), said)


def _check_models(models: Mapping[str, ModelSettings]) -> None:
    for name, settings in models.items():
        for part in fields(settings):
            value = getattr(settings, part.name)
            least = 1 if part.name in ("window", "max_output") else 0
            if value is not None and not isinstance(value, str) and value < least:
                raise wrong(f"{least} or more", value, path=("models", name, part.name))


def _permitted(upper: Tree, lower: Tree, trusted: bool | None) -> tuple[Tree, tuple[str, ...]]:
    """The project's tree without what it must not say, and the keys that were left out.

    `trusted` is None where the person has not been asked about this content.
    """
    said: Tree = upper.get("permissions", {})
    kept = {key: value for key, value in said.items() if key != "trusted_folders"}
    upper = {**upper, "permissions": kept}
    return (upper, ()) if trusted else tightened(upper, lower)
