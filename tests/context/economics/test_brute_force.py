"""The economics against a session billed call by call under the cache rules.

The bill is the test server's own (`tests/server`): markers, look-back, lifetimes and price table of
their own, no line of octochat in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose

import pytest

from octochat.context.economics.worth import CacheTariff, Writer, summary_cost, worth
from octochat.context.session.edits import Worth
from octochat.models.catalogue import info
from tests.server import TABLE, Ruler, ServedModel, Usage, cost
from tests.server.cache import PromptCache, prompt_items
from tests.server.raw import marked, request, text, user
from tests.server.refusal import Json
from tests.server.turns import placed

MODEL = "claude-sonnet-4-6"
"""A model whose every block is counted without rounding up."""
SERVED = {model.id: model for model in TABLE}
BLOCK = 500
"""Tokens of a block of the conversation."""


def block(tokens: int, name: str) -> Json:
    """A text of so many tokens by the server's ruler (4 bytes each, 3 for the block)."""
    return text(name.ljust((tokens - 3) * 4, "x"))


@dataclass
class Billed:
    """A server's cache and bill, with the clock in hand."""

    model: ServedModel
    cache: PromptCache
    now: float = 0.0

    def call(self, head: Json, blocks: Sequence[Json], gap: float) -> float:
        """Dollars of the input of one call, `gap` seconds after the last."""
        self.now += gap
        content = [*blocks[:-1], marked(blocks[-1])] if blocks else []
        body = request(user(content), model=self.model.id, system=[marked(head)])
        kept = placed(body["messages"])
        ruler = Ruler()
        items = prompt_items(body, kept, lambda item: ruler.block(item, self.model))
        return cost(self.model, self.cache.account(self.model, items, self.now))


def session(tokens: int, name: str) -> list[Json]:
    return [block(BLOCK, f"{name}{n}") for n in range(tokens // BLOCK)]


@dataclass(frozen=True)
class Case:
    """A moment at which a compression is weighed."""

    head: int
    before: int
    after: int
    calls: int
    growth: int
    warm: bool
    writer: str


CASES = (
    Case(5_000, 80_000, 40_000, 5, 500, True, "claude-haiku-4-5"),
    Case(5_000, 80_000, 40_000, 40, 500, True, "claude-haiku-4-5"),
    Case(5_000, 80_000, 40_000, 5, 500, False, "claude-haiku-4-5"),
    Case(10_000, 160_000, 20_000, 60, 2_000, True, MODEL),
    Case(10_000, 160_000, 20_000, 9, 2_000, False, "claude-haiku-4-5"),
    Case(2_000, 61_000, 30_000, 12, 1_000, True, MODEL),
)


@pytest.mark.parametrize("case", CASES)
def test_what_a_compression_is_worth_is_what_the_server_would_bill(case: Case) -> None:
    without = played(case, compress=False)
    compressed = played(case, compress=True)
    value = valued(case)
    assert isclose(value.without, without, rel_tol=0.02)
    assert isclose(value.with_edit, compressed, rel_tol=0.02)


def played(case: Case, *, compress: bool) -> float:
    """The next calls, billed one by one, after a first one that warmed the cache."""
    billed = Billed(SERVED[MODEL], PromptCache())
    head = block(case.head, "head")
    talk = session(case.before - case.head, "old")
    billed.call(head, talk, 0)
    total = written(case, billed) if compress else 0.0
    if compress:
        talk = session(case.after - case.head, "new")
    for n in range(case.calls):
        gap = 10 if n or case.warm else 301
        total += billed.call(head, talk, gap)
        talk += session(case.growth, f"turn{n}_")
    return total


TRANSCRIPT, NOTE = 30_000, 2_000


def written(case: Case, billed: Billed) -> float:
    """The summary call: another model reads a transcript, the own one its warm cache."""
    model = SERVED[case.writer]
    if case.writer == MODEL:
        fresh = case.before + 600 - (case.before if case.warm else 0)
        usage = Usage(input=fresh, read=case.before if case.warm else 0, output=NOTE)
    else:
        usage = Usage(input=TRANSCRIPT + 600, output=NOTE)
    return cost(model, usage)


def valued(case: Case) -> Worth:
    prices = info(MODEL).prices
    writer = Writer(case.writer, info(case.writer).prices, case.writer == MODEL)
    cached = case.before if case.warm else 0
    summary = summary_cost(
        writer, context=case.before, cached=cached, transcript=TRANSCRIPT, note=NOTE
    )
    return worth(
        CacheTariff(prices, 300),
        before=case.before,
        after=case.after,
        cached=(cached, min(cached, case.head)),
        calls=case.calls,
        growth=case.growth,
        summary=summary,
    )
