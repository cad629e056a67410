"""Where sessions are, how one is found again, and what a list shows of them."""

import os
from pathlib import Path

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Held, Opened, Prompted, Replied, Titled
from octochat.context.session.ran import Ran
from octochat.storage.log import Log
from octochat.storage.sessions import (
    LISTED,
    PREVIEWS,
    NoSessionError,
    data_folder,
    find,
    listed,
    new_path,
    newest,
    sessions_folder,
    summary,
)


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path))


def session(name: str, *said: str, folder: str = "/p", used: float = 1.0, title: str = "") -> Path:
    """A session file that was last used at `used`."""
    path = sessions_folder() / f"{name}.jsonl"
    log = Log(path, weigh=lambda _: 1, clock=lambda: 5.0)
    log.append(Opened("m", "s", (), folder))
    for text in said:
        log.append(Prompted((Text(text),)))
        log.append(Replied((Text("ok"),), cost=0.25))
    if title:
        log.append(Titled(title))
    log.close()
    os.utime(path, (used, used))
    return path


def test_the_folder_is_the_one_that_the_environment_names(tmp_path: Path) -> None:
    assert data_folder() == tmp_path


def test_names_of_new_sessions_sort_by_time_and_differ() -> None:
    early, late, again = new_path(1_000.0), new_path(2_000.0), new_path(2_000.0)
    assert early.name < late.name
    assert late != again


def test_the_newest_session_of_a_folder_is_the_one_used_last() -> None:
    wanted = session("a", "hi", used=20)
    session("b", "hi", used=10)
    session("c", "hi", used=30, folder="/elsewhere")
    assert newest(Path("/p")) == wanted


def test_where_there_is_none_it_says_what_to_do() -> None:
    session("c", "hi", folder="/elsewhere")
    with pytest.raises(NoSessionError, match="Start one without -c"):
        newest(Path("/p"))


def test_a_session_is_found_by_the_beginning_of_its_id() -> None:
    wanted = session("20260102-aaa", "hi")
    session("20260103-bbb", "hi")
    assert find("20260102") == wanted
    with pytest.raises(NoSessionError, match="Several sessions begin with 2026"):
        find("2026")
    with pytest.raises(NoSessionError, match="There is no session 1999"):
        find("1999")


def test_of_many_sessions_that_begin_alike_five_are_named() -> None:
    for n in range(6):
        session(f"s{n}", "hi", used=n)
    with pytest.raises(NoSessionError, match="begin with s: s5, s4, s3, s2, s1\\. Give more"):
        find("s")


def test_a_list_shows_so_many_first_lines_and_of_a_long_one_its_beginning() -> None:
    session("a", "w" * 201, *(f"line {n}" for n in range(PREVIEWS)))
    shown = listed()[0]
    assert shown.turns == PREVIEWS + 1
    assert len(shown.preview) == PREVIEWS
    assert shown.title == "w" * 200


def test_the_newest_session_is_none_in_which_nothing_happened_and_not_the_one_that_is_open() -> (
    None
):
    wanted = session("a", "hi", used=10)
    session("opened only", used=20)
    session("open now", "hi", used=30)
    assert newest(Path("/p"), other_than="open now") == wanted


def test_a_whole_id_is_found_though_another_begins_with_it() -> None:
    wanted = session("s1", "hi")
    session("s11", "hi")
    assert find("s1") == wanted


def test_a_list_shows_what_a_person_knows_a_session_by() -> None:
    session("a", "  first line\nsecond line", "and then?", used=7, title="The plan")
    shown = listed()[0]
    assert (shown.id, shown.title, shown.model, shown.folder) == ("a", "The plan", "m", "/p")
    assert (shown.turns, shown.cost, shown.updated) == (2, 0.5, 7)
    assert shown.preview == ("first line", "and then?")


def test_without_a_title_the_first_words_are_the_title() -> None:
    session("a", "first line\nsecond line")
    assert listed()[0].title == "first line"


def test_what_a_command_printed_is_no_title() -> None:
    ran = Ran("ls", "exit 0 in 0.1 s", "a.py")
    log = Log(session("a"), weigh=lambda _: 1, clock=lambda: 5.0)
    log.append(Prompted((Text(ran.text()), Text("what is a.py?"))))
    log.close()
    assert listed()[0].title == "what is a.py?"


def test_the_list_has_the_last_used_first_and_leaves_out_where_nothing_was_said() -> None:
    session("old", "x", used=1)
    session("new", "x", used=2)
    session("empty", used=3)
    assert [shown.id for shown in listed()] == ["new", "old"]
    assert [shown.id for shown in listed(limit=2)] == ["new"]


def test_what_is_broken_is_left_out_and_torn_lines_cost_only_themselves() -> None:
    path = session("a", "one", "two")
    path.write_bytes(path.read_bytes() + b'{"id": 6, "event": {"kind": "prompted"')
    (sessions_folder() / "junk.jsonl").write_bytes(b"\xff\x00 no session\n")
    assert [shown.turns for shown in listed()] == [2]
    assert summary(sessions_folder() / "junk.jsonl") is None
    assert summary(sessions_folder() / "missing.jsonl") is None


def test_the_cost_is_that_of_the_bill_summaries_that_came_to_nothing_included() -> None:
    path = session("one", "hello")
    log = Log(path, weigh=lambda _: 1, clock=lambda: 5.0)
    log.append(Held("pressure", "it said no", cost=0.5))
    log.append(Held("pressure", "it said no", cost=8.0, ignored=True))
    log.close()
    shown = summary(path)
    assert shown is not None
    assert shown.cost == 0.75


def test_a_cost_that_is_no_number_counts_nothing() -> None:
    path = session("one", "hello")
    with path.open("a") as file:
        for odd in ('"1"', "-1", "1e999", "null", "[1]"):
            file.write(f'{{"event": {{"kind": "replied", "cost": {odd}}}}}\n')
    assert [each.cost for each in listed()] == [0.25]


def test_a_session_is_known_by_its_opening() -> None:
    opened = session("opened", used=7)
    shown = summary(opened)
    assert shown is not None
    assert (shown.folder, shown.model, shown.turns, shown.updated) == ("/p", "m", 0, 7.0)
    header, _, *rest = session("headless", "hello").read_text().splitlines(keepends=True)
    opened.write_text(header + "".join(rest))
    assert summary(opened) is None


def test_no_more_are_listed_than_a_person_looks_through() -> None:
    whole = session("0", "hello").read_bytes()
    for number in range(1, LISTED + 1):
        (sessions_folder() / f"{number}.jsonl").write_bytes(whole)
    assert len(listed()) == LISTED


def test_lines_that_are_json_and_no_entries_are_left_out() -> None:
    path = session("one", "hello")
    with path.open("a") as file:
        file.write('["cost"]\n{"event": "cost"}\n{"event": {"kind": 1, "cost": 2}}\n')
    assert [each.cost for each in listed()] == [0.25]
