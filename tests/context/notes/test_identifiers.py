"""What counts as an identifier, and what does not."""

import pytest

from octochat.context.notes.identifiers import Identifier, identifiers


def named(text: str, kind: str) -> list[str]:
    return [found.text for found in identifiers(text) if found.kind == kind]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("open /srv/app/main.py:12, please.", ["/srv/app/main.py"]),
        (
            "see src/x.ts and ./run, ../up and ~/.bashrc",
            ["src/x.ts", "./run", "../up", "~/.bashrc"],
        ),
        ("in `README.md`", ["README.md"]),
        (r"at D:\work\src\a.go now", [r"D:\work\src\a.go"]),
        (r"at C:\work\boat, C:\ab and C:\a", [r"C:\work\boat", r"C:\ab"]),
        ("either and/or nothing, 1/2, console.log(x), items.map(f)", []),
        ("+++ b/src/deep/file", ["b/src/deep/file"]),
        ("src/deep/file but not deep/file", ["src/deep/file"]),
        ("not 1/22/333, ///, a//b/c.py nor src/deep/", []),
    ],
)
def test_paths_are_rooted_deep_or_have_a_known_ending(text: str, paths: list[str]) -> None:
    assert named(text, "path") == paths


@pytest.mark.parametrize(
    "text",
    [
        "6e47bfce-57ce-48b6-912e-334e37d721de",
        "4cf32e0",
        "#W8855135",
        "OI5L9G",
        "HAT170",
        "JIRA-12",
        "sofia_kim_7287",
        "5426915165",
        "8.2.8",
        "#123",
    ],
)
def test_ids_of_many_trades_are_found(text: str) -> None:
    assert named(f"it is {text}.", "id") == [text]


def test_plain_words_are_no_ids() -> None:
    assert named("a defaced facade, border-slate-600, deadbeat WARNING x_1", "id") == []


def test_numbers_need_a_unit_a_currency_or_the_form_of_a_date() -> None:
    text = "12.5 MB in 5  minutes for $1,200.50, 40% on 2024-05-27; but 17 is only a number"
    assert named(text, "number") == ["12.5 MB", "5 minutes", "$1,200.50", "40%", "2024-05-27"]


@pytest.mark.parametrize("marks", ['""', "``", "''", "“”"])
def test_quotations_have_4_to_160_characters(marks: str) -> None:
    before, after = marks
    for length, found in ((3, 0), (4, 1), (160, 1), (161, 0)):
        said = "boat".ljust(length, "s")[:length]
        assert named(f"say {before}{said}{after}.", "quoted") == [said] * found
    assert named(f"say {before} cat {after}.", "quoted") == []


def test_apostrophes_do_not_quote() -> None:
    text = """He said "stop here" and `git rm` and 'not now', "abc", it isn't John's."""
    assert named(text, "quoted") == ["stop here", "git rm", "not now"]


def test_an_error_message_counts_as_a_quotation() -> None:
    text = "Traceback:\n  x = 1\nValueError: bad thing happened\nfine"
    assert "ValueError: bad thing happened" in named(text, "quoted")
    assert named("KeyError: no boat\n", "quoted") == ["KeyError: no boat"]
    long = "".join(f"part{n:02}." for n in range(9))
    assert named(f"{long}Error: no boat", "quoted") == [f"{long[-40:]}Error: no boat"]


def test_a_url_loses_the_full_stop_after_it() -> None:
    assert named("see https://example.org/a?b=c.", "url") == ["https://example.org/a?b=c"]


def test_a_line_of_the_index_names_whole_paths() -> None:
    assert named("src/a/: b.py, c.py", "path") == ["b.py", "c.py", "src/a/b.py", "src/a/c.py"]
    assert "src/a/run" in named("src/a/: run (2 lines), c.py", "path")


def test_each_identifier_comes_once_and_in_the_same_order_every_time() -> None:
    text = "b/c.py then a.py then b/c.py"
    assert identifiers(text) == identifiers(text)
    assert identifiers(text) == (Identifier("path", "b/c.py"), Identifier("path", "a.py"))
