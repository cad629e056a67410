"""`python -m tests.seat.check FOLDER`: every request of a seat, held against the API's rules.

The rules are the test server's; tokens are counted by octochat's tokenizer, uncalibrated, so that
two folders compare. Exits with 1 if the API would have refused a request.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from octochat.models.tokens.calibration import Calibration
from octochat.models.tokens.ruler import Ruler
from tests.server import TABLE, ApiRefusal
from tests.server.binding import read
from tests.server.headers import BETAS
from tests.server.models import by_id
from tests.server.refusal import Json
from tests.server.tokens import compact
from tests.server.validate import validate

MODELS = by_id(TABLE)
NOTES = ("<work-so-far", "[Earlier conversation summary]")
"""How a note begins that stands for folded messages."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One request. Sizes are tokens by the plain tokenizer, without what the API adds."""

    number: str
    model: str
    system: int
    tools: int
    messages: int
    tool_output: int
    """The part of the messages that tools returned."""
    notes: frozenset[str]
    """The notes in it, word for word."""
    dollars: float
    """0 where no answer came."""
    violation: str
    """What the API would have said; empty if it takes the request."""

    @property
    def fixed(self) -> int:
        """System prompt and tools."""
        return self.system + self.tools

    @property
    def total(self) -> int:
        """The whole prompt."""
        return self.fixed + self.messages


def check(folder: Path) -> tuple[Checked, ...]:
    """Every request in the folder, in order."""
    ruler = Ruler(calibration=Calibration(None))
    return tuple(_checked(path, ruler) for path in sorted(folder.glob("*.request.json")))


def _checked(path: Path, ruler: Ruler) -> Checked:
    number = path.name.partition(".")[0]
    body: Json = json.loads(path.read_text("utf-8"))
    said: Any = json.loads(path.with_name(f"{number}.headers.json").read_text("utf-8"))
    betas = str(said.get("anthropic-beta", "")).split(",")
    bill = path.with_name(f"{number}.usage.json")
    usage: Any = json.loads(bill.read_text("utf-8")) if bill.exists() else {}
    blocks = [block for message in body["messages"] for block in message["content"]]
    results = [block for block in blocks if block["type"] == "tool_result"]
    size = {id(block): _size(block, ruler) for block in blocks}
    return Checked(
        number,
        body["model"],
        sum(_size(block, ruler) for block in body.get("system", [])),
        sum(_size(tool, ruler) for tool in body.get("tools", [])),
        sum(size.values()),
        sum(size[id(block)] for block in results),
        frozenset(b["text"] for b in blocks if b["type"] == "text" and b["text"].startswith(NOTES)),
        usage.get("dollars") or 0.0,
        _violation(body, frozenset(filter(None, betas))),
    )


def _violation(body: Json, betas: frozenset[str]) -> str:
    try:
        if unknown := betas - BETAS:
            return f"unknown beta {sorted(unknown)}"
        read(body, validate(body, MODELS, betas))
    except ApiRefusal as refusal:
        return str(refusal)
    return ""


def _size(block: Json, ruler: Ruler) -> int:
    """Tokens of all that a model reads of a block."""
    return _raw("\n".join(_words({k: v for k, v in block.items() if k != "cache_control"})), ruler)


def _words(value: Any) -> Iterator[str]:
    match value:
        case {"type": "image" | "document"}:
            return
        case {"type": "text", "text": text}:
            yield text
        case {"type": "tool_result"}:
            for part in value.get("content", []):
                yield from _words(part)
        case _:
            yield compact(value)


def _raw(text: str, ruler: Ruler) -> int:
    return round(ruler.text(text) / ruler.factor)


def report(requests: Sequence[Checked]) -> Iterator[str]:
    """A line for each request, then the sums."""
    yield "       tokens in   fixed  tool output    dollars  model"
    for each in requests:
        wrong = f"  REFUSED: {each.violation}" if each.violation else ""
        yield (
            f"{each.number:>5} {each.total:>10,} {each.fixed:>7,} {each.tool_output:>12,} "
            f"{each.dollars:>10.5f}  {each.model}{wrong}"
        )
    refused = sum(bool(each.violation) for each in requests)
    yield ""
    yield f"calls              {len(requests):,}"
    yield f"tokens in          {sum(each.total for each in requests):,}"
    yield f"  fixed part       {sum(each.fixed for each in requests):,}"
    yield f"  tool output      {sum(each.tool_output for each in requests):,}"
    yield f"notes (folds)      {len(set[str]().union(*(each.notes for each in requests))):,}"
    yield f"cost               ${sum(each.dollars for each in requests):.4f}"
    yield f"refused by rules   {refused:,}"


def main(words: Sequence[str] | None = None) -> int:
    """Print the report; 1 if a request breaks a rule, 2 if there is none."""
    parser = argparse.ArgumentParser("tests.seat.check", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(words).folder
    requests = check(folder)
    if not requests:
        sys.stderr.write(f"There is no request in {folder}.\n")
        return 2
    sys.stdout.write("\n".join(report(requests)) + "\n")
    return 1 if any(each.violation for each in requests) else 0


if __name__ == "__main__":
    sys.exit(main())
