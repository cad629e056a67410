"""One prompt without a screen: the answer on stdout, everything else that matters on stderr."""

import asyncio
import json
import signal
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO, TypeAlias

from octochat.commands.base import Saying, Shown
from octochat.commands.execute import execute, shadowed, understood
from octochat.commands.typed import PromptText
from octochat.context.codec.trees import kind_of, to_tree
from octochat.context.session.events import (
    Condensed,
    Entry,
    Held,
    Opened,
    Prompted,
    Recalled,
    Replied,
    Returned,
)
from octochat.context.session.tool_marks import unmarked
from octochat.frontends.shared.endings import heard
from octochat.frontends.shared.run_result import RunResult
from octochat.models.port import ModelError, Notice, Retrying
from octochat.session.session import Session
from octochat.storage.log import LogError
from octochat.text.compression_words import bill, compressed
from octochat.text.event_words import cut_off, happened, paid
from octochat.text.exit_codes import BY_SIGNAL, FAILED, INTERRUPTED
from octochat.text.harmless import harmless
from octochat.text.recall_words import remembered

_CALL, _WHY = 100, 200
"""Characters of a call, and of a line that says why it failed."""
RUN_ENDED = "the run ended before it was needed"
"""Why a note that was begun in the background is given up."""
Format: TypeAlias = Literal["text", "json", "stream-json"]


async def run(session: Session, prompt: str, form: Format, out: TextIO, err: TextIO) -> int:
    """Say `prompt`, print what comes of it, and return the exit code.

    The first Ctrl-C stops the model or the tool and prints what came; the second ends octochat.
    """
    outcome = RunResult()
    narrator = _Narrator(err, outcome, answers=isinstance(understood(prompt, session), PromptText))
    interruption = _Interruption(session, asyncio.current_task())
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, interruption.hear)
    for notice in (*session.notices, *shadowed(session)):
        _tell(err, notice)
    try:
        with heard(interruption.end):
            await session.prepare()
            async with aclosing(_all_that_comes(session, prompt)) as stream:
                async for item in stream:
                    outcome.take(item)
                    narrator.hear(item)
                    if form == "stream-json":
                        print(_dumped(_line(item), out), file=out, flush=True)
                    interruption.insist()
    except (ModelError, LogError) as error:
        outcome.error, outcome.code = str(error), FAILED
    except asyncio.CancelledError:
        if interruption.ended is None:
            raise
        if task := asyncio.current_task():
            task.uncancel()  # it is over with what is printed and closed now
        outcome.error = f"ended by {interruption.ended.name}"
        outcome.code = BY_SIGNAL + interruption.ended
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    narrator.end()
    _print(outcome, session, form, out, err)
    return INTERRUPTED if interruption.happened and not outcome.error else outcome.code


async def _all_that_comes(session: Session, prompt: str) -> Saying:
    """What comes of the prompt; at last the bill of a note that was begun and is not needed now."""
    failure: ModelError | None = None
    try:
        async with aclosing(execute(session, understood(prompt, session))) as stream:
            async for item in stream:
                yield item
    except ModelError as error:
        failure = error
    if vain := await session.compressor.discard_ahead(session.engine, RUN_ENDED):
        yield vain
    if failure:
        raise failure


@dataclass
class _Interruption:
    """Ctrl-C, of which the first is for the model or the tool, and the second for octochat."""

    session: Session
    task: asyncio.Task[Any] | None
    happened: bool = False
    ended: signal.Signals | None = None
    """By which signal."""

    def hear(self) -> None:
        """The signal came."""
        if self.happened:
            self.end(signal.SIGINT)
        self.happened = True
        self.insist()

    def insist(self) -> None:
        """Stop what goes on after it, too: in the chat, Esc ends a compression and no more."""
        if self.happened:
            self.session.engine.interrupt()

    def end(self, by: signal.Signals) -> None:
        """Let go of everything, print what came, and end."""
        self.ended = by
        if self.task is not None:
            self.task.cancel()


