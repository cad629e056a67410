"""What a session is permitted from the start: rules from three places, and the mode."""

import glob
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from octochat.config.load import Config, ConfigError
from octochat.context.codec.errors import TreeError, nearest
from octochat.mcp.offered import PREFIX
from octochat.permissions.ask import Approver, Permissions
from octochat.permissions.path_patterns import folds_case
from octochat.permissions.remembered import RememberedRules
from octochat.permissions.rule import Rule, parse
from octochat.permissions.rules import Rules
from octochat.session.options import Options
from octochat.skills.skills import Skills
from octochat.storage.data_folder import data_folder
from octochat.tools.registry import NAMES


def permitted(
    options: Options,
    config: Config,
    remembered: RememberedRules,
    skills: Skills,
    scratch: Path,
    approver: Approver,
    tell: Callable[[str], None],
) -> Permissions:
    """Who is asked and by which rules; `tell` hears one line of what goes wrong later.

    `scratch` is the scratch folder, canonical.

    Raises:
        ConfigError: a rule is wrong, or the file of the "always" answers can't be read.
    """
    try:
        always = remembered.load()
        rules = _rules(options, config, remembered.folder, always, skills)
    except (ValueError, OSError) as error:
        raise ConfigError(str(error)) from error
    own = (remembered.path.parent, data_folder())
    rules = replace(
        rules,
        protected=tuple(Path(os.path.realpath(folder)) for folder in own),
        folds=folds_case(remembered.folder),
    )
    return Permissions(
        _with_scratch(rules, scratch),
        approver,
        mode=options.mode or config.permissions.mode,
        remember=remembered.add,
        forget=remembered.remove,
        always=always,
        tell=tell,
    )


def _rules(
    options: Options, config: Config, folder: Path, always: tuple[Rule, ...], skills: Skills
) -> Rules:
    """What the configuration, earlier answers and the command line allow; skills may be read."""
    said = config.permissions
    return Rules(
        folder,
        allow=(*_parsed(said.allow), *always, *_parsed(options.allow)),
        ask=_parsed(said.ask),
        deny=_parsed(said.deny),
        own=tuple(Rule("read", f"{glob.escape(str(skill.folder))}/**") for skill in skills.skills),
    )


def _with_scratch(rules: Rules, scratch: Path) -> Rules:
    """The rules, and that the scratch folder may be read and written."""
    here = glob.escape(str(scratch))
    own = (Rule("read", here), Rule("read", f"{here}/**"), Rule("write", f"{here}/**"))
    return replace(rules, own=(*rules.own, *own), scratch=scratch)


def _parsed(patterns: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules.

    Raises:
        ValueError: one is none, or for a tool that there is not: a misspelt `deny` denies nothing.
    """
    rules = tuple(map(parse, patterns))
    for rule in rules:
        if rule.tool not in (*NAMES, "*") and not rule.tool.startswith(PREFIX):
            what = f'there is no tool "{rule.tool}", as in "{rule}"'
            raise TreeError(("permissions",), what, nearest(rule.tool, NAMES))
    return rules
