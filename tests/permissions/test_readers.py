"""Which files a command shows that only reads, and which commands may do more."""

import pytest

from octochat.permissions.readers import files_read, hidden_too


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("echo a", ()),
        ("date +%F -u", ()),
        ("date -u 0101", None),
        ("date 0101", None),
        ("command -v ls", ()),
        ("command -V ls", ()),
        ("command ls", None),
        ("jq . a", ("a",)),
        ("jq env a", None),
        ("jq . a env", None),
        ("grep import a", ("a",)),
        ("grep -fab x", ("ab", "b", "x")),
        ("rg x a --color=never", ("a", "never")),
        ("cut -fab x", ("x",)),
        ("cut --fields=1 x", ("1", "x")),
        ("cut --output-delimiter=a=b x", ("a=b", "x")),
        ("cat -- -a b", ("-a", "b")),
        ("cat -a -b", ()),
        ("cat -n/.x a", ("-n/.x", "a")),
        ("tail -f a", None),
        ("[ -f a ]", ()),
        ("[ -v a[x] ]", None),
        ("test a = `", None),
        ("test a[x]", None),
        ("make", None),
    ],
)
def test_the_files_that_a_command_shows(line: str, files: tuple[str, ...] | None) -> None:
    assert files_read(tuple(line.split(" "))) == files


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("grep -r x", True),
        ("rg x", False),
        ("rg -n x .", False),
        ("rg -u x", True),
        ("rg x -n.", True),
        ("rg x --hidden", True),
    ],
)
def test_a_search_finds_hidden_files_where_its_options_say_so(line: str, *, hidden: bool) -> None:
    assert hidden_too(tuple(line.split(" "))) is hidden
