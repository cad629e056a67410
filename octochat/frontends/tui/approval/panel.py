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
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from octochat.frontends.tui.approval.body import title_of
from octochat.frontends.tui.approval.choices import ApprovalChoices, Asking
from octochat.frontends.tui.approval.question import Question
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.typed_app import after_layout, screen_of
from octochat.permissions.ask import Approval, Verdict
from octochat.text.harmless import visible
from octochat.tools.base import Access

QUIET = 0.7
"""Seconds without a key in the input before the panel takes the focus."""
GUARD = 0.5
"""Seconds with the focus before its keys count."""
SCROLL = {"u": -0.5, "d": 0.5, "pageup": -1.0, "pagedown": 1.0}
"""Keys that scroll the question, and by how many of its heights."""
EARLY = "keys still go to the input"
AROUND = 8
"""Rows of the screen that are left to the rest."""
SHORT = 20
"""Rows of a screen on which the answers stand in one row."""


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
        &.-danger { border: round $error; border-title-color: $text-error; }
        &:focus-within { border: round $warning; }
        &.-danger:focus-within { border: round $error; }
        &.-short > Question { margin: 0; }
        & > Question { height: auto; scrollbar-size-vertical: 1; margin: 0 0 1 0; }
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
        self.past = past
        self._typed_at = typed_at
        self._give_back = give_back
        self._clock = clock
        self._queue: deque[_Waiting] = deque()
        self._answers: ApprovalChoices | None = None
        self._keys = ""
        """What they do, in short."""
        self._in_parts = False
        self._details: Sequence[str] = ()
        self._said = ""
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
        yield Question()
        yield Choices()
        yield Static(id="said", markup=False)
        yield Input(compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False
        for moved in ("scroll_y", "virtual_size"):
            self.watch(self.query_one(Question), moved, self._say_keys, init=False)
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
        self._answers = ApprovalChoices(approval, self.past(), self._folder)
        await asyncio.to_thread(self._answers.compare)
        self.border_title = Content(title_of(approval))
        self.query_one(Question).ask(approval)
        self.set_class(bool(approval.dangers), "-danger")
        self._show(self._answers.first())
        self.add_class("-asking")
        self._take_focus()

    def _show(self, asking: Asking) -> None:
        self.query_one(Choices).offer(asking.rows)
        self.query_one(Choices).place = asking.place
        self._keys = asking.keys
        self._in_parts, self._details = asking.parts, asking.details
        self._say(asking.said, wrong=asking.wrong)
        self._look()
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
        keys = self._keys if self.listening else EARLY
        keys = keys if self._in_parts else self.query_one(Question).beside(keys)
        self.border_subtitle = Content(keys)
        if self._answers and 0 < (wait := self._counts_from - self._clock()) < float("inf"):
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
        if key in ("up", "down") or (choices.in_a_row and key in ("left", "right")):
            choices.move(-1 if key in ("up", "left") else 1)
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
        self.query_one(Question).page(by)

    def _look(self) -> None:
        """Show the part that is chosen, where the diff has the same parts."""
        choices = self.query_one(Choices)
        if self._in_parts:
            self.query_one(Question).look_at(choices.place, len(choices.rows))
        if self._details:
            self._say(visible(self._details[choices.place]))
            self._fit()

    def _say(self, words: str, *, wrong: bool = False) -> None:
        self._said = words
        said = self.query_one("#said", Static)
        said.update(Content(words))
        said.set_class(bool(words), "-shown").set_class(wrong, "-wrong")

    def _fit(self, _screen: object = None) -> None:
        """Leave the rest of the screen its rows."""
        choices, height = self.query_one(Choices), screen_of(self).size.height
        short = choices.in_a_row = height < SHORT
        self.set_class(short, "-short")
        answers = max(1, choices.height_wanted) if short else max(2, len(choices.rows))
        answers += -(-len(self._said) // max(1, self.content_size.width - 4))
        self.query_one(Question).fit(max(2, height - AROUND - answers + short))
        self._say_keys()
