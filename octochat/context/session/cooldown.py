"""What a compression does to the cooldown (docs/compression.md#gates)."""

from octochat.context.session.events import Condensed
from octochat.context.session.watermarks import Watermark, Watermarks


def streak_after(streak: int, event: Condensed) -> int:
    """Compressions at a level count, and those that made a request fit; `/done` begins anew."""
    fitted = event.trigger == "overflow" and bool(event.writer)
    return 0 if event.trigger == "done" else streak + (event.level is not None or fitted)


def marks_after(marks: Watermarks, event: Condensed) -> Watermarks:
    """After a compression growth is measured from the size that it left."""
    mark = Watermark(event.after, "compression")
    if event.trigger == "done":
        return Watermarks()
    if event.trigger in ("overflow", "compact") and event.writer:
        return Watermarks(mark)
    return marks.without(event.by) if event.level is None else marks.marked(event.by, mark)
