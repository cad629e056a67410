"""A trim of a result and one of a prompt: two types, and one form in the log."""

import pytest

from octochat.context.codec.trees import from_tree, to_tree
from octochat.context.session.edits import PromptTrim, ResultTrim
from octochat.context.session.events import Condensed

LOGGED = [
    (ResultTrim("c1", "short", 3), {"call_id": "c1", "text": "short", "size": 3}),
    (ResultTrim("c1", ""), {"call_id": "c1", "text": ""}),
    (
        PromptTrim(7, "words", 5, bare=True),
        {"call_id": "", "text": "words", "size": 5, "unit": 7, "bare": True},
    ),
    (PromptTrim(0, "words"), {"call_id": "", "text": "words", "unit": 0}),
]


@pytest.mark.parametrize(("trim", "line"), LOGGED)
def test_the_log_has_it_as_it_always_had(
    trim: ResultTrim | PromptTrim, line: dict[str, object]
) -> None:
    event = Condensed("tool_cleanup", "over", 9, 5, trims=(trim,))
    plain = to_tree(event)
    assert plain["trims"] == [line]
    assert from_tree(Condensed, plain) == event
