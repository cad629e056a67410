"""The input: writing, completing, recalling, queueing and sending.

It knows nothing of models, sessions or commands; it says what the person wants by messages.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive

from octochat.commands.spec import CommandSpec
from octochat.frontends.shared.drafts import Attached, Draft, DraftFile
from octochat.frontends.shared.history import History
from octochat.frontends.tui.input import messages
from octochat.frontends.tui.input.along import Along
from octochat.frontends.tui.input.autosave import Autosave
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.completer import Completer
from octochat.frontends.tui.input.completion import BUSY, ELSEWHERE, hint_for, invitation
from octochat.frontends.tui.input.double_escape import TWICE, DoubleEscape
from octochat.frontends.tui.input.draft_keeper import DraftKeeper
from octochat.frontends.tui.input.editor import Editor
from octochat.frontends.tui.input.external_editor import EditorError, edit_outside
from octochat.frontends.tui.input.files import Files
from octochat.frontends.tui.input.frame import Frame
from octochat.frontends.tui.input.history_search import HistorySearch
from octochat.frontends.tui.input.history_walk import HistoryWalk
from octochat.frontends.tui.input.keymaps import KEYMAPS, EditingModes, KeymapName
from octochat.frontends.tui.input.queue import Queue
from octochat.frontends.tui.terminal.keys import NEWLINE, teach_alt_enter
from octochat.frontends.tui.typed_app import app_of


class PromptInput(Vertical):
    """The input and what belongs to it: the queue above it, and the list of what may follow."""

    DEFAULT_CSS = "PromptInput { height: auto; }"

    busy: reactive[bool] = reactive(False, init=False)
    """Whether the model works. Whoever handles `Submitted` sets it for as long as that takes;
    when it ends, the next waiting prompt is sent."""

    Submitted = messages.Submitted
    Interrupt = messages.Interrupt
    RewindRequested = messages.RewindRequested
    Ended = messages.Ended
    TryNow = messages.TryNow
    Trouble = messages.Trouble

    def __init__(
        self,
        *,
        history: History,
        drafts: DraftFile,
        left: Callable[[], Sequence[DraftFile]] = tuple,
        files: Files,
        commands: Sequence[CommandSpec] = (),
        keymap: KeymapName = "default",
        modes: EditingModes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`left` gives what was left behind by others that are gone, to be offered."""
        super().__init__()
        self.offered: Callable[[], Sequence[CommandSpec]] = lambda: commands
        self.waits: Callable[[str], bool] = lambda _text: True
        """Whether a text that is sent while the model works has to wait."""
        self.editor: Editor = Editor(self._take_key, self._edited, KEYMAPS[keymap])
        self.history = history
        self.keys: KeymapName = keymap
        """How the input is edited."""
        self.beside: int = 0
        """Shell lines that run beside the conversation; Escape stops them."""
        self._modes = modes
        self.clock: Callable[[], float] = clock
        self.speaks: Callable[[str], bool] = lambda text: not text.startswith(("/", "!"))
        """Whether a text goes to the model as it is, and takes along what was attached."""
        self._say: Callable[[str], object] = lambda text: self.post_message(self.Trouble(text))
        self._waiting, self._along, self._choices = Queue(), Along(), Choices()
        now = lambda: self.offered()  # noqa: E731, PLW0108 - it is set anew
        self.completer: Completer = Completer(self.editor, self._choices, files, now)
        self._saved = Autosave(self, drafts, lambda: self.drafts.unsent, self._say)
        self.drafts: DraftKeeper = DraftKeeper(
            self.editor,
            self._along,
            self._waiting,
            self._saved,
            self.completer,
            history,
            self._say,
            self._hint,
        )
        self._walk = HistoryWalk(self.editor, self.drafts, history)
        self._left = left
        self.frame: Frame = Frame(self.editor)
        self._escaped = DoubleEscape()
        self.typed_at: float = float("-inf")
        """When the last key came, by the clock."""
        self.answered: Callable[[str], str] = str
        """What the next text that is sent means: it may be the answer to a question."""

    def compose(self) -> ComposeResult:
        yield from (self._waiting, self._along, self._choices, self.frame)

    def on_mount(self) -> None:
        teach_alt_enter()
        self._hint()
        self.run_worker(self._recollect, group="history")

    async def _recollect(self) -> None:
        """Read what was sent before, and offer what was written and never sent."""
        await asyncio.to_thread(self.history.load)
        for drafts in await asyncio.to_thread(self._left):
            self.drafts.offer(drafts)

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def keyboard_moved(self) -> None:
        self.call_after_refresh(self._hint)

    def on_unmount(self) -> None:
        self._walk.end()
        self._saved.now()

    def use_keys(self, keymap: KeymapName, modes: EditingModes | None = None) -> None:
        """Edit as another editor does, in modes where that one has them."""
        self.keys, self.editor.keymap, self._modes = keymap, KEYMAPS[keymap], modes
        self._hint()

    def prefill(self, text: str) -> None:
        """Put a text to be edited in place of what stands here (undo brings that back)."""
        self.drafts.show(Draft(text))

    def attach(self, more: Attached) -> None:
        """Let something go along with the next message."""
        self.drafts.attach(more)
        self._hint()

    def give_back(self, event: events.Key) -> None:
        """Take a key that was meant for the input but came to another widget."""
        self.typed_at = self.clock()
        self.editor.focus()
        self.editor.post_message(events.Key(event.key, event.character))

    def watch_busy(self, busy: bool) -> None:
        self._hint()
        if not busy and (draft := self.drafts.next_waiting()):
            self.busy = True
            self._post(draft, waited=True)

    def _take_key(self, event: events.Key) -> bool:
        """Whether the key was meant for the prompt; if so, it is carried out."""
        key: str = event.key
        self.typed_at = self.clock()
        if key != "escape":
            self._escaped.forget()
            self.frame.hush()
        if self.completer.take_key(key):
            return True
        if self._modes is not None:
            key = self._modes.press(event, self.editor)
            self._hint()
        return self._take(key) or key != event.key  # what vim has translated is no text

    def _take(self, key: str) -> bool:
        match key:
            case "":
                return True
            case _ if key in NEWLINE:
                self.editor.put("\n")
            case "enter":
                self._enter()
            case "escape":
                self._escape()
            case "up" | "ctrl+p":
                return self._walk.back()
            case "down" | "ctrl+n":
                return self._walk.forth()
            case "backspace" if not self.editor.text:
                if self.drafts.detach():
                    self._hint()
            case "ctrl+d" if not (self.busy or self.drafts.here.sent()):
                self.post_message(self.Ended())
            case "ctrl+r":
                self.completer.close()
                if not self.query(HistorySearch):
                    self.mount(HistorySearch(self.history), before="#frame")
            case "ctrl+g":
                self._write_outside()
            case "ctrl+o":
                return self.editor.open_chip()
            case "tab":  # there is nothing to complete; a question may wait while the model works
                return not self.busy
            case _:
                return False
        return True

    def _enter(self) -> None:
        if (chosen := self.completer.enter()) == "completed":
            return
        if chosen is None and self.editor.escapes_newline:
            self.editor.action_delete_left()
            self.editor.put("\n")
        else:
            self._send()

    def _send(self) -> None:
        here = self.drafts.here
        if not (written := here.sent()):
            self.post_message(self.TryNow())
            return
        text, self.answered = self.answered(written), str
        taken, left = (here.along, ()) if self.speaks(text) else ((), here.along)
        draft = Draft(here.text, here.pastes) if text == written else Draft(text)
        self.drafts.start_with(Draft(along=left))
        self._walk.end()
        if self._modes is not None:
            self._modes.begin()
        self.drafts.remember(draft)
        draft = replace(draft, along=taken)
        self.drafts.queue(draft) if self.busy and self.waits(text) else self._post(draft)

    def _post(self, draft: Draft, *, waited: bool = False) -> None:
        along = tuple(each.text for each in draft.along)
        self.post_message(self.Submitted(draft.sent(), along, waited=waited))

    def _escape(self) -> None:
        if self.busy or self.beside:
            self.post_message(self.Interrupt())
            self.drafts.hold()
        elif self._escaped.press(self.clock()):
            self.frame.hush()
            self.post_message(self.RewindRequested())
        else:
            self.frame.whisper("Esc again: back to an earlier prompt", TWICE)

    @on(HistorySearch.Chosen)
    async def recalled(self, event: HistorySearch.Chosen) -> None:
        event.stop()
        await self.query(HistorySearch).remove()
        self.editor.focus()
        if event.draft is not None:
            self._walk.leap(event.draft)

    @on(Choices.Picked)
    def picked(self, event: Choices.Picked) -> None:
        event.stop()
        self.completer.accept(event.choice)
        self.editor.focus()

    @work(exclusive=True, group="outside")
    async def _write_outside(self) -> None:
        try:
            text = await edit_outside(app_of(self), self.editor.draft.whole())
        except EditorError as error:
            self._say(str(error))
        else:
            self.drafts.show(Draft(text))

    def clear(self) -> bool:
        """Empty the input and say how that comes back; whether something stood there."""
        if way := self.drafts.put_away():
            self._walk.end()
            self.frame.whisper(f"Cleared · {way} brings it back")
        return bool(way)

    def leave_search(self) -> bool:
        """Close the search, the input as it was; whether it was open."""
        for search in self.query(HistorySearch):
            search.leave()
            return True
        return False

    def _edited(self) -> None:
        self.drafts.left = ""
        if not self.completer.quiet:
            self._walk.end()
            self.completer.update()
        self._hint()
        self._saved.soon()

    def _hint(self) -> None:
        draft, mine = self.editor.draft, self.has_focus_within
        text = draft.sent()
        words = (BUSY if mine else ELSEWHERE) if self.busy else invitation(self.drafts.offer_words)
        self.editor.placeholder = Content(words)
        self.frame.set_class(text.startswith("!"), "-shell")
        hint = hint_for(text, self.offered(), folded=bool(draft.pastes)) or self._along.hint
        if (meant := self.answered(text)) != text:
            hint = f"Enter: {meant}"
        if self._modes is not None and self._modes.title:
            hint = self._modes.title
        self.frame.hint("" if self.busy and not mine else hint)  # keys mean something elsewhere
