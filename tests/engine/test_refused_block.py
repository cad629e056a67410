"""Which block of its own the API refuses, in its words: by place or by kind, and nothing else."""

import pytest

from octochat.context.session.content import Message, Opaque, Text
from octochat.engine.refused_block import refused_kind
from octochat.models.port import ErrorKind, ModelError

ODD = Opaque({"type": "advisor_note", "note": "hm"})
PDF = Opaque({"type": "document", "source": {}})
MESSAGES = (
    Message("user", (Text("go"), PDF)),
    Message("assistant", (Text("well"), ODD, Opaque({"type": "advisor"}))),
    Message("user", (Text("go on"),)),
)


def refused(said: str, kind: ErrorKind = "invalid") -> str:
    return refused_kind(ModelError(kind, "no", detail=said), MESSAGES)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("messages.1.content.1: Input tag 'advisor_note' does not match", "advisor_note"),
        ("messages.1.content.2.advisor.x: Extra inputs are not permitted", "advisor"),
        ("unknown block `advisor_note`", "advisor_note"),
        ("messages.1.content.0: an advisor_note is not a text", ""),
        ("messages.0.content.1: Input tag 'document' does not match", ""),
        ("messages.7.content.1: advisor_note", ""),
        ("a document is not taken", ""),
        ("temperature: too high", ""),
        ("", ""),
    ],
)
def test_a_block_is_found_by_its_place_or_else_by_its_kind(said: str, kind: str) -> None:
    assert refused(said) == kind


def test_what_is_no_refusal_of_the_request_refuses_no_block() -> None:
    assert refused("messages.1.content.1: advisor_note", "server") == ""
