"""The example configuration: every key with its default, explained by the schema's own docstrings.

`python -m octochat.config.example > config.example.toml` writes it anew.
"""

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any, cast

from octochat.config.load import config_of
from octochat.context.codec.trees import to_tree
from octochat.context.plans.strategy import section
from octochat.mcp.settings import McpServer, OAuthSettings
from octochat.models.catalogue import ModelSettings, info

HEAD = """\
# octochat reads `--config FILE` or, without it, the file that OCTOCHAT_CONFIG names. Without both,
# the project's .octochat/config.toml is laid over your own config.toml (`octochat --help` says
# where that is). Every key below has its default value; none is needed.

"""
LOW_WATER = (
    "How far to go down at one go, as a share of the budget. 0.5 is recommended. At 1.0 a little "
    "goes at nearly every call, and each time the prompt cache breaks: docs/lab.md measured 2.8 "
    "times the cost of no strategy at all, and 0.7 times with 0.5."
)
SERVERS = "# [mcp_servers.my-server]"
MODELS = '# [models."my-model"]'
HOOKS = """\
# [[hooks.PostToolUse]]
# matcher = "Edit|Write"
# command = "jq -r .tool_input.file_path | xargs npx prettier --write"
# timeout = 60.0
"""


def example() -> str:
    """The text of `config.example.toml`."""
    config = config_of({})
    parts = [HEAD, *_table(config, (), ("strategy",))]
    for name, strategy in config.strategy.items():
        if (place := section(type(strategy))) == f"context.{name}":
            parts.append(f"\n[{place}]\n{_comment(_summary(type(strategy)))}")
            parts += [*_keys(strategy), *_inner(strategy, ("context", name))]
    parts.append(f"\n# {_docs(type(config))['hooks']}\n{HOOKS}")
    parts.append(f"\n# {_docs(type(config))['mcp_servers']}\n{SERVERS}\n")
    lines = "".join(_keys(McpServer(), empty=True)).splitlines()
    lines += ["", "[mcp_servers.my-server.oauth]", *"".join(_keys(OAuthSettings())).splitlines()]
    parts += (f"{line}\n" if line[:1] in ("", "#") else f"# {line}\n" for line in lines)
    parts.append(f"\n# {_docs(type(config))['models']}\n{MODELS}\n")
    return "".join([*parts, *_model()])


def _model() -> Iterator[str]:
    """The keys of a model, with those of a real one for values."""
    known = info("claude-sonnet-4-6")
    rates = known.prices.at(0)
    docs = _docs(ModelSettings)
    for part in fields(ModelSettings):
        value = getattr(rates if hasattr(rates, part.name) else known, part.name)
        yield _comment(docs.get(part.name)) + f"# {part.name} = {_toml(value)}\n"


def _table(value: object, path: tuple[str, ...], without: tuple[str, ...] = ()) -> Iterator[str]:
    """A table with its keys first, and then the tables in it."""
    if path:
        yield f"\n[{'.'.join(path)}]\n"
    yield from _keys(value, without)
    yield from _inner(value, path, without)


def _inner(value: object, path: tuple[str, ...], without: tuple[str, ...] = ()) -> Iterator[str]:
    for part in fields(cast("Any", value)):
        inner = getattr(value, part.name)
        if part.name in without:
            continue
        if is_dataclass(inner):
            yield from _table(inner, (*path, part.name))
        elif _is_tables(inner):
            yield _comment(_docs(type(value)).get(part.name), "\n")
            for each in inner:
                yield f"[[{'.'.join((*path, part.name))}]]\n"
                yield from _keys(each)


def _keys(value: object, without: tuple[str, ...] = (), *, empty: bool = False) -> Iterator[str]:
    """Every key of a table with its value; `empty`: also those that hold a table, and nothing."""
    docs = _docs(type(value))
    for part in fields(cast("Any", value)):
        item = getattr(value, part.name)
        if part.name in without or is_dataclass(item) or _is_tables(item):
            continue
        if item == {} and not empty:
            continue
        doc = LOW_WATER if part.name == "low_water" else docs.get(part.name)
        yield f"{_comment(doc)}{part.name} = {_toml(to_tree(item))}\n"


def _is_tables(value: object) -> bool:
    return isinstance(value, tuple) and any(map(is_dataclass, cast("tuple[object, ...]", value)))


def _toml(plain: object) -> str:
    """A value as TOML writes it, which is nearly JSON."""
    return json.dumps(plain, ensure_ascii=False)


def _comment(doc: str | None, before: str = "") -> str:
    if doc is None:
        return before
    lines = textwrap.wrap(doc, 96)
    return before + "".join(f"# {line}\n" for line in lines)


def _summary(cls: type) -> str:
    return (inspect.getdoc(cls) or cls.__name__).split("\n\n", 1)[0].replace("\n", " ")


def _docs(cls: type) -> Mapping[str, str]:
    """The docstrings under a class's fields, its bases' included."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if is_dataclass(base):
            found |= _own_docs(cast("type", base))
    return found


def _own_docs(cls: type) -> Iterator[tuple[str, str]]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    body = cast("ast.ClassDef", tree).body
    for line, after in pairwise(body):
        match line, after:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(doc))):
                yield name, " ".join(doc.split())
            case _:
                pass


if __name__ == "__main__":
    sys.stdout.write(example())
