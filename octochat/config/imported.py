"""Strategies of other people: loads `my_module:DropFailures`, and looks whether it is one."""

import hashlib
import re
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from octochat.config.schema import ContextSettings
from octochat.context.codec.decode import reader
from octochat.context.plans.strategy import Strategy

_FILE = "octochat_strategy_"
"""How the names of modules begin that were loaded from a file."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class StrategyError(Exception):
    """A strategy of somebody else's can't be used; one line says why."""


def imported(name: str, folder: Path | None = None) -> type[Strategy]:
    """The strategy that is named as `my_module:DropFailures`.

    Raises:
        StrategyError: it can't be imported, or it is no strategy.
    """
    module, _, attribute = name.partition(":")
    try:
        file = folder / f"{module}.py" if folder and module.isidentifier() else None
        source = from_file(file) if file and file.is_file() else import_module(module)
    except (Exception, SystemExit) as error:
        raise unusable(name, f"{type(error).__name__}: {error}") from error
    if not hasattr(source, attribute):
        raise unusable(name, f'there is no "{attribute}" in {source.__file__}')
    return _checked(name, getattr(source, attribute))


def from_file(path: Path) -> ModuleType:
    """The module in a file; it is loaded once, under a name of its own."""
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    name = f"{_FILE}{digest}_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = module_from_spec(spec)
    sys.modules[name] = module  # the dataclass decorator looks its module up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def files_of(strategies: Iterable[Strategy]) -> tuple[Path, ...]:
    """The files that these strategies were loaded from: another process has to load them, too."""
    modules = {type(strategy).__module__ for strategy in strategies}
    own = sorted(name for name in modules if name.startswith(_FILE))
    return tuple(Path(str(sys.modules[name].__file__)) for name in own)


def _checked(name: str, found: object) -> type[Strategy]:
    """The strategy, if it has the form of one: a frozen dataclass with a name and a `decide`.

    Raises:
        StrategyError: it has not.
    """
    if not isinstance(found, type):
        raise unusable(name, "it is not a class")
    said: object = getattr(found, "name", None)
    if not isinstance(said, str) or not _NAME.fullmatch(said):
        raise unusable(name, 'it needs a `name: ClassVar[str]`, such as "drop_failures"')
    if said in {part.name for part in fields(ContextSettings)} or hasattr(found, "section"):
        raise unusable(name, f"[context.{said}] can't hold its settings")
    if not callable(getattr(found, "decide", None)):
        raise unusable(name, "it has no method `decide`")
    if not is_dataclass(found) or not cast("Any", found).__dataclass_params__.frozen:
        raise unusable(name, "it is not a frozen dataclass")
    try:
        reader(found)
        found()
    except Exception as error:
        raise unusable(name, f"its settings: {error}") from error
    return cast("type[Strategy]", found)


def unusable(name: str, why: str) -> StrategyError:
    """The error that says why it is left out."""
    return StrategyError(f'the strategy "{name}" is left out: {why}')
