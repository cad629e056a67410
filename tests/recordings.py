"""Recorded conversations, where the folder with them is at hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Event, Prompted, Replied, Returned

RECORDINGS = [
    folder
    for parent in Path(__file__).resolve().parents
    if (folder := parent / "shared" / "trajectories" / "dev").is_dir()
]


def recorded(path: Path) -> Iterator[Event]:
    for line in path.read_text("utf-8").splitlines()[1:]:
        message = json.loads(line)
        content: Any = message["content"]
        said: Any = [{"type": "text", "text": content}]
        for block in said if isinstance(content, str) else content:
            match block["type"]:
                case "text" if message["role"] == "user":
                    yield Prompted((Text(block["text"]),))
                case "text":
                    yield Replied((Text(block["text"]),))
                case "tool_use":
                    yield Replied((ToolCall(block["id"], block["name"], block["input"]),))
                case "tool_result":
                    yield Returned(block["tool_use_id"], (Text(str(block["content"])),))
                case _:
                    pass


def recordings(pattern: str) -> list[Path]:
    """Those whose names match; the test is skipped if there are none here."""
    paths = sorted(path for folder in RECORDINGS for path in folder.glob(pattern))
    if not paths:
        pytest.skip("the recordings are not here")
    return paths
