"""`octochat strategies`: every context strategy, its settings, and when to use it."""

import argparse
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import fields

from octochat.context.strategies import STRATEGIES, Strategy


def main(argv: Sequence[str]) -> int:
    """Print the list; returns the exit code."""
    parser = argparse.ArgumentParser(
        "octochat strategies", description="The context strategies and their settings."
    )
    parser.parse_args(list(argv))
    for strategy in STRATEGIES.values():
        print("\n".join(_described(strategy)))
    return 0


def _described(strategy: type[Strategy]) -> Iterator[str]:
    yield strategy.name
    yield from (f"  {line}" for line in (inspect.getdoc(strategy) or "").splitlines() if line)
    made = strategy()
    for part in fields(strategy):  # pyright: ignore[reportArgumentType]
        yield f"    {part.name} = {getattr(made, part.name)!r}"
    yield ""
