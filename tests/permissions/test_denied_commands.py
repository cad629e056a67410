"""What a rule that denies a command sees in a line, and what it takes for a disguise of it."""

import pytest

from octochat.permissions.commandline import may_hide, may_run


@pytest.mark.parametrize(
    "line",
    ["/bin/rm x", "sudo rm x", "env A=b rm x", "ls; rm x", "echo $(rm x)", "sh -c 'rm x'",
     "find . -exec rm {} +", "xargs rm", "a && (rm x)", r"echo; r\m x", "ls; sh -c 'rm x'"],
)  # fmt: skip
def test_what_is_denied_is_seen_in_many_disguises(line: str) -> None:
    assert may_run(("rm", "*"), line)


def test_options_between_the_words_of_a_pattern_hide_it_nowhere() -> None:
    pattern = ("git", "push", "*")
    for line in ("x $(git --no-pager push f)", "x $(/bin/git -P push f)", "a b `git -q push f`"):
        assert may_run(pattern, line), line
    assert not may_run(pattern, "x $(git --no-pager pull f)")


def test_what_xargs_runs_may_get_any_words_behind_it() -> None:
    pattern = ("rm", "-rf", "*")
    assert may_hide(pattern, "ls | xargs rm")
    assert not may_hide(pattern, "ls | xargs wc")
    assert not may_hide(pattern, "nice rm")


def test_a_word_that_is_no_command_is_not_denied() -> None:
    assert not may_run(("rm", "*"), "echo rm x")
    assert not may_run(("rm", "*"), "git commit -m 'no more rm x'")
    assert not may_hide(("rm", "*"), "git log; ls *.py")
    assert may_hide(("rm", "*"), "some-wrapper rm x")
    assert may_hide(("rm", "*"), "python -c 'import os; os.system(\"rm x\")'")
    assert may_hide(("rm", "*"), "rm*")


def split(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.split(" "))


@pytest.mark.parametrize(
    ("pattern", "line", "seen"),
    [
        ("rm -rf *", "rm x -r -f", True),
        ("rm -rf *", "rm -fr x", True),
        ("rm -rf *", "rm -r x", False),
        ("rm -rf x", "rm x -rf", True),
        ("rm -rf x", "rm -v x y -rf", False),
        ("rm -rf x", "$(rm -rf y)", False),
        ("tail -f* *", "tail x -fn", True),
        ("tail -f* *", "tail x -n", False),
        ("a -b -c", "a -b", False),
        ("git clean --force *", "git clean x --for", True),
        ("git clean --force *", "git clean x --force=1", True),
        ("git clean --force *", "git clean x --", False),
        ("git clean --force *", "git clean x --forced", False),
        ("git clean --fo* *", "git clean x --forced", True),
        ("git push *", "x $(git -q push git)", True),
        ("git push *", "x $(a /bin/git push o)", True),
        ("git push *", "x $(git-push o)", True),
        ("git push *", "x $(git-pull o)", False),
        ("* --force", "x $(a --force)", True),
        ("* --force", "x $(a b --force)", True),
        ("* --force", "x $(a --force b)", True),
        ("* --force", "x $(a b)", False),
        ("*", "$(a)", True),
    ],
)
def test_a_denied_command_is_seen_with_its_options_anywhere(
    pattern: str, line: str, *, seen: bool
) -> None:
    assert may_run(split(pattern), line) is seen


@pytest.mark.parametrize(
    ("pattern", "line", "hidden"),
    [
        ("rm *", "timeout 5 r[m] x", True),
        ("rm *", "timeout 5 sh x", True),
        ("rm *", "timeout 5 make x", False),
        ("git push *", "timeout 5 git lg", True),
        ("git push *", "timeout 5 git log", False),
        ("npm publish *", "npm publis[h]", True),
        ("npm publish *", "npm pac[k]", False),
        ("npm publish *", "npm --unknown x publish y", True),
        ("npm publish *", "npm --unknown x pack y", False),
        ("npm publish *", "npm x publish y", False),
        ("npm -q publish *", "npm --unknown x publish y", True),
        ("npm * publish", "npm --unknown x publish y", True),
        ("npm * publish", "npm --unknown x pack y", False),
        ("docker container rm", "docker --unknown x container y rm z", True),
        ("docker container rm", "docker --unknown x rm y container", False),
        ("cargo publish *", "cargo +x y publish", True),
        ("npm --force *", "npm --unknown x pack", False),
        ("git push *", "git --unknown log push", False),
        ("kubectl delete *", "-x kubectl delete", True),
    ],
)
def test_what_may_be_another_way_to_write_a_denied_command_is_never_taken_for_harmless(
    pattern: str, line: str, *, hidden: bool
) -> None:
    assert may_hide(split(pattern), line) is hidden


@pytest.mark.parametrize(("groups", "hidden"), [("aaaaaaaaaaaaaaaaaaa b aaa b aa", False),
                                                ("aaaaaaaaaaaaaaaaaaa b aaaa", True)])  # fmt: skip
def test_what_file_names_may_make_of_a_pattern_is_tried_in_two_hundred_ways_and_no_more(
    groups: str, *, hidden: bool
) -> None:
    # It is itself or a run of like words: of n there are n(n + 1)/2, so 1 + 190 + 6 + 3 or 10.
    pattern = ("rm", *groups.replace(" ", ""))
    assert may_hide(pattern, "rm a*") is hidden
