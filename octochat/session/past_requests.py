"""The requests of a past session, built again from its log by the code that built them.

It reads no file. What the log does not hold is the configuration's, and said to be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from octochat.config.schema import Settings
from octochat.context.session.events import Condensed, Entry, Held, Replied
from octochat.context.session.state import State, advance
from octochat.engine.ask import Terms, follows, request
from octochat.models.catalogue import Catalogue
from octochat.models.claude.request import ClaudeOptions, body
from octochat.models.names import played
from octochat.models.offline import NAME as OFFLINE
from octochat.models.port import Request

FROM_CONFIGURATION = (
    "The log does not hold max_tokens and thinking: they are those of your configuration now."
)
NOT_SENT = "The offline model answered: this is what Claude would have been sent."
CHANGED = "It differs from what was sent: its fingerprint is not the one in the log."
_HOUR = 3_600
"""Seconds that the longer cache lives."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply, and the state of the session that asked for it."""

    entry: Entry
    reply: Replied
    state: State
    log: Sequence[Entry]
    """The entries that were there."""
    same: bool
    """The view is the one that the log has the fingerprint of."""


@dataclass(frozen=True, slots=True)
class RebuiltRequest:
    """A request as it was sent."""

    request: Request
    body: dict[str, object]
    """The JSON of the API."""
    doubts: tuple[str, ...]
    """What of it can't be known, in sentences."""


def asked(entries: Sequence[Entry]) -> Iterator[Asked]:
    """Every call of the model, in order, those included that failed or were undone later."""
    states = [State()]
    last = 0
    for n, entry in enumerate(entries):
        if isinstance(entry.event, Replied):
            yield _asked(entries, states, last, n, entry.event)
            last = n + 1
        states.append(advance(states[-1], entry, entries[: n + 1]))


def _asked(
    entries: Sequence[Entry], states: Sequence[State], last: int, n: int, reply: Replied
) -> Asked:
    """The newest state that the reply can have answered: entries may have come while it was made.

    `states[i]` is the state after `i` entries; `last` is how many there were at the reply before.
    """
    same = (i for i in range(n, last - 1, -1) if states[i].view.digest == reply.digest)
    found = next(same, None)
    at = n if found is None else found
    return Asked(entries[n], reply, states[at], entries[:at], found is not None)


def notes_asked_for(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries of notes that a model was asked for; their requests are not kept."""
    for entry in entries:
        if isinstance(entry.event, Condensed | Held) and entry.event.usage.context:
            yield entry


def rebuilt(past: Asked, settings: Settings, known: Catalogue) -> RebuiltRequest:
    """The request of a call.

    Raises:
        ModelError: no request can be made of what is in the log.
    """
    info = known(past.state.model)
    ttl = past.reply.ttl
    terms = Terms(info, min(settings.max_tokens, info.max_output), ttl)
    begun = past.entry.at - past.reply.seconds
    made = replace(request(past.state, terms), follows=follows(past.state, past.log, begun))
    options = ClaudeOptions(
        "1h" if ttl >= _HOUR else "5m", settings.thinking, settings.thinking_budget
    )
    sent = body(made, replace(info, name=played(info.name) or info.name), options)
    doubts = (
        "" if past.same else CHANGED,
        NOT_SENT if info.name == OFFLINE else "",
        FROM_CONFIGURATION,
    )
    return RebuiltRequest(made, sent, tuple(filter(None, doubts)))
