"""One tool call: permission, the run itself, and its result, however it ends."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from typing import Protocol

from octochat.context.session.content import Said, Text, ToolCall
from octochat.context.session.events import Entry, Event, Returned, ToolLoaded
from octochat.context.session.tags import escaped
from octochat.engine.stopping import Stopped, Stopper
from octochat.engine.tool_hooks import ToolHooks, advice, changed
from octochat.models.port import Delta, ToolOutput, ToolStarted
from octochat.text.figures import count, seconds
from octochat.text.secrets import masked
from octochat.tools.base import (
    Access,
    Amended,
    Foreseeing,
    Forwarding,
    HookAdvice,
    Output,
    Permitted,
    RevealingError,
    Tool,
    ToolError,
)

STOPPED = "[interrupted by the person after {after}: the tool did not finish]"
NOT_RUN = "[not run: the person interrupted]"
ENDED = "[interrupted: octochat ended before the tool did]"
HALTED = "[not run: a hook ended the turn]"
NEVER_RUN = "[not run: octochat ended]"
MASKED = (
    "[octochat masked {count} here; what they stand for is unchanged. Never write a mask into a "
    "file: edit around it.]"
)
IN_PART = "in part"
"""The note on a change of which the person accepted a part."""


class Permission(Protocol):
    """Says whether a call may run, asking a person where the rules leave it open."""

    async def check(
        self, tool: str, call: ToolCall, access: Access, hook: HookAdvice | None = None
    ) -> str | Amended | Permitted | None:
        """None if it may, `Permitted` if there is something to say of that, `Amended` if changed.

        Else why not, in words for the model. `hook` is what a hook wants of it.
        """
        ...

    def may_show(self, tool: str, access: Access) -> bool:
        """Whether the model may see what is in the file that a call failed to change."""
        ...


async def run(
    call: ToolCall,
    tools: Mapping[str, Tool],
    permission: Permission,
    *,
    append: Callable[[Event], Entry],
    stopper: Stopper,
    clock: Callable[[], float],
    mask_secrets: bool,
    hooks: ToolHooks | None = None,
) -> AsyncGenerator[Delta | Entry, None]:
    """Run one call and log its result. A tool's failure is content for the model."""
    watch, hooks = _Watch(clock), hooks or ToolHooks()
    pieces: asyncio.Queue[Delta | None] = asyncio.Queue()
    work = asyncio.ensure_future(_attempt(call, tools, permission, hooks, pieces, watch))
    work.add_done_callback(lambda _: pieces.put_nowait(None))
    try:
        while (piece := await stopper.wait(pieces.get())) is not None:
            yield piece
        output = work.result()
    except Stopped:
        output = await _end(work) or watch.stopped()
    except (asyncio.CancelledError, GeneratorExit):
        work.cancel()
        append(watch.returned(call, watch.ended()))
        raise
    if mask_secrets:
        output = _masked(output)
    yield append(watch.returned(call, output))
    for event in (*output.events, *hooks.runs):
        yield append(replace(event, call_id=call.id) if isinstance(event, ToolLoaded) else event)


def skipped(call: ToolCall, why: str = NOT_RUN) -> Returned:
    """The result of a call that is not run because the person interrupted an earlier one."""
    return Returned(call.id, _said(why).content, failed=True)


class _Watch:
    """How long a call waits until it may run, and how long it runs."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._asked = clock()
        self._began: float | None = None

    def start(self) -> float:
        """It may run; returns how long it has waited for that, in seconds."""
        self._began = self._clock()
        return max(self._began - self._asked, 0.0)

    def stopped(self) -> Output:
        """What is said where the person interrupted: it may have waited for leave until then."""
        if self._began is None:
            return _said(NOT_RUN)
        return _said(STOPPED.format(after=seconds(max(self._clock() - self._began, 0.0))))

    def ended(self) -> Output:
        """What is said where octochat itself ended."""
        return _said(NEVER_RUN if self._began is None else ENDED)

    def returned(self, call: ToolCall, output: Output) -> Returned:
        """Its result, now."""
        now = self._clock()
        began = now if self._began is None else self._began
        return Returned(
            call.id,
            _sendable(output.content),
            output.failed,
            seconds=max(now - began, 0.0),
            waited=max(round(began - self._asked, 1), 0.0),
            note=output.note,
            diff=output.diff,
        )


async def _attempt(
    call: ToolCall,
    tools: Mapping[str, Tool],
    permission: Permission,
    hooks: ToolHooks,
    pieces: asyncio.Queue[Delta | None],
    watch: _Watch,
) -> Output:
    tool = tools.get(call.name)
    if tool is None:
        return _said(f"There is no tool {call.name!r}. There are: {', '.join(tools)}.")
    access = Access("none", "")
    try:
        if isinstance(tool, Forwarding):
            call, tool = tool.forwarded(call)
        access = tool.access(call.arguments)
        asked = await hooks.before(call, access)
        if asked.decision == "deny":
            return _said(f"a hook denied it: {asked.reason}")
        if asked.updated is not None:
            call = changed(call, asked)
            access = tool.access(call.arguments)
        if isinstance(tool, Foreseeing):
            access = await tool.foreseen(call.arguments, access)
        answer = await permission.check(call.name, call, access, advice(asked))
        if isinstance(answer, str):
            return _said(answer)
        arguments, told, note = call.arguments, (), ""
        if isinstance(answer, Permitted):
            told = (Text(answer.note),)
        if isinstance(answer, Amended):
            arguments, told, note = answer.arguments, (Text(answer.note),), IN_PART
            access = tool.access(arguments)
        pieces.put_nowait(ToolStarted(call, watch.start()))
        output = await tool.run(
            arguments, access, lambda text: pieces.put_nowait(ToolOutput(call.id, text))
        )
        notes = " · ".join(filter(None, (output.note, note)))
        output = replace(output, content=(*output.content, *told), note=notes)
        made = replace(call, arguments=arguments)
        return output if output.failed else await hooks.after(made, access, output)
    except RevealingError as error:
        return _said(str(error) if permission.may_show(call.name, access) else error.bare)
    except ToolError as error:
        return _said(str(error))
    except Exception as error:  # noqa: BLE001  whatever a tool does, the session goes on
        return _said(f"{call.name} failed: {type(error).__name__}: {error}")


async def _end(work: asyncio.Future[Output]) -> Output | None:
    """Cancel it and wait until it has cleaned up; what came of it, if it says so."""
    work.cancel()
    await asyncio.wait([work])
    return None if work.cancelled() or work.exception() else work.result()


def _masked(output: Output) -> Output:
    """The output without keys of known shapes, and a line that says how many there were."""
    content: list[Said] = []
    number = 0
    for block in output.content:
        text, found = masked(block.text) if isinstance(block, Text) else ("", 0)
        content.append(Text(text) if found else block)
        number += found
    if number:
        content.append(Text(MASKED.format(count=count(number, "secret"))))
    return replace(output, content=tuple(content), diff=masked(output.diff)[0])


def _said(text: str) -> Output:
    return Output((Text(text),), failed=True)


def _sendable(content: tuple[Said, ...]) -> tuple[Said, ...]:
    """The content without empty texts, unable to pose as a note; never nothing at all."""
    said = (Text(escaped(b.text)) if isinstance(b, Text) else b for b in content)
    sound = tuple(b for b in said if not isinstance(b, Text) or b.text.strip())
    return sound or (Text("[no output]"),)
