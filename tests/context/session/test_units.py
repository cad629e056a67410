"""What a unit of the view is, and which hash it has."""

from dataclasses import replace

from octochat.context.session.content import Opaque, Text, Thinking
from octochat.context.session.units import Note, Step, readable, signed

SEALED = Opaque({"type": "compaction", "content": "so far", "signature": "s"})
PICTURE = Opaque({"type": "document"})


def test_a_thought_changes_nothing_in_the_hash_of_a_reply_and_a_word_does() -> None:
    step = Step(3, (Thinking("hm", "s"), Text("well")), 9)
    assert replace(step, blocks=(Text("well"),)).fingerprint == step.fingerprint
    assert replace(step, blocks=(Thinking("hm", "s"), Text("no"))).fingerprint != step.fingerprint


def test_a_note_is_signed_if_any_of_it_is() -> None:
    assert signed((Text("rules"), SEALED))
    assert not signed((Text("rules"), PICTURE))
    assert not signed(())


def test_where_it_cannot_be_read_only_what_is_signed_becomes_words() -> None:
    note = Note(7, (Text("rules"), SEALED, PICTURE), 9)
    words = readable(note)
    assert isinstance(words, Note)
    assert (words.id, words.blocks[0], words.blocks[2]) == (7, Text("rules"), PICTURE)
    assert isinstance(words.blocks[1], Text)
    assert "so far" in words.blocks[1].text
    plain = Note(7, (Text("rules"), PICTURE), 9)
    assert readable(plain) is plain