def _print(outcome: RunResult, session: Session, form: Format, out: TextIO, err: TextIO) -> None:
    match form:
        case "text":
            if outcome.result:
                text = harmless(outcome.result) if out.isatty() else outcome.result
                print(text.encode(out.encoding, "backslashreplace").decode(out.encoding), file=out)
            if outcome.error:
                _tell(err, outcome.error)
        case "json":
            print(_dumped(outcome.json(session), out), file=out)
        case "stream-json":
            line = {"kind": "outcome", **outcome.json(session)}
            print(_dumped(line, out), file=out)


def _dumped(tree: Mapping[str, Any], out: TextIO) -> str:
    """JSON in the words of `out`; escaped where it has none (half a surrogate pair, Latin-1)."""
    text = json.dumps(tree, ensure_ascii=False)
    try:
        text.encode(out.encoding)
    except UnicodeEncodeError:
        return json.dumps(tree)
    return text


def _line(item: Shown) -> dict[str, Any]:
    """An item of the stream as JSON: entries as they stand in the log, the rest by its kind."""
    if isinstance(item, Entry):
        return {"kind": "entry", **to_tree(item)}
    return {"kind": kind_of(type(item)), **to_tree(item)}


@dataclass
class _Narrator:
    """Nothing is silent: what a person would see as a line in the transcript, on stderr.

    But what a command did is its result, if it has no other.
    """

    err: TextIO
    outcome: RunResult
    answers: bool
    """Whether the model will answer."""
    _deeds: list[str] = field(default_factory=list[str])

    def hear(self, item: Shown) -> None:
        """Tell of an item that the outcome has taken in."""
        match item:
            case Retrying(why=why, wait=wait, attempt=attempt, attempts=attempts):
                _tell(self.err, f"{why} Trying again in {wait:.0f} s ({attempt} of {attempts}).")
            case Notice(text=text):
                _tell(self.err, text)
            case Entry(event=Prompted()):
                self.answers = True
            case Entry(event=Replied() as event):
                self.answers = True
                if ending := cut_off(event):
                    _tell(self.err, f"{ending}.")
            case Entry(event=Returned(failed=True)):
                _tell(self.err, _failure(self.outcome.tool_errors[-1]))
            case Entry():
                if words := _deed(item):
                    self._deeds.append(words)
            case _:
                pass
        if self.answers:
            self._tell_deeds()

    def end(self) -> None:
        """All has come."""
        if not self.outcome.result and not self.outcome.error:
            self.outcome.result = "\n".join(self._deeds)
        else:
            self._tell_deeds()

    def _tell_deeds(self) -> None:
        for words in self._deeds:
            _tell(self.err, words)
        self._deeds.clear()


def _deed(entry: Entry) -> str:
    match entry.event:
        case Condensed() as event:
            return f"{compressed(event)} ({bill(event)})"
        case Recalled() as event:
            return remembered(event, entry.size)
        case Held() as event:
            return f"{happened(event)} ({event.by}{paid(event.cost)})"
        case Opened() | Prompted() | Replied() | Returned():
            return ""
        case event:
            return happened(event)


def _failure(error: Mapping[str, Any]) -> str:
    """Which call failed, and the line that says why: of a command its last, with how it ended."""
    text: str = error["error"]
    printed = unmarked(error["tool"], text).strip()
    why = text.partition("\n")[0] if printed in ("", text) else text.replace(printed, "", 1).strip()
    last = "" if printed in ("", text) else printed.rpartition("\n")[2]
    call = f"{error['tool']}({error['call'][:_CALL]})"
    return f"{call}: {' '.join(filter(None, (last[:_WHY], why[:_WHY])))}"


def _tell(err: TextIO, text: str) -> None:
    print(f"octochat: {harmless(text)}", file=err, flush=True)
