"""What is shown of a session before it is open."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from octochat.context.session.events import Entry, Event, Opened, Prompted, Reverted, Rewound
from octochat.frontends.tui.session_preview import LATEST, session_preview
from octochat.session.options import Options
from octochat.storage.log import Log
from tests.frontends.tui.stage import on_stage
from tests.frontends.tui.told import NOON, session


def seen(data: Path, events: Sequence[Event], monkeypatch: pytest.MonkeyPatch) -> Sequence[Entry]:
    """What of these events is shown first."""
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(data))
    return session_preview(Options(data, resume=written(data, events)))


def written(data: Path, events: Sequence[Event]) -> str:
    path = data / "sessions" / "20251009-100000-long.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    log = Log(path, weigh=lambda _: 10, clock=lambda: NOON)
    for event in events:
        log.append(event)
    log.close()
    return path.stem


def told(turns: int) -> list[Event]:
    return [entry.event for entry in session(turns)]


def test_of_a_long_session_the_last_whole_exchanges_are_seen_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = told(100)
    shown = seen(tmp_path, events, monkeypatch)
    assert isinstance(shown[0].event, Prompted)
    assert LATEST - 10 < len(shown) < LATEST
    assert [entry.event for entry in shown] == events[-len(shown) :]


@pytest.mark.parametrize("last", [Rewound(20), Reverted(20, None, after=0)])
def test_what_changes_earlier_exchanges_is_seen_with_them(
    last: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [*told(100), last]
    assert [entry.event for entry in seen(tmp_path, events, monkeypatch)] == events


def test_a_short_session_is_seen_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = seen(tmp_path, told(3), monkeypatch)
    assert isinstance(shown[0].event, Opened)
    assert seen(tmp_path / "none", told(0), monkeypatch)[1:] == ()


async def test_a_long_session_is_there_as_a_whole_once_it_is_open(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    events = told(100)
    session_id = written(folder, [Opened("offline", "You are octochat."), *events[1:]])
    async with on_stage(tmp_path, (80, 24), resume=session_id) as stage:
        prompts = [card for card in stage.transcript.cards if "Question" in card.text()]
        assert len(prompts) == 100
        assert stage.transcript.below == 0
