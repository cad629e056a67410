"""What the server's model and network do in a long session: replies, faults, summaries."""

import json
import random
from dataclasses import dataclass, field

from tests.server import (
    Call,
    Cut,
    EndEarly,
    ErrorEvent,
    Gate,
    Held,
    Json,
    Malformed,
    Reply,
    Reset,
    Say,
    Status,
    Think,
    reply,
    say,
    too_long,
)
from tests.server.script import Fault

WORDS = "The work goes on: we looked at src/app.py and must never drop table 42. "


@dataclass(slots=True)
class Director:
    """Answers every request at random, unless the test wants something of the next one."""

    rng: random.Random
    summaries: int = 0
    """How many were asked for."""
    wanted: list[Reply | Fault] = field(default_factory=list[Reply | Fault])
    """What the next requests of the conversation are answered with."""

    def __call__(self, body: Json) -> Reply | Fault:
        if is_summary(body):
            self.summaries += 1
            return self._summary()
        return self.wanted.pop(0) if self.wanted else self.random()

    def hold(self, after: int) -> Gate:
        """The next reply stops after so many events; the gate is never opened."""
        gate = Gate()
        self.wanted.append(Held(gate, words(self.rng), after))
        return gate

    def random(self) -> Reply | Fault:
        """A reply, mostly."""
        chance = self.rng.random()
        if chance < 0.12:
            return self._fault()
        if chance < 0.14:
            return too_long(40_000, 30_000)
        if chance < 0.20:
            return reply(Say(WORDS), stop=self.rng.choice(("max_tokens", "refusal")))
        if chance < 0.22:
            return reply(Say(WORDS), stop="model_context_window_exceeded")
        return words(self.rng)

    def _fault(self) -> Reply | Fault:
        whole, after = words(self.rng), self.rng.randint(0, 5)
        faults: list[Reply | Fault] = [
            Status(529, "Overloaded"),
            Status(429, "slow down", retry_after=0),
            Status(500, "oops"),
            Reset(0, whole),
            Cut(after, whole),
            EndEarly(after, whole),
            Malformed(after, whole),
            ErrorEvent(after, whole),
        ]
        return self.rng.choice(faults)

    def _summary(self) -> Reply | Fault:
        chance = self.rng.random()
        if chance < 0.1:
            return self._fault()
        if chance < 0.15:
            return say("I would rather not.")
        return say(json.dumps(summary(should=chance > 0.2)))


def is_summary(body: Json) -> bool:
    """Whether octochat asks for a summary, in either form."""
    last = body["messages"][-1]["content"][-1]
    return "tools" not in body or "This message comes from octochat" in last.get("text", "")


def summary(*, should: bool) -> Json:
    """A summary as octochat wants it."""
    return {
        "should_compress": should,
        "reason": "it is long",
        "goal": "Get the work done.",
        "progress": ["Files were read.", "Commands were run."],
        "decisions": [],
        "constraints": ["Never drop table 42."],
        "questions": [],
        "next_steps": ["Go on."],
        "knowledge": [{"kind": "constraint", "text": "Never drop table 42."}],
    }


def words(rng: random.Random) -> Reply:
    """Thinking, words, and any number of parallel calls, some of which fail."""
    thought = (Think("let me think " * rng.randint(1, 20)),) if rng.random() < 0.6 else ()
    spoken = (Say(WORDS * rng.randint(1, 4)),) if rng.random() < 0.8 else ()
    count = rng.choice((0, 1, 2, 3, 9)) if rng.random() < 0.6 else 0
    calls = tuple(one_call(rng) for _ in range(count))
    return reply(*thought, *(spoken if calls else (Say(WORDS),)), *calls)


def one_call(rng: random.Random) -> Call:
    """A tool call as a model makes it, wrong ones included."""
    n = rng.randint(1, 9)
    return rng.choice(
        (
            Call("read", {"file_path": "README.md"}),
            Call("read", {"file_path": "notes.txt", "ranges": [[n, n + 30]]}),
            Call("read", {"file_path": "missing.txt"}),
            Call("read", {}),
            Call("write", {"file_path": f"out{n}.txt", "content": f"{n}\n" * n}),
            Call("edit", {"file_path": f"out{n}.txt", "old_string": "1", "new_string": "2"}),
            Call("grep", {"pattern": f"note {n}"}),
            Call("glob", {"pattern": "*"}),
            Call("bash", {"command": f"echo line {n}; seq {n * 20}"}),
            Call("bash", {"command": "exit 3"}),
            Call("recall", {"entries": f"{n}-{n + 3}"}),
            Call("skill", {"action": rng.choice(("use", "forget")), "name": "debugging"}),
            Call("no_such_tool", {"x": n}),
        )
    )
