"""Numbers as a person reads them: tokens, times, dollars, gaps."""

from datetime import datetime
from math import isfinite

MINUTE, HOUR, DAY = 60, 3600, 86_400
SHORT = 9.95
THOUSAND, MILLION = 1_000, 1_000_000
TINY = 0.0005
GAP = 30 * MINUTE
"""Seconds of silence that are worth a line."""


def tokens(count: int) -> str:
    """`850`, `41.0k`, `1.20M`."""
    if abs(count) < THOUSAND:
        return str(count)
    if abs(count) < MILLION - THOUSAND // 20:
        return f"{count / THOUSAND:.1f}k"
    return f"{count / MILLION:.2f}M"


def size(text: str) -> str:
    """How long a text is, in lines."""
    return _many(text.count("\n") + (not text.endswith("\n")), "line") if text else "empty"


def seconds(time: float) -> str:
    """`0.2 s`, `12 s`, `3 m 12 s`, `2 h 5 m`."""
    if time < SHORT:
        return f"{time:.1f} s"
    if time < MINUTE - 0.5:
        return f"{time:.0f} s"
    whole = round(time)
    if whole < HOUR:
        return f"{whole // MINUTE} m {whole % MINUTE} s"
    return f"{whole // HOUR} h {whole % HOUR // MINUTE} m"


def elapsed(time: float) -> str:
    """Of what still goes on: `0 s`, `12 s`, `3 m 12 s`; no tenths, which would only flicker."""
    whole = max(int(time), 0)
    return f"{whole} s" if whole < MINUTE else seconds(whole)


def dollars(cost: float | None) -> str:
    """`$0.031`, `$12.40`, `unpriced`."""
    if cost is None:
        return "unpriced"
    sign = "−" if cost < 0 else ""
    cost = abs(cost)
    if cost and cost < TINY:
        return f"{sign}<$0.001"
    return f"{sign}${cost:.3f}" if cost < 1 else f"{sign}${cost:,.2f}"


def roughly(cost: float) -> str:
    """An estimate in words: `about $0.031`, `less than $0.001`, `nothing`."""
    return f"about {dollars(cost)}".replace("about <", "less than ") if cost else "nothing"


def amount(typed: str) -> float | None:
    """Dollars above 0 as a person types them, `5` or `$0.50`; None for anything else."""
    try:
        value = float(typed.removeprefix("$"))
    except ValueError:
        return None
    return value if isfinite(value) and value > 0 else None


def clock(at: float) -> str:
    """The time of day, `14:02`."""
    return f"{datetime.fromtimestamp(at):%H:%M}"  # noqa: DTZ006  # the person's own time


def gap(before: float, after: float) -> str:
    """What to say of the time between two moments; nothing if it was short."""
    silence = after - before
    if silence < GAP:
        return ""
    then, now = datetime.fromtimestamp(before), datetime.fromtimestamp(after)  # noqa: DTZ006
    days = (now.date() - then.date()).days
    if days > 1 or silence > DAY:
        return f"{now:%A %d %B %Y} · {_many(max(days, 1), 'day')} later"
    if days == 1:
        return f"{now:%A %d %B} · {_many(round(silence / HOUR), 'hour')} later"
    if silence >= HOUR * 1.5:
        return f"{_many(round(silence / HOUR), 'hour')} later"
    return f"{_many(round(silence / MINUTE), 'minute')} later"


def ago(before: float, now: float) -> str:
    """`just now`, `5 minutes ago`, `3 hours ago`, `12 days ago`."""
    since = now - before
    if since < MINUTE:
        return "just now"
    if since < HOUR:
        return f"{_many(round(since / MINUTE), 'minute')} ago"
    if since < 2 * DAY:
        return f"{_many(round(since / HOUR), 'hour')} ago"
    return f"{_many(int(since / DAY), 'day')} ago"


def count(number: int, noun: str) -> str:
    """`1 call`, `3 calls`."""
    return _many(number, noun)


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
