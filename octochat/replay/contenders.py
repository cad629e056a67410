"""Who takes part, as people name them: `fifo`, `ttl_prune+pressure`, `fifo{low_water = 0.5}`.

Or a configuration file, with its pipeline, its levels and its summary model.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import tomli

from octochat.config.imported import StrategyError, imported
from octochat.config.load import Config, ConfigError, load
from octochat.config.originals import strategy_name
from octochat.config.strategies import KnownStrategies
from octochat.context.codec.errors import nearest
from octochat.context.codec.trees import TreeError, from_tree
from octochat.context.economics.prices import FIVE_MINUTES
from octochat.context.plans.strategy import Strategy
from octochat.models.catalogue import catalogue
from octochat.replay.lab import BASELINES, Contender
from octochat.replay.play_setting import PlaySetting
from octochat.summaries.writers import who_may_write

HOUR = 3_600
"""Seconds."""
_NAMED = re.compile(r"\s*([\w.]+(?::\w+)?)\s*(\{.*\})?\s*", re.DOTALL)


class ContenderError(Exception):
    """Nobody has this name, or it has not these settings."""


def named(
    text: str, setting: PlaySetting, known: KnownStrategies
) -> tuple[tuple[Contender, ...], tuple[ContenderError, ...]]:
    """The contenders of `--strategies`, and what is wrong with the others.

    Args:
        text: Names with commas between them; `+` joins a pipeline, settings stand in `{}`.
        setting: The world that all of them play in.
        known: The strategies that have a name; others are given as `my_module:DropFailures`.
    """
    good: list[Contender] = []
    wrong: list[ContenderError] = []
    for name in _split(text, ","):
        if name in BASELINES:
            continue  # they always take part
        try:
            pipeline = tuple(_strategy(part, known) for part in _split(name, "+"))
        except ContenderError as error:
            wrong.append(error)
        else:
            good.append(Contender(re.sub(r",\s*", ", ", name), pipeline, setting))
    return tuple(good), tuple(wrong)


def all_contenders(setting: PlaySetting, known: KnownStrategies) -> Iterator[Contender]:
    """Every strategy there is, as it is by default."""
    return (Contender(name, (cls(),), setting) for name, cls in known.types.items())


def configured(path: Path, model: str | None, window: int | None) -> Contender:
    """The pipeline of a configuration file.

    Raises:
        ContenderError: the file can't be read or something in it is wrong.
    """
    try:
        config = load(path.parent, flag=path).config
    except ConfigError as error:
        raise ContenderError(str(error)) from error
    return Contender(path.stem, config.pipeline, setting_of(config, model, window))


def setting_of(config: Config, model: str | None, window: int | None) -> PlaySetting:
    """The world that a configuration describes, with another model or window if need be.

    Where no `model` is named, recordings are played with their own, if its prices are known.
    """
    if model is not None:
        return _setting(config, model, window)
    recorded = partial(_recorded, config, window)
    return replace(_setting(config, config.model, window), of_model=recorded)


def _setting(config: Config, model: str, window: int | None) -> PlaySetting:
    models = catalogue(config.models)
    known = models(model)
    return PlaySetting(
        replace(known, window=window) if window else known,
        who_may_write(config.compression.decision.model, model, models),
        ttl=FIVE_MINUTES if config.cache_ttl == "5m" else HOUR,
        margin=config.context.safety_margin_tokens,
        reserve=config.context.output_reserve,
        max_session=config.context.max_session_tokens,
        note_max=config.compression.note_max_tokens,
        recall=config.recall.tokens if config.recall.automatic else 0,
    )


def _recorded(config: Config, window: int | None, model: str) -> PlaySetting | None:
    known = catalogue(config.models)(model).prices
    return _setting(config, model, window) if known.known and not known.free else None


def _strategy(text: str, known: KnownStrategies) -> Strategy:
    match = _NAMED.fullmatch(text)
    name, table = (match[1], match[2] or "{}") if match else (text.strip(), "{}")
    try:
        cls = imported(name, Path.cwd()) if ":" in name else known.types[strategy_name(name)]
    except (StrategyError, TreeError) as error:
        raise ContenderError(str(error)) from error
    except KeyError:
        near = nearest(name, known.types)
        hint = f'; did you mean "{near}"?' if near else ""
        raise ContenderError(f'there is no strategy "{name}"{hint}') from None
    try:
        settings: object = tomli.loads(f"settings = {table}")["settings"]
        return from_tree(cls, settings)
    except (tomli.TOMLDecodeError, TreeError) as error:
        raise ContenderError(f"{name}{table}: {error}") from error


def _split(text: str, separator: str) -> Iterator[str]:
    """The pieces between separators that do not stand in braces."""
    depth, piece = 0, ""
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == separator and depth == 0:
            yield piece.strip()
            piece = ""
        else:
            piece += letter
    yield piece.strip()
