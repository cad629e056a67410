"""Automatic recall in words: the same in the transcript, in lines, on stderr and in an export."""

from octochat.context.session.events import Recalled
from octochat.text.figures import count, dollars, tokens


def remembered(event: Recalled, size: int) -> str:
    """What was put behind the prompt, and what that costs; `size` is in tokens."""
    what = count(event.passages or len(event.units), "passage" if event.passages else "message")
    cost = f", {dollars(event.cost)}" if event.cost else ""
    return f"Remembered {what}, {tokens(size)} tokens{cost}"
