"""Names for which a path is protected, and patterns that spell them out."""

from pathlib import Path

import pytest

from octochat.permissions.protected import protecting, spells_out


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("a/b/c", ()),
        (".git", (".git",)),
        ("a/.GIT/x", (".git",)),
        (".github/workflows/x", (".github/workflows",)),
        (".github/x/workflows", ()),
        ("skills/a/b", ("skills",)),
        ("skills/a", ()),
        ("a/skills/b/c", ()),
    ],
)
def test_a_path_in_the_folder_is_protected_by_its_parts(path: str, names: tuple[str, ...]) -> None:
    assert protecting(Path("/work") / path, [Path("/home"), Path("/work")]) == set(names)


def test_elsewhere_the_whole_path_counts() -> None:
    assert protecting(Path("/a/.git/x"), [Path("/a/.git")]) == set()
    assert protecting(Path("/a/.git/x"), [Path("/work")]) == {".git"}


@pytest.mark.parametrize(
    ("pattern", "names", "spelled"),
    [
        ("cp x .git/y", [".git"], True),
        ("cp x a.git/y", [".git"], False),
        ("cp x .git/y", [".git", ".ssh"], False),
        ("cp .ssh .git/y", [".git", ".ssh"], True),
        ("x > ~/a", [f"{Path.home()}/a"], True),
        ("x", [], True),
    ],
)
def test_a_pattern_spells_out_names_as_whole_parts(
    pattern: str, names: list[str], *, spelled: bool
) -> None:
    assert spells_out(pattern, names) is spelled
