"""The words of a line: what is quoted, what is a pattern, what a redirection opens."""

import pytest

from octochat.permissions.shell_words import (
    MOST_CHARS,
    Operator,
    Redirection,
    Token,
    UnclearError,
    Word,
    tokens,
)


def read(line: str) -> list[Token]:
    return [token for token, _, _ in tokens(line)]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a", Word("a")),
        ("a#b", Word("a#b")),
        ("a!", Word("a!")),
        ("'a'", Word("a", bare=False)),
        ('"a"', Word("a", bare=False)),
        (r"\a", Word("a", bare=False)),
        ("a'b'", Word("ab", bare=False)),
        ("a\\\nb", Word("ab")),
        ('"a\\\nb$1"', Word("ab", bare=False)),
        ("$HOME", Word("$HOME")),
        ("*.py", Word("*.py", "*.py")),
        ("[ab]c", Word("[ab]c", "?c")),
        ("a[", Word("a[")),
        ('"\\$a\\\\ \\d"', Word("$a\\ \\d", bare=False)),
        ("'*'", Word("*", bare=False)),
        ("'*'*", Word("**", "?*", bare=False)),
        ('"~"*', Word("~*", "?*", bare=False)),
        (r"\[*", Word("[*", "?*", bare=False)),
    ],
)
def test_a_word_says_what_was_quoted_and_which_files_may_take_its_place(
    text: str, word: Word
) -> None:
    assert read(text) == [word]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{u}", ["{u}"]),
        ("a{b,c}", ["ab", "ac"]),
        ("a{,b}", ["a", "ab"]),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("a,b{c,d}", ["a,bc", "a,bd"]),
        ("../{a,b}", ["../a", "../b"]),
        (f"{{{','.join('a' * 50)}}}", ["a"] * 50),
    ],
)
def test_braces_make_several_words_of_one(text: str, words: list[str]) -> None:
    assert read(text) == [Word(word) for word in words]


def test_each_word_that_braces_make_is_a_pattern_by_itself() -> None:
    assert read("{*,a}") == [Word("*", "*"), Word("a")]


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("< f", Redirection(reads="f")),
        ("> f", Redirection(writes="f")),
        (">>f", Redirection(writes="f")),
        (">| f", Redirection(writes="f")),
        ("&> f", Redirection(writes="f")),
        (">& f", Redirection(writes="f")),
        ("2> f", Redirection(writes="f")),
        ("2>&1", Redirection()),
        (">&-", Redirection()),
        ("<&3", Redirection()),
        ("<<< x", Redirection()),
        ("> /dev/null", Redirection()),
        ("< /dev/null", Redirection()),
        ("> '/dev/stdout'", Redirection()),
        ("> $HOME/f", Redirection(writes="$HOME/f")),
    ],
)
def test_a_redirection_opens_a_file_or_none(text: str, opened: Redirection) -> None:
    assert read(text) == [opened]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("<<X\n$\nX", None),
        ("<<X\na\nX", [Redirection(), Operator("\n")]),
        ("<<'X'\n$\nX\nb", [Redirection(), Operator("\n"), Word("b")]),
        ("<<X\n\tX\nX\nb", [Redirection(), Operator("\n"), Word("b")]),
        ("<<-X\n\tX\nb", [Redirection(), Operator("\n"), Word("b")]),
        ("<<X <<'Y'\nX\n$\nY\n", [Redirection(), Redirection(), Operator("\n")]),
        ("<<X a\nX\n", [Redirection(), Word("a"), Operator("\n")]),
        ("<<X 'a\nb'\nX\n", None),
        ("<<X <<Y\nX", None),
        ("<<X\na", None),
        ("<<X", None),
        ("<<X \\\na\nX", None),
        ("<<$X\n$X", None),
    ],
)
def test_the_text_of_a_heredoc_is_no_part_of_the_line(line: str, found: list[Token] | None) -> None:
    if found is not None:
        assert read(line) == found
        return
    with pytest.raises(UnclearError):
        read(line)


@pytest.mark.parametrize(
    "line",
    ["!a", "a'b", "a(", "{a,b}{", "{a", "a}", "{a,'b'}", "{1..3}", "{,}", "{*,a", "[*", "a[*",
     "<&f", "<> f", "> a$?", "> *", "> {a,b}", f"{{{','.join('a' * 51)}}}"],
)  # fmt: skip
def test_what_is_not_understood_is_said_to_be_unclear(line: str) -> None:
    with pytest.raises(UnclearError):
        read(line)


def test_a_line_is_understood_up_to_a_length() -> None:
    assert read("a" * MOST_CHARS) == [Word("a" * MOST_CHARS)]
    with pytest.raises(UnclearError):
        read("a" * (MOST_CHARS + 1))


def test_each_token_knows_where_it_stands() -> None:
    found = list(tokens("a {b,c}; d>e # f"))
    assert found == [
        (Word("a"), 0, 1),
        (Word("b"), 2, 7),
        (Word("c"), 2, 7),
        (Operator(";"), 7, 8),
        (Word("d"), 9, 10),
        (Redirection(writes="e"), 10, 12),
    ]
