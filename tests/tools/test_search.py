from pathlib import Path

import pytest

from octochat.tools import globs
from octochat.tools.limits import Limits
from tests.tools.toolbox import Toolbox, toolbox


def tree(tmp_path: Path, *paths: str, limits: Limits | None = None) -> Toolbox:
    box = toolbox(tmp_path, limits)
    for path in paths:
        (box.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (box.folder / path).write_text(f"this is {path}\n", errors="replace")
    return box


async def test_files_are_found_by_name_and_sorted(tmp_path: Path) -> None:
    box = tree(tmp_path, "b.py", "a/c.py", "a/d.txt", ".git/e.py", "a/.f.py")
    assert await box.text("glob", pattern="**/*.py") == "a/.f.py\na/c.py\nb.py"
    assert await box.text("glob", pattern="*.{py,txt}", path="a") == "a/.f.py\na/c.py\na/d.txt"
    assert await box.text("glob", pattern="*.md") == "[no matches]"
    assert "without '..'" in await box.failure("glob", pattern="../*")
    assert "is not a folder" in await box.failure("glob", pattern="*", path="b.py")


async def test_what_git_ignores_is_left_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    box = tree(tmp_path, "build/x.py", "a/x.py", "a/y.py", "a/keep.log", "a/z.log")
    (box.folder / ".gitignore").write_text("/build/\n*.log\n")
    (box.folder / "a/.gitignore").write_text("y.py\n!keep.log\n")
    assert (
        await box.text("glob", pattern="**/*.*") == ".gitignore\na/.gitignore\na/keep.log\na/x.py"
    )
    assert await box.text("grep", pattern="this is") == (
        "a/keep.log\n1\tthis is a/keep.log\na/x.py\n1\tthis is a/x.py\n"
        "[2 matches in 2 files; left out: 3 ignored by git]"
    )
    nothing = "[no matches; left out: 3 ignored by git]"
    assert await box.text("grep", pattern="zzz") == nothing
    assert await box.text("glob", pattern="*.zzz") == nothing
    assert await box.text("glob", pattern="*", path="build") == "build/x.py"


async def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    box = tree(tmp_path, "a.txt")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/s.txt").write_text("this is secret")
    (box.folder / "dir").symlink_to(tmp_path / "secret")
    (box.folder / "s.txt").symlink_to(tmp_path / "secret/s.txt")
    assert await box.text("glob", pattern="**/*.txt") == "a.txt"
    assert await box.text("grep", pattern="this is") == (
        "a.txt\n1\tthis is a.txt\n[1 match in 1 file]"
    )


async def test_names_that_would_drive_the_terminal_are_shown_as_what_they_are(
    tmp_path: Path,
) -> None:
    box = tree(tmp_path, "a\x1b[2J\nb\udc80.py")
    assert await box.text("glob", pattern="*") == "a␛[2J␊b\ufffd.py"
    assert await box.text("grep", pattern="this") == (
        "a␛[2J␊b\ufffd.py\n1\tthis is a␛[2J\n[1 match in 1 file]"
    )
    assert await box.failure("read", file_path="a\x1b[2J\nb.py") == (
        "a␛[2J␊b.py: no such file; near it: a␛[2J␊b\ufffd.py"
    )
    assert box.access("read", file_path="\x9b").target == "<U+009B>"


async def test_what_the_rules_hide_is_not_found(tmp_path: Path) -> None:
    box = toolbox(tmp_path, readable=lambda path: path.name != "key.txt")
    (box.folder / "key.txt").write_text("this")
    (box.folder / "a.txt").write_text("this")
    assert await box.text("grep", pattern="this") == (
        "a.txt\n1\tthis\n[1 match in 1 file; left out: 1 not allowed]"
    )


async def test_a_search_says_when_it_ended_early(tmp_path: Path) -> None:
    names = [f"{number}.txt" for number in range(9)]
    few = tree(tmp_path, *names, limits=Limits(matches=2))
    assert await few.text("glob", pattern="*") == (
        "0.txt\n1.txt\n[more than 2 matches: make the pattern narrower]"
    )
    short = tree(tmp_path, *names, limits=Limits(walked=3))
    assert "[no matches; stopped after 3 files: search in a narrower path]" in (
        await short.text("grep", pattern="zzz")
    )


async def test_hits_stand_under_their_file_with_its_count(tmp_path: Path) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a.txt").write_text("x\ny\nx x\n")
    (box.folder / "b.txt").write_text("x\n")
    (box.folder / "c.bin").write_bytes(b"x\x00")
    assert await box.text("grep", pattern="x") == (
        "a.txt (2)\n1\tx\n3\tx x\nb.txt\n1\tx\n[3 matches in 2 files; left out: 1 binary]"
    )


async def test_of_too_many_hits_the_first_are_shown_and_the_others_counted(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path, Limits(matches=2))
    for name in "abcdef":
        (box.folder / name).write_text("x\n" * 4)
    assert await box.text("grep", pattern="x", path="a") == (
        "a (4)\n1\tx\n2\tx\n"
        "[4 matches in 1 file, the first 2 of them here: make the pattern narrower]"
    )
    many = await box.text("grep", pattern="x")
    assert many.endswith(
        "\n2\tx\n[24 matches in 6 files, the first 2 of them here: make the pattern narrower]"
    )
    for name in "ghi":
        (box.folder / name).write_text("x\n" * 4)
    assert "[24 matches in 6 files, the first 2" in (more := await box.text("grep", pattern="x"))
    assert more.endswith("; and more that were not counted]")


async def test_a_pattern_that_backtracks_for_ever_is_stopped(tmp_path: Path) -> None:
    box = toolbox(tmp_path, Limits(search_timeout="0.5s"))
    (box.folder / "a").write_text("a" * 60 + "!\n")
    assert "takes too long on line 1 of a" in await box.failure("grep", pattern=r"(a|a)*$")
    assert "is not valid" in await box.failure("grep", pattern="(")


async def test_long_lines_are_cut_around_the_match_and_binary_files_left_out(
    tmp_path: Path,
) -> None:
    box = toolbox(tmp_path)
    (box.folder / "a").write_text("x" * 5_000 + "needle" + "y" * 5_000)
    (box.folder / "b").write_bytes(b"needle\x00")
    text = await box.text("grep", pattern="needle")
    assert "needle" in text
    assert len(text) < 600


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", ["a.py"], ["a/b.py", "a.pyc"]),
        ("**/*.py", ["a.py", "a/b/c.py"], ["a.txt"]),
        ("src/**", ["src/a", "src/a/b"], ["srcs/a", "src"]),
        ("[!a]?.txt", ["bc.txt"], ["ac.txt", "/c.txt"]),
        ("{a,b}/*.{x,y}", ["a/1.x", "b/2.y"], ["c/1.x", "{a,b}/1.x"]),
        ("a[*]b", ["a*b"], ["axb"]),
        ("a{b}", ["a{b}"], ["ab"]),
        ("[[]x[]]", ["[x]"], ["x"]),
        ("*b**/c", ["xbybc", "xb/y/c"], ["xb/yc"]),
        ("**/a*b", ["a/x/ab", "ayb"], ["a/x/b"]),
        ("**/a/*x*/b", ["q/a/a/yxz/b", "a/x/b"], ["a/y/b"]),
        ("*a*a*a*a*a*a*a*a*a*x", ["aaaaaaaaax"], ["a" * 4_000]),
        ("**/a/**/a/**/a/**/a/**/x", ["a/a/b/a/a/x"], ["a/" * 2_000]),
        ("**a**a**a**a**a**a**x", ["aa/aa/aax"], ["a/" * 2_000]),
    ],
)
def test_a_glob_matches_what_it_says(pattern: str, matching: list[str], others: list[str]) -> None:
    compiled = globs.compiled(pattern)
    assert [path for path in matching + others if compiled.fullmatch(path)] == matching
