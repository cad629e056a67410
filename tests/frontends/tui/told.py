"""Builders of sessions: what was said and done, as the entries of a log."""

from dataclasses import dataclass, field, replace

from octochat.context.session.content import Block, Said, Text, Thinking, ToolCall
from octochat.context.session.edits import Fold, ResultTrim, Worth
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    Stop,
    Usage,
)
from octochat.context.session.tags import WORK, tagged

NOON = 1_760_000_000.0
"""A Thursday in October 2025."""

QUESTIONS = (
    "Why is the retry test flaky?",
    "Which other tests sleep?",
    "Make them wait for what they need.",
    "Run the whole suite twice.",
    "And on one core?",
)
ANSWER = """The test sleeps **50 ms** and assumes that the server is up by then.

1. `start()` returns before the socket listens
2. the first request is refused, and nothing tries again

```python
def wait_until_up(port: int, limit: float = 5.0) -> None:
    # ask, don't guess
    while not listens(port):
        sleep(0.01)
```

| what | before | after |
|:-----|-------:|------:|
| runs | 200 | 200 |
| failures | 9 | 0 |

See [the log](https://example.com/log), lines [12] and [/bold]."""


@dataclass
class Told:
    """A session that grows by what is called."""

    entries: list[Entry] = field(default_factory=list[Entry])
    at: float = NOON

    def add(self, event: Event, after: float = 3.0) -> Entry:
        """One more event, some seconds later."""
        self.at += after
        entry = Entry(len(self.entries) + 1, self.at, 10, event)
        self.entries.append(entry)
        return entry

    def opened(self) -> Entry:
        return self.add(Opened("claude-sonnet", "You are octochat.", (), "~/shop"))

    def asks(self, text: str, after: float = 20.0) -> Entry:
        return self.add(Prompted((Text(text),)), after)

    def says(self, *blocks: Block, stop: Stop = "end_turn", cost: float | None = 0.021) -> Entry:
        return self.add(Replied(blocks, stop=stop, cost=cost, seconds=3.0))

    def calls(self, *calls: ToolCall, text: str = "Let me look.") -> Entry:
        thought = Thinking("The failure comes and goes.\nSo it is about time.", "signed")
        return self.says(thought, Text(text), *calls, stop="tool_use", cost=0.01)

    def returns(self, call: str, text: str, *, failed: bool = False, took: float = 0.4) -> Entry:
        said: tuple[Said, ...] = (Text(text),)
        return self.add(Returned(call, said, failed=failed, seconds=took))

    def condensed(self, first: int, last: int, *, keep: tuple[int, ...] = ()) -> Entry:
        words = (
            "## What was asked\n[#2] Why is the retry test flaky?\n[#9] Make it steady, please.\n\n"
            "## Goal\nMake the retry test **steady**.\n\n- start() returns too early"
        )
        note = Text(tagged(WORK, words))
        return self.add(
            Condensed(
                "pressure",
                "152.3k tokens are over level 2 (150k)",
                152_300,
                41_000,
                fold=Fold(first, last, (note,), keep),
                trims=(ResultTrim("r1", "cut", 40),),
                level=1,
                ratio=4.0,
                worth=Worth(1.21, 0.41, 0.03, 20),
                writer="claude-haiku",
                usage=Usage(fresh=98_000, output=1_900),
                cost=0.031,
                seconds=8.2,
            )
        )

    def turn(self, number: int = 1, question: str = "Why is the retry test flaky?") -> None:
        """A whole exchange: a question, three calls of which one fails, an answer."""
        self.asks(question)
        self.calls(
            ToolCall(f"r{number}", "read", {"file_path": "tests/test_retry.py"}),
            ToolCall(
                f"e{number}",
                "edit",
                {
                    "file_path": "tests/test_retry.py",
                    "old_string": "def test():\n    sleep(0.05)\n    go()",
                    "new_string": "def test():\n    wait_until_up(8080)\n    go()",
                },
            ),
            ToolCall(f"b{number}", "bash", {"command": "pytest -q tests/test_retry.py"}),
        )
        listing = "\n".join(f"{n:4} line [{n}] of the test" for n in range(1, 61))
        self.returns(f"r{number}", listing, took=0.1)
        self.returns(f"e{number}", "The file was changed.", took=0.02)
        self.returns(f"b{number}", "E  assert 9 == 0\n1 failed in 3.21s", failed=True, took=3.4)
        self.says(Text(ANSWER))


def session(turns: int) -> list[Entry]:
    """A session of so many exchanges."""
    told = Told()
    told.opened()
    for number in range(1, turns + 1):
        told.turn(number, f"Question {number}: why is the retry test flaky?")
    return told.entries


def day() -> list[Entry]:
    """A long session in which the context was folded, went cold, and was folded again."""
    told = Told()
    told.opened()
    for number in range(1, 12):
        told.turn(number, QUESTIONS[number % len(QUESTIONS)])
    folded = told.condensed(2, len(told.entries) - 12, keep=(2,))
    for number in range(12, 17):
        told.turn(number, QUESTIONS[number % len(QUESTIONS)])
    told.at += 4_000
    for number in range(17, 20):
        told.turn(number, QUESTIONS[number % len(QUESTIONS)])
    told.condensed(folded.id, len(told.entries) - 12, keep=(2,))
    told.turn(20, QUESTIONS[0])
    return _weighed(told.entries)


def _weighed(entries: list[Entry]) -> list[Entry]:
    """Every entry with a size of its own, and the folds with what they free."""
    made: list[Entry] = []
    weights: dict[int, int] = {}
    context = 0
    for entry in entries:
        event = entry.event
        match event:
            case Opened():
                size = 4_200
            case Returned():
                size = 300 + entry.id * 2_357 % 5_600
            case Condensed(fold=Fold(_, last, _, keep)):
                size = 3_900
                gone = [x for x in weights if 1 < x <= last and x not in keep]
                before, context = context, context - sum(map(weights.pop, gone))
                event = replace(event, before=before, after=context + size, trims=())
            case _:
                size = 250 + entry.id * 37 % 900
        context += size
        weights[entry.id] = size
        made.append(replace(entry, size=size, event=event))
    return made
