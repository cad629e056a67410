"""Which scripts of sed and awk only print, and what they read."""

import pytest

from octochat.permissions.readers import files_read


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("sed -n 1,5p a b", ("a", "b")),
        ("sed -n -e p -e q a", ("a",)),
        ("sed -e p", ()),
        ("sed --expression=p a", ("a",)),
        ("sed -i p a", None),
        ("sed -e w/a b", None),
        ("sed", None),
        ("sed -e", None),
        ("sed -n -x p a", None),
        ("sed -nEe p a", ("a",)),
        (f"sed {'p;' * 250} a", ("a",)),
        (f"sed {'p;' * 250}p a", None),
        ("sed p;w/x a", None),
        ("sed -e p -e w/x a", None),
        ("awk {print} a b", ("a", "b")),
        ("awk -F : {print} a", ("a",)),
        ("awk -v n=1 {print} a", ("a",)),
        ("awk {print} FS=: a", None),
        ("awk {system(x)} a", None),
        ("awk", None),
        ("awk -F", None),
        ("awk -v", None),
        ("awk -F : {system(x)} a", None),
        ("awk -F: {print} a", ("a",)),
        ("awk -vn=1 {print} a", ("a",)),
        ("awk -vn=/x {print} a", None),
        ("awk -f x {print} a", None),
        ("awk {print} a FS=:", None),
        ("cat -n a", ("a",)),
        ("cat -n/../a", ("-n/../a",)),
        ("cat -n/~", ("-n/~",)),
        ("cat -- -a", ("-a",)),
        ("test -f a", ()),
        ("test -v a[x]", None),
    ],
)
def test_the_files_of_a_command_that_only_reads(line: str, files: tuple[str, ...] | None) -> None:
    assert files_read(tuple(line.split(" "))) == files
