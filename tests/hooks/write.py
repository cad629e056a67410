"""Hooks in the person's configuration: what they print, and what they were given."""

import json
from typing import Any

from tests.e2e.home import Home


def hook(at: Home, event: str, command: str, *, config: str = "", **more: Any) -> None:
    """One more hook in the person's own configuration."""
    lines = [f"[[hooks.{event}]]", f"command = {json.dumps(command)}"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in more.items()]
    before = at.settings.read_text() if at.settings.exists() else ""
    at.configure(f"{before}\n{config}\n" + "\n".join(lines) + "\n")


def says(**tree: object) -> str:
    """A command that answers with JSON."""
    return f"cat > /dev/null; cat <<'END'\n{json.dumps(tree)}\nEND"


def specific(event: str, **tree: object) -> str:
    return says(hookSpecificOutput={"hookEventName": event, **tree})


def kept(at: Home, name: str) -> str:
    """A command that keeps what it is given."""
    return f"cat >> {at.root}/{name}.jsonl; echo >> {at.root}/{name}.jsonl"


def given(at: Home, name: str) -> list[dict[str, Any]]:
    file = at.root / f"{name}.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines() if line]
