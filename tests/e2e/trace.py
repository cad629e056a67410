"""A server's answers that have one tool run, which leaves a trace each time."""

import json
from pathlib import Path
from typing import Final

from tests.e2e.answers import is_summary, summary
from tests.server import Call, Json, Reply, Say, Think, reply, say

MARK: Final = {"command": "echo . >> ran"}
WHOLE: Final = reply(Think("Let me see"), Say("I look."), Call("bash", MARK))
DONE: Final = "All is done."


def between_rounds(body: Json) -> bool:
    """Whether the model is shown what its tools returned."""
    return body["messages"][-1]["content"][0]["type"] == "tool_result"


def answers(body: Json) -> Reply:
    """A summary, the tool's call, or the end."""
    if is_summary(body):
        return say(json.dumps(summary(should=True)))
    return say(DONE) if between_rounds(body) else WHOLE


def marks(folder: Path) -> int:
    """How often the tool was run."""
    trace = folder / "ran"
    return trace.read_text().count(".") if trace.exists() else 0
