"""A foreign measure: the facts of short talks that a note keeps at a tenth of their length and up.

The talks and the scoring are those of `compaction-conformance-kit`; what it needs of a compactor
stands here.
"""

from typing import Any, cast

import pytest
from compaction_kit.benchmark import (
    run_budget_benchmark,  # pyright: ignore[reportUnknownVariableType]
)
from compaction_kit.compacted import CompactedContext
from compaction_kit.session import Turn

from octochat.context.notes.extractive import extractive_note
from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Prompted, Replied

AT_LEAST = {0.10: 0.30, 0.20: 0.75, 0.30: 1.0}
"""Share of the talk that the note may take -> share of the facts that it keeps, at the least."""


def four_characters_a_token(text: str) -> int:
    return -(-len(text) // 4)


class Note:
    """The extractive note; like octochat's log, it keeps what earlier rounds compacted."""

    name = "octochat"

    def __init__(self) -> None:
        self._log: list[Entry] = []

    def compact(
        self, turns: list[Turn], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        assert budget_chars is not None
        if round_num == 1:
            self._log = [_entry(number, turn) for number, turn in enumerate(turns, 1)]
        covers = tuple(entry.id for entry in self._log)
        budget = budget_chars // 4
        text = extractive_note(self._log, covers, (), budget, four_characters_a_token)
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)


def _entry(number: int, turn: Turn) -> Entry:
    said = (Text(turn.text),)
    event = Prompted(said) if turn.role in {"user", "system"} else Replied(said)
    return Entry(number, 60.0 * number, four_characters_a_token(turn.text), event)


@pytest.mark.parametrize("budget", AT_LEAST)
def test_a_note_keeps_the_facts_of_short_talks(budget: float) -> None:
    run = cast("Any", run_budget_benchmark)  # its result is a plain dict
    (entry,) = run({"octochat": Note}, [budget])["entries"]
    assert entry["budget_compliant"]
    assert entry["randomized"]["overall_final_survival"] >= AT_LEAST[budget]
