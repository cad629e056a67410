"""`octochat strategies`: every context strategy, its settings, and when to use it.

`octochat strategies --markdown` gives the table of docs/strategies.md. All of it comes from the
strategies' own docstrings and fields.
"""

import argparse
import inspect
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from textwrap import indent, wrap
from typing import Any, cast

from octochat.config.imported import StrategyError, imported
from octochat.config.load import known_here
from octochat.config.strategies import KnownStrategies
from octochat.context.codec.errors import nearest
from octochat.context.plans.strategy import Strategy, section
from octochat.text.exit_codes import OK


def main(argv: Sequence[str]) -> int:
    """Print the list; returns the exit code."""
    arguments = parser()
    given = arguments.parse_args(list(argv))
    known = known_here(Path.cwd())
    for notice in known.notices:
        print(f"octochat strategies: {notice}", file=sys.stderr)
    chosen = [_chosen(name, known, arguments) for name in given.names or known.types]
    print(markdown(chosen) if given.markdown else "\n\n".join(map(strategy_text, chosen)))
    return OK


def parser() -> argparse.ArgumentParser:
    """The arguments of `octochat strategies`."""
    made = argparse.ArgumentParser(
        "octochat strategies",
        description="The context strategies: what they do, when to use them, and their settings.",
        epilog='Choose them in your configuration: [context] strategies = ["...", "..."].',
    )
    what = "only these, or one of yours, such as my_module:DropFailures (default: all)"
    made.add_argument("names", nargs="*", metavar="NAME", help=what)
    made.add_argument("--markdown", action="store_true", help="as a Markdown table")
    return made


def _chosen(name: str, known: KnownStrategies, parser: argparse.ArgumentParser) -> type[Strategy]:
    if name in known.types:
        return known.types[name]
    if ":" not in name:
        near = nearest(name, known.types)
        parser.error(f"there is no strategy {name}" + (f"; did you mean {near}?" if near else ""))
    try:
        return imported(name, Path.cwd())
    except StrategyError as error:
        parser.error(str(error))


def strategy_text(strategy: type[Strategy]) -> str:
    """A strategy as text for a terminal of 80 columns."""
    what, when = paragraphs(strategy)
    text = "\n".join([*wrap(what, 76), *wrap(when, 76)])
    keys = "\n".join(f"{key} = {value}" for key, value in settings(strategy))
    table = f"[{section(strategy)}]\n{keys}"
    return f"{strategy.name}\n{indent(text, '  ')}\n\n{indent(table, '    ')}"


def markdown(strategies: Sequence[type[Strategy]]) -> str:
    """The strategies as a table."""
    rows = ["| strategy | what it does | when to use it | settings |", "|---|---|---|---|"]
    for strategy in strategies:
        what, when = paragraphs(strategy)
        keys = ", ".join(f"`{key} = {value}`" for key, value in settings(strategy))
        rows.append(f"| `{strategy.name}` | {what} | {when} | `[{section(strategy)}]` {keys} |")
    return "\n".join(rows)


def paragraphs(strategy: type[Strategy]) -> tuple[str, str]:
    """What a strategy is, and when to use it: the first two paragraphs of its docstring."""
    parts = (inspect.getdoc(strategy) or "").split("\n\n")
    what, when, *_ = (" ".join(part.split()) for part in (*parts, "", ""))
    return what, when


def settings(strategy: type[Strategy]) -> Iterator[tuple[str, str]]:
    """Its keys and their defaults, as TOML has them."""
    yield from _settings(strategy(), "")


def _settings(value: object, path: str) -> Iterator[tuple[str, str]]:
    for part in fields(cast("Any", value)):
        item = getattr(value, part.name)
        if is_dataclass(item):
            yield from _settings(item, f"{path}{part.name}.")
        else:
            yield path + part.name, _toml(item)


def _toml(value: object) -> str:
    if is_dataclass(value):
        keys = (f"{part.name} = {_toml(getattr(value, part.name))}" for part in fields(value))
        return f"{{{', '.join(keys)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, cast('tuple[object, ...]', value)))}]"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
