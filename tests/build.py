"""Sessions in a few words: entries with the sizes that a test wants, without a tokenizer."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from octochat.context.economics.prices import Prices, Rates
from octochat.context.plans.situation import Situation
from octochat.context.session.content import Block, Text, ToolCall
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Held,
    Opened,
    Prompted,
    Replied,
    Returned,
    Usage,
)
from octochat.context.session.state import State, replay

SONNET = Prices.flat(Rates(2, 10, 2.5, 4, 0.10))


@dataclass
class Story:
    """A log that grows line by line; sizes are what the test says they are."""

    head: int = 1_000
    """Tokens of system prompt and tools."""
    entries: list[Entry] = field(default_factory=list[Entry])
    now: float = 0.0

    def __post_init__(self) -> None:
        self.add(self.head, Opened("m", "system"))

    def add(self, size: int, event: Event) -> "Story":
        """One more entry."""
        self.entries.append(Entry(len(self.entries) + 1, self.now, size, event))
        return self

    def say(self, size: int = 100, text: str = "go on") -> "Story":
        """The person says something."""
        return self.add(size, Prompted((Text(text),)))

    def reply(self, size: int = 100, usage: Usage | None = None, text: str = "done") -> "Story":
        """The model answers and the turn ends."""
        self.now += 10
        return self.add(size, Replied((Text(text),), usage=usage or Usage(), model="m"))

    def call(
        self, result: int, size: int = 50, path: str = "", usage: Usage | None = None
    ) -> "Story":
        """The model calls a tool, and the tool answers."""
        self.now += 10
        name = f"c{len(self.entries)}"
        arguments: dict[str, object] = {"file_path": path or f"/f/{name}"}
        blocks: tuple[Block, ...] = (ToolCall(name, "read", arguments),)
        self.add(size, Replied(blocks, "tool_use", usage or Usage(), "m"))
        return self.add(result, Returned(name, (Text("r" * 8),)))

    def condensed(self, event: Condensed, note: int = 400) -> "Story":
        """Something was condensed."""
        return self.add(note, event)

    def held(self, watermark: int) -> "Story":
        """A try came to nothing."""
        return self.add(0, Held("pressure", "futile", watermark=watermark))

    @property
    def state(self) -> State:
        """Where it stands."""
        return replay(self.entries)

    def situation(self, **changes: object) -> Situation:
        """What a strategy sees; the clock stands at the last entry."""
        given: dict[str, object] = {"now": self.now, "window": 1_000_000, "prices": SONNET}
        return Situation(self.state, lambda text: len(text) // 4, **(given | changes))  # pyright: ignore[reportArgumentType]


def exchanges(count: int, size: int, story: Story | None = None) -> Story:
    """So many prompts, each with one plain reply, `size` tokens an exchange."""
    told = story or Story()
    for _ in range(count):
        told.say(size // 2).reply(size - size // 2)
    return told


def ids(story: Story) -> Iterator[int]:
    """The ids of the units in the view."""
    return (unit.id for unit in story.state.view.units)
