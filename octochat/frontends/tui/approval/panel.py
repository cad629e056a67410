"""Asking for permission: a panel above the input, which keeps its draft.

It knows nothing of the engine: `ask` waits for the person, whatever else happens on the screen.
Keys that were meant for the input approve nothing: the panel takes the focus only when nobody has
typed for a moment, and for another moment it hands every key back.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from octochat.frontends.tui.approval.body import body_of, title_of
from octochat.frontends.tui.approval.choices import ApprovalChoices, Asking
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.render.diff import changes_at
from octochat.frontends.tui.render.sheet import Sheet
from octochat.frontends.tui.typed_app import after_layout, screen_of
from octochat.permissions.ask import Approval, Verdict
from octochat.tools.base import Access

QUIET = 0.7
"""Seconds without a key in the input before the panel takes the focus."""
GUARD = 0.5
"""Seconds with the focus before its keys count."""
SCROLL = {"u": -0.5, "d": 0.5, "pageup": -1.0, "pagedown": 1.0}
"""Keys that scroll the question, and by how many of its heights."""
EARLY = "keys still go to the input"
AROUND = 8
"""Rows of the screen that are left to the frame, the input and the status line."""


@dataclass(slots=True)
class _Waiting:
    approval: Approval
    verdict: "asyncio.Future[Verdict]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class ApprovalPanel(Vertical, can_focus=True):
    """One question at a time, the others behind it; hidden while there are none."""

    DEFAULT_CSS = """
    ApprovalPanel {
        height: auto;
        display: none;
        border: round $warning;
        border-title-style: bold;
        border-title-color: $text-warning;
        border-subtitle-color: $text-muted;
        padding: 0 1;
        &.-asking { display: block; }
        &:focus-within { border: round $warning; }
        & > VerticalScroll { height: auto; scrollbar-size-vertical: 1; margin: 0 0 1 0; }
        & > Choices { padding: 0; background: transparent; }
        & > Input { display: none; border: none; height: 1; padding: 0; margin: 0 2; }
        & > Input.-shown { display: block; }
        & > #said { display: none; padding: 0 2; color: $text-muted; height: auto; }
        & > #said.-shown { display: block; }
        & > #said.-wrong { color: $text-error; }
    }
    """

    def __init__(
        self,
        *,
        folder: Path,
        past: Callable[[], Sequence[tuple[str, Access]]] = tuple,
        typed_at: Callable[[], float] = lambda: float("-inf"),
        give_back: Callable[[events.Key], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`past` gives the session's calls so far; `give_back` takes a key meant for the input."""
        super().__init__()
        self._folder = folder
        self._past = past
        self._typed_at = typed_at
        self._give_back = give_back
        self._clock = clock
        self._queue: deque[_Waiting] = deque()
        self._answers: ApprovalChoices | None = None
        self._keys = ""
        """What the keys do, in short."""
        self._in_parts = False
        self._counts_from = float("inf")
        self._came_from: Widget | None = None

    class Waits(Message):
        """A question waits for an answer."""

    async def ask(self, approval: Approval) -> Verdict:
        """The person's answer. Cancelling withdraws the question."""
        waiting = _Waiting(approval)
        self._queue.append(waiting)
        self.post_message(self.Waits())
        try:
            if len(self._queue) == 1:
                await self._next()
            self._count()
            return await waiting.verdict
        finally:
            was_shown = self._queue[0] is waiting
            self._queue.remove(waiting)
            if was_shown:
                await self._next()
            self._count()

    @property
    def listening(self) -> bool:
        """Whether a key would count as an answer now."""
        return self._answers is not None and self._clock() >= self._counts_from

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Sheet()
        yield Choices()
        yield Static(id="said", markup=False)
        yield Input(compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False
        after_layout(self, self._fit)

    async def _next(self) -> None:
        """Show the first question, or go away."""
        self._counts_from = float("inf")
        if not self._queue:
            self.remove_class("-asking")
            self._answers = None
            self._leave()
            return
        approval = self._queue[0].approval
        self._answers = ApprovalChoices(approval, self._past(), self._folder)
        await asyncio.to_thread(self._answers.compare)
        self.border_title = Content(title_of(approval))
        self.query_one(Sheet).blocks = tuple(body_of(approval))
        self.query_one(VerticalScroll).scroll_home(animate=False)
        self._show(self._answers.first())
        self.add_class("-asking")
        self._take_focus()

    def _show(self, asking: Asking) -> None:
        self.query_one(Choices).offer(asking.rows)
        self.query_one(Choices).place = asking.place
        self._keys = asking.keys
        self._in_parts = asking.parts
        self._look()
        said = self.query_one("#said", Static)
        said.update(Content(asking.said))
        said.set_class(bool(asking.said), "-shown").set_class(asking.wrong, "-wrong")
        line = self.query_one(Input)
        was_shown = line.has_class("-shown")
        line.set_class(asking.line is not None, "-shown")
        if asking.line is not None and not was_shown:
            line.value, line.placeholder = asking.line, asking.placeholder
            line.cursor_position = len(asking.line)
            line.focus()
        elif asking.line is None and line.has_focus:
            self.focus()
        self._fit()

    def _say_keys(self) -> None:
        """Tell what the keys do, or that they do not count yet."""
        more = self.query_one(VerticalScroll).max_scroll_y and not self._in_parts
        scroll = "PgUp PgDn scroll · " if more else ""
        self.border_subtitle = Content(f"{scroll}{self._keys}" if self.listening else EARLY)
        wait = self._counts_from - self._clock()
        if self._answers is not None and 0 < wait < float("inf"):
            self.set_timer(wait, self._say_keys)

    def on_key(self, event: events.Key) -> None:
        """A key for the question; too early, it goes back to the input."""
        if self._answers is None:
            return
        if not self.listening:
            if event.key not in ("tab", "shift+tab"):
                event.stop()
                event.prevent_default()
                self._give_back(event)
                self._count_from(float("inf"))
                self.set_timer(QUIET, self._take_focus)
            return
        if event.key.lower() in SCROLL and not self.query_one(Input).has_focus:
            self.page(SCROLL[event.key.lower()])
        elif not self._press(event.key, event.character):
            return
        event.stop()
        event.prevent_default()

    def _press(self, key: str, character: str | None) -> bool:
        assert self._answers is not None
        choices, line = self.query_one(Choices), self.query_one(Input)
        if line.has_focus and key not in ("escape", "enter"):
            return False
        if key in ("up", "down"):
            choices.move(-1 if key == "up" else 1)
            self._look()
            return True
        pressed = character if character and character.isprintable() and key != "space" else key
        self._take(self._answers.press(pressed, choices.place, line.value))
        return True

    @on(Choices.Picked)
    def picked(self, event: Choices.Picked) -> None:
        event.stop()
        if self._answers is not None and self.listening:
            place = self.query_one(Choices).rows.index(event.choice)
            self._take(self._answers.press("enter", place, self.query_one(Input).value))

    @on(Input.Changed)
    def changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._answers is not None and self.query_one(Input).has_class("-shown"):
            self._show(self._answers.edited(event.value))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()

    def _take(self, answer: "Asking | Verdict") -> None:
        if isinstance(answer, Asking):
            self._show(answer)
        elif not self._queue[0].verdict.done():
            self._queue[0].verdict.set_result(answer)

    def _take_focus(self) -> None:
        """Take the focus as soon as the person has stopped typing."""
        if self._answers is None or self.has_focus_within:
            self._count_from(min(self._counts_from, self._clock() + GUARD))
            return
        wait = self._typed_at() + QUIET - self._clock()
        if wait > 0:
            self.set_timer(wait, self._take_focus)
            return
        self._came_from = screen_of(self).focused or self._came_from
        self.focus()

    def on_focus(self) -> None:
        self._count_from(self._clock() + GUARD)

    def _count_from(self, moment: float) -> None:
        """Keys answer from that moment on."""
        self._counts_from = moment
        self._say_keys()

    def _leave(self) -> None:
        came_from, self._came_from = self._came_from, None
        if self.has_focus_within and came_from is not None and came_from.is_attached:
            came_from.focus()

    def _count(self) -> None:
        more = len(self._queue) - 1
        if self._queue:
            title = title_of(self._queue[0].approval)
            self.border_title = Content(f"{title} (and {more} more)" if more else title)

    def page(self, by: float) -> None:
        """Scroll what would be done, by so many of its heights."""
        body = self.query_one(VerticalScroll)
        body.scroll_relative(y=by * max(1, body.size.height), animate=False)

    def _look(self) -> None:
        """Show the part that is chosen, where the diff has the same parts."""
        places = changes_at(self._queue[0].approval.access.preview) if self._in_parts else ()
        choices, sheet = self.query_one(Choices), self.query_one(Sheet)
        if places and len(places) == len(choices.rows):
            row = sheet.row_of(places[choices.place])
            self.query_one(VerticalScroll).scroll_to(y=max(0, row - 1), animate=False)

    def _fit(self, _screen: object = None) -> None:
        """Leave the rest of the screen its rows."""
        answers = max(2, len(self.query_one(Choices).rows))
        rows = max(2, screen_of(self).size.height - AROUND - answers)
        body = self.query_one(VerticalScroll)
        if body.styles.max_height is None or body.styles.max_height.value != rows:
            body.styles.max_height = rows
        self._say_keys()
