"""One prompt without a screen: the answer on stdout, everything else that matters on stderr."""

import asyncio
import json
import signal
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO, TypeAlias

from octochat.commands.base import Report, Saying, Shown, Unknown
from octochat.commands.execute import execute, understood
from octochat.context.codec.trees import kind_of, to_tree
from octochat.context.session.content import plain_text
from octochat.context.session.events import (
    Condensed,
    Entry,
    Held,
    Opened,
    Prompted,
    Recalled,
    Replied,
    Returned,
    Usage,
)
from octochat.models.port import ModelError, Notice, Retrying
from octochat.session.session import Session
from octochat.storage.log import LogError
from octochat.text.compression_words import bill, compressed
from octochat.text.event_words import happened, paid
from octochat.text.exit_codes import FAILED, INTERRUPTED, MISUSED, OK
from octochat.text.harmless import harmless
from octochat.text.recall_words import remembered

RUN_ENDED = "the run ended before it was needed"
"""Why a note that was begun in the background is given up."""
Format: TypeAlias = Literal["text", "json", "stream-json"]


@dataclass
class RunResult:
    """What came of the prompt, gathered as it happens."""

    result: str = ""
    stop_reason: str | None = None
    calls: int = 0
    usage: Usage = Usage()
    """Of all calls, those for summaries included."""
    cost: float | None = 0.0
    """Dollars; None as soon as a call has no known price."""
    edits: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str | None = None
    code: int = OK
    """The exit code that the error asks for."""

    def take(self, item: Shown) -> None:
        """Note what an item of the stream says."""
        match item:
            case Unknown(text=text):
                self.error, self.code = text, MISUSED
            case Report(text=text, data=data):
                self.result, self.info = text, data
            case Entry(event=Replied(stop="failed") as event):
                self._pay(event.usage, event.cost)
            case Entry(event=Replied() as event):
                self.calls += 1
                self.stop_reason = event.stop
                self._pay(event.usage, event.cost)
                self.result = plain_text(event.blocks) or self.result
            case Entry(event=Condensed() as event):
                self.edits.append(_edit(event))
                self._pay(event.usage, 0.0 if event.ignored else event.cost or 0.0)
            case Entry(event=Recalled() as event, size=size):
                self.edits.append(_recall(event, size))
            case Entry(event=Held() as event):
                self._pay(event.usage, 0.0 if event.ignored else event.cost or 0.0)
            case _:
                pass

    def _pay(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def json(self, session: Session) -> dict[str, Any]:
        """The one object of `--output-format json`."""
        shown: dict[str, Any] = {
            "session_id": session.engine.log.id,
            "result": self.result,
            "stop_reason": self.stop_reason,
            "model": session.engine.state.model,
            "calls": self.calls,
            "usage": {
                "input_tokens": self.usage.fresh,
                "cache_read_input_tokens": self.usage.cache_read,
                "cache_creation_input_tokens": self.usage.cache_write + self.usage.cache_write_1h,
                "output_tokens": self.usage.output,
            },
            "cost_usd": self.cost,
            "context_tokens": session.engine.state.context,
            "edits": self.edits,
            "error": self.error,
        }
        return shown | ({"info": self.info} if self.info else {})


def _edit(event: Condensed) -> dict[str, Any]:
    return {
        "by": event.by,
        "kind": "fold" if event.fold else "trim",
        "before": event.before,
        "after": event.after,
        "why": event.why,
        "trigger": event.trigger,
        "level": event.level,
        "ratio": event.ratio,
        "cost_usd": event.cost,
    }


def _recall(event: Recalled, tokens: int) -> dict[str, Any]:
    return {
        "by": "recall",
        "kind": "recall",
        "passages": event.passages,
        "tokens": tokens,
        "cost_usd": event.cost,
    }


async def run(session: Session, prompt: str, form: Format, out: TextIO, err: TextIO) -> int:
    """Say `prompt`, print what comes of it, and return the exit code.

    The first Ctrl-C stops the model or the tool and prints what came; the second ends octochat.
    """
    outcome = RunResult()
    interruption = _Interruption(session, asyncio.current_task())
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, interruption.hear)
    loop.add_signal_handler(signal.SIGTERM, interruption.end)
    for notice in session.notices:
        _tell(err, notice)
    try:
        await session.prepare()
        async with aclosing(_all_that_comes(session, prompt)) as stream:
            async for item in stream:
                outcome.take(item)
                _narrate(item, err)
                if form == "stream-json":
                    print(_dumped(_line(item), out), file=out, flush=True)
                interruption.insist()
    except (ModelError, LogError) as error:
        outcome.error, outcome.code = str(error), FAILED
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)
    _print(outcome, session, form, out, err)
    return INTERRUPTED if interruption.happened and not outcome.error else outcome.code


async def _all_that_comes(session: Session, prompt: str) -> Saying:
    """What comes of the prompt; at last the bill of a note that was begun and is not needed now."""
    failure: ModelError | None = None
    try:
        async with aclosing(execute(session, understood(prompt))) as stream:
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

    def hear(self) -> None:
        """The signal came."""
        if self.happened:
            self.end()
        self.happened = True
        self.insist()

    def insist(self) -> None:
        """Stop what goes on after it, too: in the chat, Esc ends a compression and no more."""
        if self.happened:
            self.session.engine.interrupt()

    def end(self) -> None:
        """Let go of everything and end."""
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


def _narrate(item: Shown, err: TextIO) -> None:
    """Nothing is silent: what a person would see as a line in the transcript, on stderr."""
    match item:
        case Retrying(why=why, wait=wait, attempt=attempt, attempts=attempts):
            _tell(err, f"{why} Trying again in {wait:.0f} s ({attempt} of {attempts}).")
        case Notice(text=text):
            _tell(err, text)
        case Entry():
            _narrate_entry(item, err)
        case _:
            pass


def _narrate_entry(entry: Entry, err: TextIO) -> None:
    match entry.event:
        case Condensed() as event:
            _tell(err, f"{compressed(event)} ({bill(event)})")
        case Recalled() as event:
            _tell(err, remembered(event, entry.size))
        case Held() as event:
            _tell(err, f"{happened(event)} ({event.by}{paid(event.cost)})")
        case Returned(failed=True, content=content):
            _tell(err, f"tool: {plain_text(content).strip().partition(chr(10))[0][:200]}")
        case Opened() | Prompted() | Replied() | Returned():
            pass
        case event:
            _tell(err, happened(event))


def _tell(err: TextIO, text: str) -> None:
    print(f"octochat: {harmless(text)}", file=err, flush=True)
