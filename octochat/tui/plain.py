"""The chat as lines of text, one after the other, for screen readers and for simple terminals."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress

from octochat.commands import Report, Switched, say
from octochat.context.content import Image, Opaque, Text, ToolCall
from octochat.context.events import Condensed, Entry, Opened, Prompted, Replied, Returned
from octochat.log import LogError
from octochat.model import Delta, ModelError, Notice, Retrying, TextDelta
from octochat.permissions import AllowOnce, AllowSession, Approval, Deny, Verdict
from octochat.session import Session
from octochat.terminal import harmless, visible
from octochat.tui.calls import argument
from octochat.tui.cards.prompt import said
from octochat.tui.described import described
from octochat.tui.figures import dollars, seconds, size, tokens

HELP = "Type and press Enter. /help lists commands, /quit leaves, Ctrl+C stops the model."


def write(text: str) -> None:
    """Print at once, without a new line."""
    sys.stdout.write(text)
    sys.stdout.flush()


async def asked(question: str) -> str:
    """What the person answers."""
    return (await asyncio.to_thread(input, question)).strip()


class PlainApprover:
    """Asks for permission in words."""

    async def ask(self, approval: Approval) -> Verdict:
        """The person's answer."""
        access, rule = approval.access, approval.widths[1]
        write(
            f"\nPermission: {approval.call.name} wants to {access.kind} {visible(access.target)}\n"
        )
        if access.preview:
            write(f"{visible(access.preview)}\n")
        answer = await asked(f"y yes, s yes to {rule} in this session, or why not: ")
        match answer.lower():
            case "y" | "yes":
                return AllowOnce()
            case "s":
                return AllowSession(rule)
            case "" | "n" | "no":
                return Deny()
            case _:
                return Deny(answer)


async def converse(session: Session) -> str:
    """Talk until the person leaves; gives the id of the session.

    Another session (`/resume`, `/clear`, `/fork`) is named and left to the next start.
    """
    write(f"octochat, {session.engine.state.model}, in {session.engine.state.folder}\n{HELP}\n")
    for notice in session.notices:
        write(f"Note: {notice}\n")
    calls: dict[str, ToolCall] = {}
    for entry in session.engine.log.entries:
        if isinstance(entry.event, Prompted):
            write(f"\nYou: {harmless(said(entry.event.blocks))}\n")
        for line in spoken(entry, calls, streamed=False):
            write(f"{line}\n")
    while True:
        try:
            text = await asked("\nYou: ")
        except EOFError:
            return session.engine.log.id
        if text in {"/quit", "/exit"}:
            return session.engine.log.id
        if text:
            await _turn(session, text, calls)


async def _turn(session: Session, text: str, calls: dict[str, ToolCall]) -> None:
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, session.engine.interrupt)
    try:
        async with aclosing(say(session, text)) as stream:
            await _heard(stream, calls)
    except ModelError as error:
        write(f"\nError: {error}\n{error.detail}\n/retry goes on where this stopped.\n")
    except LogError as error:
        write(f"\nError: {error}\n")
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)


async def _heard(
    stream: "AsyncGenerator[Entry | Delta | Report, None]", calls: dict[str, ToolCall]
) -> None:
    speaking = False
    async for item in stream:
        match item:
            case TextDelta(text):
                write(("" if speaking else "\nModel: ") + harmless(text))
                speaking = True
            case Switched():
                write(f"{item.text}\nStart octochat anew to go there.\n")
            case Report():
                write(f"{item.text}\n")
            case Notice(text):
                write(f"Note: {text}\n")
            case Retrying(why=why, wait=wait, attempt=attempt, attempts=attempts):
                write(f"\n{why} Try {attempt} of {attempts} in {wait:.0f} seconds.\n")
                speaking = False
            case Entry():
                lines = list(spoken(item, calls, streamed=True))
                write("".join(f"{line}\n" for line in (["", *lines] if speaking else lines)))
                speaking = False
            case _:
                pass


def spoken(entry: Entry, calls: dict[str, ToolCall], *, streamed: bool) -> Iterator[str]:
    """What a logged event is in words; an answer that was streamed is not said again."""
    match entry.event:
        case Replied(blocks=blocks, stop=stop, cost=cost):
            for block in blocks:
                if isinstance(block, ToolCall):
                    calls[block.id] = block
                    yield f"Tool: {block.name} {argument(block)}"
            text = said([b for b in blocks if isinstance(b, Text | Image | Opaque)])
            if text and not streamed:
                yield f"Model: {harmless(text)}"
            if stop == "interrupted":
                yield "Interrupted."
            elif stop != "tool_use" and cost:
                yield f"({dollars(cost)})"
        case Returned(call_id=call_id, content=content, failed=failed, seconds=took):
            name = calls[call_id].name if call_id in calls else "tool"
            text = harmless(said(content)).strip()
            last = text.split("\n")[-1]
            yield f"{name} failed: {last}" if failed else f"{name}: {size(text)}, {seconds(took)}"
        case Condensed(before=before, after=after, why=why):
            yield f"Compressed from {tokens(before)} to {tokens(after)} tokens: {why}"
        case Opened() | Prompted():
            pass
        case _:
            if card := described(entry):
                yield card.text()
