"""Tells what happens, in lines: answers sentence by sentence, everything else a line each.

Live and resumed sessions go through the same method. It writes no control character but the end
of a line (and the bell after a long wait), and never goes back.
"""

import re
from typing import TextIO

from octochat.commands.base import Report, Shown
from octochat.context.session.content import Said, Text, Thinking, ToolCall, plain_text
from octochat.context.session.events import (
    Condensed,
    Entry,
    EntryId,
    Held,
    Opened,
    Prompted,
    Recalled,
    Replied,
    Returned,
)
from octochat.context.session.ran import commands_in, own_words
from octochat.frontends.plain.work_lines import facts_line, work_lines
from octochat.frontends.shared.ran_words import ran_line
from octochat.models.port import (
    CallDelta,
    Compressing,
    Delta,
    Notice,
    Retrying,
    Started,
    TextDelta,
    ThinkingDelta,
    ToolOutput,
    ToolStarted,
)
from octochat.text.compression_words import bill, compressed
from octochat.text.event_words import cut_off, happened, paid
from octochat.text.figures import count, tokens
from octochat.text.harmless import harmless
from octochat.text.recall_words import remembered
from octochat.tools.facts import facts_of

VOICE = "octochat> "
LONG = 400
"""Characters of a sentence that are not held back any longer."""
SHORTENED = 200
"""Characters of a tool's target or failure that are shown; `/show` has the rest."""
_SENTENCE = re.compile(r"[.!?:;…][\"'”’)\]*_`]*\s|[。！？]|\n")


class Narrator:
    """Prints a session as it goes on."""

    def __init__(self, out: TextIO) -> None:
        self._out: TextIO = out
        self._begun: bool = False
        """A line has been begun that has no end yet."""
        self._text: str = ""
        """What came of a sentence."""
        self._spoke: bool = False
        """Something of the running answer was printed."""
        self._thought: bool = False
        self._running: str = ""
        """The id of the call whose line was begun."""
        self._calls: dict[str, tuple[EntryId, ToolCall]] = {}

    def line(self, text: str) -> None:
        """One line, or several."""
        self._end_line()
        self._write(harmless(text) + "\n")

    def replay(self, entry: Entry) -> None:
        """An entry of a session that is gone on with: what the person said is told as well."""
        match entry.event:
            case Prompted(blocks=blocks):
                self.line(f"you> {_spoken(blocks)}")
            case _:
                self.show(entry)

    def show(self, item: Shown) -> None:
        """Tell one thing that happened."""
        match item:
            case Report(text=text):
                self.line(text)
            case Entry():
                self._logged(item)
            case _:
                self._streamed(item)

    def rest(self) -> None:
        """Nothing goes on any more."""
        self._flush()
        self._end_line()
        self._spoke = self._thought = False

    def ring(self) -> None:
        """Call a person who does something else: the one control character, and only then."""
        self._end_line()
        self._write("\a")

    def _streamed(self, delta: Delta) -> None:
        match delta:
            case TextDelta(text):
                self._hear(text)
            case ThinkingDelta() if not self._thought:
                self._thought = True
                self.line("(thinking)")
            case Retrying() as retry:
                self._void()
                tries = f"try {retry.attempt} of {retry.attempts} in {retry.wait:.0f} s"
                self.line(f"{retry.why} ({tries}; Ctrl-C stops)")
            case ToolStarted(call):
                self._flush()
                self._end_line()
                self._running, self._begun = call.id, True
                self._write(harmless(self._named(call)))
            case Compressing(before=before, why=why):
                self._flush()
                self.line(f"Compressing {tokens(before)} tokens: {why} (Ctrl-C cancels)")
            case Notice(text, severity):
                self._flush()
                self.line(text if severity == "information" else f"{severity}: {text}")
            case ThinkingDelta() | Started() | CallDelta() | ToolOutput():
                return

    def _logged(self, entry: Entry) -> None:
        match entry.event:
            case Replied() as event:
                self._replied(entry, event)
            case Returned() as event:
                self._returned(entry, event)
            case Condensed() as event:
                told = f"{compressed(event)} ({bill(event)})."
                self.line(f"{told} /show {entry.id} shows it, /restore takes it back.")
            case Held() as event:
                self.line(f"{happened(event)} ({event.by}{paid(event.cost)}).")
            case Recalled() as event:
                self.line(f"{remembered(event, entry.size)}. /show {entry.id} shows them.")
            case Prompted():
                self._spoke = self._thought = False
            case Opened(origin=origin):
                if origin:
                    self.line(f"This session was forked from {origin}.")
            case event:
                self.line(f"{happened(event)}.")

    def _replied(self, entry: Entry, event: Replied) -> None:
        self._flush()
        if not self._spoke and plain_text(event.blocks).strip():
            self._hear(plain_text(event.blocks))
            self._flush()
        self._end_line()
        if not self._thought and any(isinstance(block, Thinking) for block in event.blocks):
            self.line(f"(its thinking: /show {entry.id})")
        self._spoke = self._thought = False
        for block in event.blocks:
            if isinstance(block, ToolCall):
                self._calls[block.id] = (entry.id, block)
        if ending := cut_off(event):
            self.line(f"({ending})")

    def _returned(self, entry: Entry, event: Returned) -> None:
        known = self._calls.get(event.call_id)
        if self._running == event.call_id and self._begun:
            self._write(": ")
        else:
            self._end_line()
            self._write(harmless(f"{self._named(known[1]) if known else 'a call'}: "))
        self._running, self._begun = "", False
        call = known[1] if known else ToolCall(event.call_id, "")
        self._write(harmless(f"{facts_line(call, event)} (#{entry.id})") + "\n")
        for line in work_lines(call, event):
            self._write(harmless(line) + "\n")

    def _named(self, call: ToolCall) -> str:
        return f"{call.name} {target(call)}".rstrip()

    def _hear(self, text: str) -> None:
        """Print all whole sentences of what came, and hold the rest back."""
        self._text += text
        ends = [found.end() for found in _SENTENCE.finditer(self._text)]
        end = ends[-1] if ends else 0
        if len(self._text) - end > LONG:
            end = self._text.rfind(" ") + 1 or len(self._text)
        if end:
            self._speak(self._text[:end])
            self._text = self._text[end:]

    def _speak(self, text: str) -> None:
        if not self._spoke:
            text = text.lstrip("\n")
            if not text:
                return
            self._end_line()
            self._write(VOICE)
            self._spoke = True
        self._write(harmless(text))
        self._begun = not text.endswith("\n")

    def _flush(self) -> None:
        if self._text.strip():
            self._speak(self._text)
        self._text = ""

    def _void(self) -> None:
        self._text = ""
        if self._spoke:
            self.line("(ignore the part of the answer above)")
        self._spoke = False

    def _end_line(self) -> None:
        if self._begun:
            self._write("\n")
            self._begun, self._running = False, ""

    def _write(self, text: str) -> None:
        """Print it; what the terminal's encoding lacks is spelled out."""
        coding = self._out.encoding or "utf-8"
        self._out.write(text.encode(coding, "backslashreplace").decode(coding))
        self._out.flush()


def target(call: ToolCall) -> str:
    """The argument that matters, on one line."""
    return _short(facts_of(call).summary(call))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHORTENED else line[: SHORTENED - 1] + "…"


def _spoken(blocks: tuple[Said, ...]) -> str:
    others = sum(not isinstance(block, Text) for block in blocks)
    along = "".join(f"\n({ran_line(ran)})" for ran in commands_in(blocks))
    return own_words(blocks) + (f" ({count(others, 'attachment')})" if others else "") + along
