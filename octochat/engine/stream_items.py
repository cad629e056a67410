"""What an item of the loop's stream means for how the turn goes on."""

from collections.abc import Sequence

from octochat.context.session.content import ToolCall
from octochat.context.session.events import Condensed, Entry, HookRan, Reminded, Returned
from octochat.engine.rounds import Rounds
from octochat.models.port import Delta


def ends_turn(item: object) -> bool:
    """Whether this is that a hook has ended the turn."""
    return isinstance(item, Entry) and isinstance(item.event, HookRan) and item.event.ends


def heard(rounds: Rounds, calls: Sequence[ToolCall], item: Entry | Delta) -> Reminded | None:
    """What the model is to be told after a result."""
    if not isinstance(item, Entry) or not isinstance(item.event, Returned):
        return None
    event = item.event
    call = next(call for call in calls if call.id == event.call_id)
    return rounds.returned(call, failed=event.failed)


def folds(item: Entry | Delta) -> bool:
    """Whether this is that a part of the conversation became a note."""
    return (
        isinstance(item, Entry)
        and isinstance(item.event, Condensed)
        and item.event.fold is not None
    )
