from hypothesis import given
from hypothesis import strategies as st

from octochat.text.harmless import harmless, visible


def test_escape_sequences_are_gone_and_the_words_stay() -> None:
    text = "\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]52;c;aGk=\x1b\\done\x9b2J\x1bc\x1bP1$q\x1b\\!"
    assert harmless(text) == "red done!"


def test_an_overwritten_line_shows_its_last_form() -> None:
    assert harmless("10%\r20%\r100%\r\nnext\r\n") == "100%\nnext\n"


def test_marks_that_turn_the_writing_direction_are_spelled_out() -> None:
    assert harmless("a\u202eb\u2066c") == "a<U+202E>b<U+2066>c"
    assert visible("a\u202eb") == "a<U+202E>b"
    assert visible("rm\u200b -r\U000e0041") == "rm<U+200B> -r<U+E0041>"


def test_a_file_shows_its_control_characters() -> None:
    assert visible("\x1b[1m\x00\x7f\x9b\ttab\r\n") == "␛[1m␀<U+007F><U+009B>\ttab\n"


@given(st.text(st.sampled_from("\x1b[]0;m\x07\\\x9b\x9c\x90P^_X\r\n\ta\u202e\x00\x7f")))
def test_nothing_that_drives_a_terminal_comes_through(text: str) -> None:
    for result in (harmless(text), visible(text)):
        assert all(
            character in "\n\t" or 0x20 <= ord(character) < 0x7F or ord(character) >= 0xA0
            for character in result
        )
