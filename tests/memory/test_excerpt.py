"""A passage is cut to what stands around the words."""

import pytest

from octochat.memory.excerpt import excerpt
from octochat.memory.query import query

LONG = "alpha " * 30 + "the deployed server\nis kestrel " + "omega " * 30


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("kestrel", "…the deployed server is kestrel omega omega omeg…"),
        ("deploying SERVERS", "…a alpha alpha alpha the deployed server is kestr…"),
        ('"server is"', "…lpha alpha the deployed server is kestrel omega…"),
        ("nothing", "alpha alpha alpha alpha…"),
    ],
)
def test_the_words_stand_in_the_middle(words: str, shown: str) -> None:
    assert excerpt(LONG, query(words), 24) == shown


def test_what_is_short_is_shown_whole_on_one_line() -> None:
    assert excerpt("is\n  short", query("short")) == "is short"
