"""`/cost`: what the session has cost so far, by model and by what it was paid for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from octochat.commands.base import Report, Shown
from octochat.commands.info_text import saved_lines
from octochat.context.session.events import Condensed, Entry, Held, KeptWarm, Replied, Usage
from octochat.session.session import Session
from octochat.text.figures import count, dollars, tokens


@dataclass(frozen=True, slots=True)
class Spent:
    """What was paid to one model for one thing."""

    model: str
    what: str
    """`answers`, `notes` or `cache kept warm`."""
    calls: int = 0
    usage: Usage = Usage()
    cost: float = 0.0
    """Dollars, of the calls with known prices."""
    unpriced: int = 0
    """Calls without."""

    def more(self, usage: Usage, cost: float | None) -> "Spent":
        """With one more call."""
        return replace(
            self,
            calls=self.calls + 1,
            usage=self.usage + usage,
            cost=self.cost + (cost or 0.0),
            unpriced=self.unpriced + (cost is None),
        )


def spent(entries: Iterable[Entry], model: str) -> tuple[Spent, ...]:
    """The session's bill; what was undone stays on it.

    `model` is whose calls those are that do not say it.
    """
    rows: dict[tuple[str, str], Spent] = {}
    for entry in entries:
        for name, what, usage, cost in _paid(entry, model):
            row = rows.get((name, what), Spent(name, what))
            rows[name, what] = row.more(usage, cost)
    return tuple(rows.values())


def _paid(entry: Entry, model: str) -> Iterator[tuple[str, str, Usage, float | None]]:
    match entry.event:
        case Replied(model=name, usage=usage, cost=cost):
            yield name or model, "answers", usage, cost
        case Condensed(writer=name, usage=usage, cost=cost) if name not in {"", "extractive"}:
            yield name, "notes", usage, cost
        case Held(writer=name, usage=usage, cost=cost) if name:
            yield name, "notes", usage, cost
        case KeptWarm() as event:
            yield event.model, "cache kept warm", event.usage, event.cost
        case _:
            return


def cost_report(session: Session, _rest: str) -> Shown:
    """The table, and the sums of `/info`."""
    state = session.engine.state
    rows = spent(session.engine.log.entries, state.model)
    data = [
        {
            "model": row.model,
            "for": row.what,
            "calls": row.calls,
            "input_tokens": row.usage.fresh,
            "cache_read_tokens": row.usage.cache_read,
            "cache_write_tokens": row.usage.cache_write + row.usage.cache_write_1h,
            "output_tokens": row.usage.output,
            "cost_usd": row.cost,
            "unpriced_calls": row.unpriced,
        }
        for row in rows
    ]
    return Report("\n".join(_lines(session, rows)), {"cost_usd": _total(session), "by": data})


def _total(session: Session) -> float:
    return session.engine.state.ledger.total_cost


def _lines(session: Session, rows: tuple[Spent, ...]) -> Iterator[str]:
    yield f"The session has cost {dollars(_total(session))}."
    if not rows:
        return
    width = max(len(row.model) for row in rows)
    for row in rows:
        used = row.usage
        missing = f" ({count(row.unpriced, 'call')} without a known price)" if row.unpriced else ""
        bill = f"{row.what}: {count(row.calls, 'call')}, {dollars(row.cost)}{missing}"
        yield f"  {row.model:<{width}}  {bill}"
        yield (
            f"    {tokens(used.fresh)} tokens in, {tokens(used.cache_read)} read from the cache, "
            f"{tokens(used.cache_write + used.cache_write_1h)} written to it, "
            f"{tokens(used.output)} out"
        )
    recalls = session.engine.state.ledger.recalls
    if recalls.times:
        yield (
            f"Recalled passages: {count(recalls.times, 'time')}, {recalls.tokens:,} tokens, "
            f"{dollars(recalls.cost)} of the answers"
        )
    if ignored := session.engine.state.ledger.ignored_cost:
        yield f"{dollars(ignored)} of the notes is not counted (`ignore_cost`)."
    yield from (line.strip() for line in saved_lines(session.info))
