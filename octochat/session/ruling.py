"""The ruler at work in a session: it measures each event, and learns from each bill."""

from collections.abc import Callable, Sequence

from octochat.context.plans.forecast import unseen_thinking
from octochat.context.session.events import (
    Entry,
    Event,
    ModelChanged,
    Opened,
    Replied,
    Rewound,
)
from octochat.context.session.state import State, replay
from octochat.models.names import played
from octochat.models.tokens.ruler import Ruler


def weigher(ruler: Ruler, log: Callable[[], Sequence[Entry]]) -> Callable[[Event], int]:
    """The ruler, told of a change of model before it measures."""

    def weigh(event: Event) -> int:
        match event:
            case Opened(model=model) | ModelChanged(model=model):
                ruler.model = model
            case Rewound(to=to):  # a change of model after that is undone with the rest
                ruler.model = replay([entry for entry in log() if entry.id <= to]).model
            case _:
                pass
        return ruler.event(event)

    return weigh


def learner(ruler: Ruler) -> Callable[[State, Replied], None]:
    """Compares what octochat counted since the last call with what the API billed for it.

    The first call of another model is compared as a whole, unless there is thinking in the context
    that this model was not sent. A seat's bill is octochat's own count and teaches nothing.
    """

    def learn(before: State, event: Replied) -> None:
        carried = before.ledger.carried
        edited = before.ledger.compressions
        last = before.ledger.last_call or 0.0
        if not event.usage.plausible(before.context):
            return
        if (
            played(event.model)
            or not event.usage.prompt
            or event.void
            or (edited and edited[-1].at >= last)
        ):
            return
        if carried is None and unseen_thinking(before, event.model):
            return
        known = carried or 0
        ruler.learn(event.model, before.context - known, event.usage.prompt - known)

    return learn
