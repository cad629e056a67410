"""What plan mode takes for reading."""

import pytest

from octochat.permissions.plan_mode import only_reads


@pytest.mark.parametrize(
    "line",
    ["ls -la src", "git status; git diff | head", "grep -rn x . 2>/dev/null | wc -l", "cat a"],
)
def test_commands_that_only_read(line: str) -> None:
    assert only_reads(line)


@pytest.mark.parametrize(
    "line",
    [
        "ls > list",
        "cat $(rm a)",
        "git push",
        "git",
        "git diff --output=a",
        "rg --pre=evil x",
        "git grep -Oevil x",
        "find . -delete",
        "sed -i s/a/b/ c",
        "ls; rm a",
        "sort -o a b",
        "uniq - a",
        "./cat a",
        "./git status",
    ],
)
def test_commands_that_may_do_more_than_read(line: str) -> None:
    assert not only_reads(line)
