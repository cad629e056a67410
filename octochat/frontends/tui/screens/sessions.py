"""`/resume`: the sessions to go on with, searched by words, with a look into each.

It knows sessions as summaries only; listing them reads the disk and happens in a thread.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePath

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from octochat.frontends.tui.render.blocks import FAINT, cells, styled
from octochat.frontends.tui.screens.overlay import Overlay
from octochat.storage.sessions import SessionSummary
from octochat.text.figures import clock, count, dollars
from octochat.text.harmless import visible

MINUTE, HOUR, DAY, WEEK = 60, 3_600, 86_400, 604_800
TITLE = 16
"""Cells that a title has at least, if the facts about the session can do with less."""
WIDE = 60
"""Cells of a list that has room to name its keys."""


class SessionsScreen(Overlay[str | None]):
    """Gives the id of a session, or None."""

    DEFAULT_CSS = """
    SessionsScreen {
        & OptionList > .option-list--option-highlighted { text-style: bold; }
        & #look {
            height: 8; border-top: solid $foreground 20%; padding: 0 1;
        }
        &.-low #look { display: none; }
        & #look Static { color: $foreground 80%; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """

    def __init__(
        self,
        load: Callable[[], Sequence[SessionSummary]],
        *,
        folder: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`load` lists the sessions, the last used first; `folder` is the working folder."""
        super().__init__()
        self._load = load
        self._folder = str(folder)
        self._now = now
        self._all: Sequence[SessionSummary] = ()
        self._found: Sequence[SessionSummary] = ()
        self._here_only = False

    def compose(self) -> ComposeResult:
        with Vertical(id="sessions", classes="overlay"):
            yield Input(placeholder="Words of its title, folder or prompts", compact=True)
            yield OptionList(markup=False, compact=True)
            with VerticalScroll(id="look", can_focus=False):
                yield Static(markup=False)

    def on_mount(self) -> None:
        self.query_one("#sessions").border_title = "Sessions"
        words = self.query_one(Input)
        words.cursor_blink = False
        words.focus()
        self.run_worker(self._fill())

    async def _fill(self) -> None:
        self._all = await asyncio.to_thread(self._load)
        self._here_only = any(session.folder == self._folder for session in self._all)
        self._list()

    def on_resize(self) -> None:
        self._list()

    def on_key(self, event: events.Key) -> None:
        """Move, take, leave; letters go to the search line."""
        options = self.query_one(OptionList)
        match event.key:
            case "escape":
                self.dismiss(None)
            case "up":
                options.action_cursor_up()
            case "down":
                options.action_cursor_down()
            case "pageup":
                options.action_page_up()
            case "pagedown":
                options.action_page_down()
            case "tab":
                self._here_only = not self._here_only
                self._list()
            case _:
                return
        event.stop()
        event.prevent_default()

    @on(Input.Changed)
    def changed(self) -> None:
        self._list()

    @on(Input.Submitted)
    def submitted(self) -> None:
        place = self.query_one(OptionList).highlighted
        if place is not None and place < len(self._found):
            self.dismiss(self._found[place].id)

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        session = next((one for one in self._found if one.id == event.option_id), None)
        self.query_one("#look Static", Static).update(look(session) if session else Content(""))
        self.query_one("#look", VerticalScroll).scroll_home(animate=False)

    def _list(self) -> None:
        pool = [s for s in self._all if not self._here_only or s.folder == self._folder]
        self._found = found(pool, self.query_one(Input).value)
        options = self.query_one(OptionList)
        width = max(20, self.query_one("#sessions").content_size.width - 2)
        options.clear_options()
        options.add_options(
            Option(row(session, width, self._now(), self._home()), session.id)
            for session in self._found
        )
        if self._found:
            options.highlighted = 0
        else:
            self.query_one("#look Static", Static).update("")
        where = "this folder" if self._here_only else "all folders"
        keys = " · Enter goes on · Esc leaves" if width > WIDE else ""
        self.query_one("#sessions").border_subtitle = Content(
            f"{count(len(self._found), 'session')} · {where} (Tab){keys}"
        )

    def _home(self) -> str:
        return "" if self._here_only else self._folder


def found(sessions: Iterable[SessionSummary], words: str) -> Sequence[SessionSummary]:
    """The sessions that hold all the words, in their order."""
    wanted = words.casefold().split()
    return [session for session in sessions if all(word in _text(session) for word in wanted)]


def row(session: SessionSummary, width: int, now: float, here: str) -> Content:
    """One line: title, folder (but not if it is `here` or `here` is empty), age, turns, cost."""
    facts = [age(now - session.updated, session.updated), count(session.turns, "turn")]
    if session.cost:
        facts.append(dollars(session.cost))
    if here and session.folder != here:
        facts.insert(0, visible(PurePath(session.folder).name))
    while len(facts) > 1 and width - sum(len(fact) + 3 for fact in facts) < TITLE:
        facts.pop()
    right = styled((" · ".join(facts), FAINT))
    room = max(8, width - cells(right) - 2)
    title = Content(" ".join(visible(session.title or session.id).split()))
    return title.truncate(room, ellipsis=True, pad=True) + Content("  ") + right


def look(session: SessionSummary) -> Content:
    """What is seen of a session before it is opened."""
    head = " · ".join(filter(None, (visible(session.folder), session.model, session.id)))
    prompts = [styled(("❯ ", "$text-primary"), visible(line)) for line in session.preview]
    rest = session.turns - len(session.preview)
    more = [styled((f"  and {rest} more", FAINT))] if rest > 0 and prompts else []
    return Content("\n").join((styled((head, FAINT)), *prompts, *more))


def age(seconds: float, at: float) -> str:
    """How long ago, in one unit; from a week on the day."""
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{seconds // MINUTE:.0f} min ago"
    if seconds < DAY:
        return f"{seconds // HOUR:.0f} h ago"
    if seconds < WEEK:
        return f"{count(int(seconds // DAY), 'day')} ago"
    return f"{time.strftime('%d %b %Y', time.localtime(at))} {clock(at)}"


def _text(session: SessionSummary) -> str:
    parts = (session.title, session.folder, session.model, session.id, *session.preview)
    return "\n".join(parts).casefold()
