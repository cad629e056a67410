"""What waits for the model to be done, above the input. It knows nothing of what sends it."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from octochat.frontends.shared.drafts import Draft

ROWS = 3
"""Most waiting prompts shown."""


class Queue(Widget, can_focus=False):
    """One line for each waiting prompt; hidden while there are none."""

    DEFAULT_CSS = """
    Queue {
        height: auto;
        display: none;
        padding: 0 2;
        color: $text-muted;
        &.-some { display: block; }
    }
    """

    drafts: reactive[tuple[Draft, ...]] = reactive((), layout=True)
    """What waits, oldest first."""

    def watch_drafts(self, drafts: tuple[Draft, ...]) -> None:
        self.set_class(bool(drafts), "-some")

    def render(self) -> Content:
        """The queue, and what becomes of it."""
        width = max(1, self.content_size.width)
        lines = [Content("Waiting until the answer is done · Up edits").truncate(width)]
        for draft in self.drafts[:ROWS]:
            one_line = " ".join(draft.text.split())
            lines.append(Content(f"  ↳ {one_line}").truncate(width, ellipsis=True))
        if len(self.drafts) > ROWS:
            lines.append(Content(f"    and {len(self.drafts) - ROWS} more"))
        return Content("\n").join(lines)
