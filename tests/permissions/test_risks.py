"""What a rule has to spell out before it allows a command of git."""

import pytest

from octochat.permissions.risks import risks


@pytest.mark.parametrize(
    ("line", "spelled_out"),
    [
        ("git", ()),
        ("git log", ()),
        ("git --no-pager log", ()),
        ("git -c a=b log", ("-c",)),
        ("git --exec-path=x log", ("--exec-path",)),
        ("git bisect run x", ("bisect",)),
        ("git clone ext::sh", ("ext::sh",)),
        ("git remote", ()),
        ("git remote -v", ()),
        ("git remote show add", ()),
        ("git remote add x u", ("add",)),
        ("git remote set-url x u", ("set-url",)),
        ("git-upload-pack x", ("git-upload-pack",)),
    ],
)
def test_what_git_runs_or_where_it_sends_has_to_be_spelled_out(
    line: str, spelled_out: tuple[str, ...]
) -> None:
    assert risks(tuple(line.split())) == spelled_out
