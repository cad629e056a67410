"""A session that begins where another one stood."""

from pathlib import Path

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Condensed, Held, Opened, Prompted, Replied, Titled
from octochat.storage.fork import PREFIX, TITLE_MOST, fork, title
from tests.build import Story, exchanges
from tests.storage.test_damaged_log import opened


@pytest.mark.parametrize(("now", "named"), [(5.0, 20.0), (500.0, 500.0)])
def test_its_first_line_is_never_older_than_those_that_it_was_given(
    now: float, named: float, tmp_path: Path
) -> None:
    path = tmp_path / "copy.jsonl"
    fork(exchanges(2, 100).entries, "first", None, path, now)
    assert opened(path)[-1].at == named


def test_it_is_the_owners_alone_takes_no_room_in_the_context_and_overwrites_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "data" / "sessions" / "copy.jsonl"
    entries = exchanges(1, 100).entries
    fork(entries, "first", None, path, 1.0)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert opened(path)[-1].size == 0
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        fork(entries[:1], "first", None, path, 1.0)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_it_has_what_stood_before_a_prompt_and_says_where_it_is_from(tmp_path: Path) -> None:
    path = tmp_path / "copy.jsonl"
    fork(exchanges(3, 100).entries, "first", 4, path, 500.0)
    opening, *rest = opened(path)
    assert isinstance(opening.event, Opened)
    assert opening.event.origin == "first, before #4"
    assert [entry.id for entry in rest] == [2, 3, 4]
    assert rest[-1].event == Titled(PREFIX + "go on")


def test_what_was_paid_stays_on_the_bill_of_the_first(tmp_path: Path) -> None:
    story = Story().say().add(9, Replied((Text("so"),), cost=0.25))
    story.add(0, Held("x", "no", cost=0.5)).add(0, Condensed("x", "so", 9, 8, cost=0.5))
    fork(story.entries, "first", None, tmp_path / "copy.jsonl", 1.0)
    costs = [getattr(entry.event, "cost", 0.0) for entry in opened(tmp_path / "copy.jsonl")]
    assert costs == [0.0] * 6


def test_a_fork_of_a_fork_is_called_a_fork_once(tmp_path: Path) -> None:
    story = exchanges(1, 100).add(0, Titled("Boats")).add(0, Titled(PREFIX + "Rafts"))
    fork(story.entries, "first", None, tmp_path / "copy.jsonl", 1.0)
    assert opened(tmp_path / "copy.jsonl")[-1].event == Titled(PREFIX + "Rafts")


def test_a_session_is_called_by_its_first_words_as_far_as_they_are_short() -> None:
    first = "b" * (TITLE_MOST + 1)
    story = Story().add(9, Prompted((Text(" \n"),))).say(text=f"\n{first}\nmore").say(text="on")
    assert title(story.entries) == first[:-1]
    assert title(Story().entries) == ""
