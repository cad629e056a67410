"""How a rule is written, and which words its pattern has."""

import pytest

from octochat.permissions.rule import Rule, parse


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("git log *", "git log *"),
        ("git:*", "git *"),
        ("npm run:*", "npm run *"),
        ("git*", "git* *"),
        ("ls*", "ls* *"),
        ("git st*", "git st* *"),
        ("ls a*", "ls a*"),
        ("ls git*", "ls git*"),
        ("git *x", "git *x"),
        ("git log", "git log"),
        ("echo 'a", "echo 'a"),
        ("", ""),
    ],
)
def test_a_star_behind_the_beginning_of_a_command_stands_for_arguments_too(
    pattern: str, words: str
) -> None:
    assert Rule("bash", pattern).words == tuple(words.split())


def test_quotes_keep_the_words_of_a_pattern_together() -> None:
    assert Rule("bash", "echo 'a b' *").words == ("echo", "a b", "*")


def test_a_rule_is_about_one_tool_or_about_those_that_its_star_covers() -> None:
    assert parse("bash").names("bash")
    assert not parse("bash").names("bash2")
    assert parse("mcp__files__*").names("mcp__files__read")
    assert not parse("mcp__files__*").names("mcp__mail__read")
    assert parse("*").names("edit")
