"""The parts of the status line: what each says, in full and in brief, and which gives way first.

Pure: it knows a `Gauge` and no width.
"""

from collections.abc import Mapping, Sequence

from textual.content import Content

from octochat.config.tui_settings import StatusPart
from octochat.frontends.tui.render.blocks import FAINT, styled
from octochat.frontends.tui.status.gauge import Gauge, next_cost
from octochat.permissions.modes import words
from octochat.text.figures import dollars, tokens

STEPS = ((60, 10), (10, 5), (0, 1))
"""How exactly the time left is told: above so many seconds, by so many."""
GIVES_WAY: Sequence[StatusPart] = (
    *("next", "size", "cache", "branch", "model", "effort", "next", "size", "branch", "cache"),
    *("effort", "cost", "model", "cost", "model", "mode"),
    "sandbox",
)
"""Each time a part is named it becomes briefer, until the line fits."""
NOTHING = Content("")
_MODES = {
    "plan": "$text-primary bold",
    "ask": FAINT,
    "accept-edits": "$text-success bold",
    "allow-all": "$text-error bold reverse",
    "read-only": "$text-primary bold",
}


def forms(gauge: Gauge, now: float) -> Mapping[StatusPart, tuple[Content, ...]]:
    """What each part may look like, in full first; the last form may be nothing."""
    name = gauge.model.removeprefix("claude-")
    coming = next_cost(gauge)
    cost = "" if gauge.cost == 0 else dollars(gauge.cost)
    kept = "" if gauge.warmth is None else f"kept for {dollars(gauge.warmth)}"
    mode = words(gauge.mode)
    look = _MODES.get(gauge.mode, FAINT)
    return {
        "model": (Content(gauge.model), Content(name), NOTHING),
        "effort": (*_faint(gauge.effort and f"{gauge.effort} effort", gauge.effort), NOTHING),
        "mode": (styled((f" {mode} " if "reverse" in look else mode, look)), _initials(mode, look)),
        "sandbox": (*_faint(gauge.sandbox), NOTHING),
        "context": (_share(gauge),),
        "size": (_size(gauge), styled((tokens(gauge.size), _over(gauge) or "bold")), NOTHING),
        "cost": (*_faint(", ".join(filter(None, (cost, kept))), cost), NOTHING),
        "next": (*_faint(coming, coming.partition(",")[0]), NOTHING),
        "cache": (_cache(gauge, now, "cache "), _cache(gauge, now, ""), NOTHING),
        "branch": (*_faint(gauge.branch, _short(gauge.branch)), NOTHING),
    }


def seconds_left(gauge: Gauge | None, now: float) -> float:
    """Until the cache is cold; 0 if it is."""
    if gauge is None or gauge.warm_until is None:
        return 0.0
    return max(0.0, gauge.warm_until - now)


def step(left: float) -> int:
    """By how many seconds the time left is told."""
    return next(step for above, step in STEPS if left > above)


def _share(gauge: Gauge) -> Content:
    """How full the context is, in per cent."""
    percent = gauge.size * 100 / max(gauge.limit, 1)
    shown = "<1" if 0 < percent < 1 else f"{percent:.0f}"
    return styled((f"{shown} %", _over(gauge) or "bold"))


def _size(gauge: Gauge) -> Content:
    limit = f" of {tokens(gauge.limit)}"
    return styled((tokens(gauge.size), _over(gauge) or "bold"), (limit, FAINT))


def _over(gauge: Gauge) -> str:
    return "$text-error bold" if gauge.size > gauge.limit else ""


def _faint(*texts: str) -> tuple[Content, ...]:
    """Each text once, faint; none where there is none."""
    return tuple(styled((text, FAINT)) for text in dict.fromkeys(texts) if text)


def _initials(mode: str, look: str) -> Content:
    return styled((mode.rsplit(maxsplit=1)[-1], look))


def _short(branch: str) -> str:
    """The branch without the folder that its name may have."""
    return branch.rpartition("/")[2]


def _cache(gauge: Gauge, now: float, lead: str) -> Content:
    left = seconds_left(gauge, now)
    if left > 0:
        by = step(left)
        whole = int(-(-left // by)) * by
        return styled((f"{lead}warm {whole // 60}:{whole % 60:02}", "$text-success"))
    return styled((f"{lead}cold", FAINT)) if gauge.warm_until is not None else NOTHING
