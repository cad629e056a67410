"""Who may write a summary."""

from math import isclose

import pytest

from octochat.context.economics.worth import summary_cost
from octochat.models.catalogue import ModelSettings, catalogue
from octochat.summaries.writers import unpriced, who_may_write

OWN = "claude-sonnet-5-5"
SIZES = {"context": 50_000, "cached": 40_000, "transcript": 20_000, "note": 1_000}


@pytest.mark.parametrize(
    ("decision", "model", "writers"),
    [
        ("anthropic:claude-haiku-4-5", OWN, [("claude-haiku-4-5", False)]),
        ("auto", OWN, [("claude-haiku-5-5", False), (OWN, True)]),
        (OWN, OWN, [(OWN, True)]),
        ("auto", "claude-haiku-5-5", [("claude-haiku-5-5", True)]),
        ("auto", "offline", []),
        ("offline", OWN, []),
        ("octochat:offline", OWN, []),
        ("auto", "qwen3:8b", [("qwen3:8b", True)]),
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


def test_a_writer_without_known_prices_is_as_dear_as_the_conversation_and_told_of() -> None:
    known = catalogue({"mine": ModelSettings(input=0.0, output=0.0)})
    for name in ("claude-hiaku", "gpt-9"):
        [other] = who_may_write(name, OWN, known)
        assert other.prices == known(OWN).prices
        assert summary_cost(other, **SIZES) > 0
        assert name in unpriced(name, known)
        assert f'[models."{name}"]' in unpriced(name, known)
    [free] = who_may_write("mine", OWN, known)
    assert summary_cost(free, **SIZES) == 0
    for name in ("auto", "offline", "mine", "anthropic:claude-haiku-4-5", OWN):
        assert unpriced(name, known) == ""
