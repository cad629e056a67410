"""One tool call: what it is said to have taken is what the tool took, not the person."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from octochat.context.session.content import Image, Text, ToolCall, plain_text
from octochat.context.session.events import Entry, Event, Returned, ToolDefinition
from octochat.engine.run_tool import STOPPED, run, skipped
from octochat.engine.stopping import Stopper
from octochat.models.port import ToolStarted
from octochat.permissions.ask import AllowOnce, AllowSession, Approval, Deny, Permissions, Verdict
from octochat.permissions.rule import Rule
from octochat.permissions.rules import Rules
from octochat.text.figures import seconds
from octochat.tools.base import Access, Output, Progress, ToolError
from tests.waiting import soon

CALL = ToolCall("c", "slow", {})


class World:
    """A clock, a tool that takes 3 s, and a person who takes 40 s."""

    def __init__(self, verdict: Verdict | None) -> None:
        """No verdict: the person never answers, but interrupts."""
        self.started = asyncio.Event()
        self.lasts = False
        self.says = Output((Text("done"),))
        self.masks = True
        self.deny: tuple[Rule, ...] = ()
        self.now = 1_000.0
        self.verdict = verdict
        self.stopper = Stopper()
        self.log: list[Event] = []
        self.starts: list[ToolStarted] = []

    @property
    def spec(self) -> ToolDefinition:
        return ToolDefinition("slow", "", {})

    def access(self, arguments: Mapping[str, object]) -> Access:
        return Access("write", "x", path=Path("/work/x"))

    async def run(
        self, arguments: Mapping[str, object], access: Access, progress: Progress
    ) -> Output:
        self.now += 3
        self.started.set()
        if self.lasts:
            await asyncio.Event().wait()
        return self.says

    async def close(self) -> None:
        pass

    async def ask(self, approval: Approval) -> Verdict:
        self.now += 40
        if self.verdict is None:
            self.stopper.stop()
            await asyncio.Event().wait()
        assert self.verdict
        return self.verdict

    def append(self, event: Event) -> Entry:
        self.log.append(event)
        return Entry(len(self.log), self.now, 0, event)

    async def result(self, clock: Callable[[], float] | None = None) -> Returned:
        stream = run(
            CALL,
            {"slow": self},
            Permissions(Rules(Path("/work"), deny=self.deny), self),
            append=self.append,
            stopper=self.stopper,
            clock=clock or (lambda: self.now),
            mask_secrets=self.masks,
        )
        self.starts = [item async for item in stream if isinstance(item, ToolStarted)]
        (returned,) = self.log
        assert isinstance(returned, Returned)
        return returned


@pytest.mark.parametrize(
    ("verdict", "ran"), [(AllowOnce(), 3.0), (Deny("no"), 0.0), (None, 0.0)], ids=str
)
async def test_the_wait_for_the_person_is_no_running_time(
    verdict: Verdict | None, ran: float
) -> None:
    returned = await World(verdict).result()
    assert (returned.seconds, returned.waited) == (ran, 40.0)


async def test_though_the_clock_was_set_back_nothing_took_less_than_no_time() -> None:
    world = World(AllowOnce())
    clock = iter([1_000.0, 900.0, 800.0])
    returned = await world.result(lambda: next(clock))
    assert (returned.seconds, returned.waited) == (0, 0)
    assert [start.waited for start in world.starts] == [0]


async def test_the_wait_is_told_to_a_tenth_of_a_second() -> None:
    clock = iter([1_000.0, 1_000.26, 1_000.5])
    returned = await World(AllowOnce()).result(lambda: next(clock))
    assert returned.waited == 0.3


async def test_a_tool_that_starts_says_how_long_it_has_waited() -> None:
    world = World(AllowOnce())
    await world.result()
    assert [start.waited for start in world.starts] == [40.0]


async def test_what_is_interrupted_while_it_waits_for_leave_is_told_not_to_have_run() -> None:
    returned = await World(None).result()
    assert returned.content == (Text("[not run: the person interrupted]"),)


async def test_a_tool_that_is_stopped_as_the_clock_is_set_back_ran_for_no_time() -> None:
    world, clock = World(AllowOnce()), iter([1_000.0, 900.0, 800.0, 700.0])
    world.lasts = True
    work = asyncio.create_task(world.result(lambda: next(clock)))
    await soon(world.started.wait())
    world.stopper.stop()
    said = plain_text((await work).content)
    assert said == STOPPED.format(after=seconds(0))


async def ended(world: World) -> str:
    """What the result says where octochat ends while the call is under way."""
    work = asyncio.create_task(world.result())
    await soon(world.started.wait())
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    (returned,) = world.log
    assert isinstance(returned, Returned)
    return plain_text(returned.content)


async def test_what_ends_with_octochat_is_not_said_to_be_stopped_by_the_person() -> None:
    world = World(AllowOnce())
    world.lasts = True
    assert await ended(world) == "[interrupted: octochat ended before the tool did]"


async def test_what_octochats_end_kept_from_running_is_told_so() -> None:
    class Silent(World):
        async def ask(self, approval: Approval) -> Verdict:
            self.started.set()
            await asyncio.Event().wait()
            return Deny()

    assert await ended(Silent(None)) == "[not run: octochat ended]"


async def test_what_is_to_be_said_of_a_permission_follows_the_result() -> None:
    world = World(AllowSession((Rule("slow"),)))
    world.deny = (Rule("slow", "rm *"),)
    returned = await world.result()
    first, second = returned.content
    assert first == Text("done")
    assert isinstance(second, Text)
    assert second.text.startswith("[Every call of slow is allowed now, but")


class Interrupted(World):
    """The person interrupts the tool 12 s after it began."""

    def __init__(self, said: str) -> None:
        """What the tool says then; empty: it just ends."""
        super().__init__(AllowOnce())
        self.said = said

    async def run(
        self, arguments: Mapping[str, object], access: Access, progress: Progress
    ) -> Output:
        self.now += 12
        self.stopper.stop()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.said:
                raise ToolError(self.said) from None
            raise
        raise AssertionError


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", "[interrupted by the person after 12 s: the tool did not finish]"),
        ("half\n[interrupted]", "half\n[interrupted]"),
    ],
)
async def test_an_interrupt_tells_after_how_long_or_what_the_tool_has_to_say(
    said: str, told: str
) -> None:
    returned = await Interrupted(said).result()
    assert (returned.content, returned.failed) == ((Text(told),), True)


@pytest.mark.parametrize("mask", [True, False])
async def test_keys_of_known_shapes_are_masked_in_the_log_with_a_line_that_says_so(
    mask: bool,
) -> None:
    key = f"ghp_{'Ab3' * 14}"
    world = World(AllowOnce())
    world.says = Output((Text(f"TOKEN={key}\nPORT=1\n"),), diff=f"+TOKEN={key}\n")
    world.masks = mask
    told = await world.result()
    text = plain_text(told.content)
    assert (key in text, key in told.diff) == (not mask, not mask)
    assert text.startswith("TOKEN=[ghp_... masked]\nPORT=1\n") is mask
    assert ("octochat masked 1 secret here" in text) is mask


async def test_a_result_goes_without_its_empty_texts_and_with_its_pictures() -> None:
    picture = Image("image/png", "AAAA")
    world = World(AllowOnce())
    world.says = Output((Text(" \n"), picture, Text("a boat")))
    assert (await world.result()).content == (picture, Text("a boat"))
    world.says = Output((Text(" \n"),))
    world.log.clear()
    assert (await world.result()).content == (Text("[no output]"),)


def test_a_call_that_is_skipped_counts_as_failed() -> None:
    assert skipped(CALL).failed
