"""What touches foreign text takes any length: a pattern whose cost grew with the square of the
length would keep one of these busy for minutes."""

from collections.abc import Callable

import pytest

from octochat.context.notes.identifiers import identifiers
from octochat.context.notes.requests import UserRequest, rules
from octochat.context.notes.sentences import passages
from octochat.context.notes.touched import touched, written_in
from octochat.context.session.content import ToolCall
from octochat.memory.passages import pieces
from octochat.memory.query import query
from octochat.text.harmless import harmless, visible
from octochat.text.secrets import masked

LONG = 300_000
"""Characters."""

SHAPES = (
    *("a", "word ", ".", "/a", '"', "'a ", "1", "\n", "ab\r", "\x1b[", "\x1b]", " ", "`", "a_"),
    *("Error: ", "a1", "a-1", "```\n", "<<A ", "$(", "<<<<<<< SEARCH\n", "A. ", "表", "http://"),
    *("eyJ", "eyJaaaaaaaaaa.", "sk-", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A "),
)
READERS: dict[str, Callable[[str], object]] = {
    "harmless": harmless,
    "visible": visible,
    "identifiers": identifiers.__wrapped__,
    "passages": passages.__wrapped__,
    "rules": lambda text: rules((UserRequest(1, text),)),
    "touched": lambda text: touched(ToolCall("1", "bash", {"command": text})),
    "written_in": written_in,
    "pieces": lambda text: list(pieces(text)),
    "query": query,
    "masked": masked,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_long_text_of_any_shape_is_read(shape: str, reader: str) -> None:
    text = shape * (LONG // len(shape))
    assert READERS[reader](text) is not None


def test_a_line_shows_its_last_form() -> None:
    assert harmless("10 %\r50 %\r100 %\ndone\r\n") == "100 %\ndone\n"
    assert harmless("kept\r") == "kept"
