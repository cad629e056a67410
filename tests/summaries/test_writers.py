"""Who may write a summary."""

from math import isclose

import pytest

from octochat.models.catalogue import catalogue
from octochat.summaries.writers import who_may_write

OWN = "claude-sonnet-5-5"


@pytest.mark.parametrize(
    ("decision", "model", "writers"),
    [
        ("anthropic:claude-haiku-4-5", OWN, [("claude-haiku-4-5", False)]),
        ("auto", OWN, [("claude-haiku-5-5", False), (OWN, True)]),
        (OWN, OWN, [(OWN, True)]),
        ("auto", "claude-haiku-5-5", [("claude-haiku-5-5", True)]),
        ("auto", "offline", []),
    ],
)
def test_the_configured_model_writes_or_the_conversations_own(
    decision: str, model: str, writers: list[tuple[str, bool]]
) -> None:
    found = who_may_write(decision, model, catalogue({}))
    assert [(writer.model, writer.shares_cache) for writer in found] == writers


def test_a_writer_with_another_tokenizer_reads_fewer_tokens_of_the_same_text() -> None:
    [other] = who_may_write("claude-haiku-4-5", OWN, catalogue({}))
    assert isclose(other.scale * 1.3, 1)
    [same] = who_may_write("claude-haiku-5-5", OWN, catalogue({}))
    assert same.scale == 1
