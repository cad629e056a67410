"""A session file that was damaged or edited by hand: it is read, or the line is named."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octochat.commands.info_text import info_text
from octochat.config.load import Config
from octochat.context.plans.forecast import forecast
from octochat.context.plans.report import info
from octochat.context.plans.situation import Situation
from octochat.context.session.events import Entry
from octochat.context.session.state import replay
from octochat.frontends.tui.screens.context_curve import points
from octochat.memory.all_sessions import search
from octochat.replay.contenders import setting_of
from octochat.replay.lab import Contender, Experiment, run
from octochat.replay.readers import read as recorded
from octochat.replay.recording import ReadError
from octochat.storage.export import markdown
from octochat.storage.fork import fork, title
from octochat.storage.log import Log, LogError
from octochat.storage.sessions import listed, newest, sessions_folder, summary
from octochat.storage.unfinished import unfinished_session
from tests.build import SONNET
from tests.storage.test_log import GOLDEN

WHOLE = GOLDEN.read_bytes()
LINES = WHOLE.splitlines()
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 10**400, -(10**18), 1.5, 1e308, float("nan"), float("inf")),
    *("", "x", "\x1b[2J", "\ud800", [], [[]], {}, {"kind": "text"}, {"kind": "prompted"}),
)


def places(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where something stands in a line."""
    yield path
    match tree:
        case {**inner}:
            for key, value in inner.items():
                yield from places(value, (*path, str(key)))
        case [*inner]:
            for place, value in enumerate(inner):
                yield from places(value, (*path, place))
        case _:
            pass


def planted(tree: Any, path: tuple[str | int, ...], odd: Any) -> Any:
    if not path:
        return odd
    tree[path[0]] = planted(tree[path[0]], path[1:], odd)
    return tree


@st.composite
def bytes_changed(draw: st.DrawFn) -> bytes:
    data = bytearray(WHOLE)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


@st.composite
def lines_changed(draw: st.DrawFn) -> bytes:
    kept = list(LINES)
    at, to = draw(st.integers(0, len(kept) - 1)), draw(st.integers(0, len(kept) - 1))
    match draw(st.sampled_from(("gone", "twice", "swapped", "deep", "empty", "joined"))):
        case "gone":
            del kept[at]
        case "twice":
            kept.insert(to, kept[at])
        case "swapped":
            kept[at], kept[to] = kept[to], kept[at]
        case "deep":
            kept[at] = b"[" * 100_000
        case "empty":
            kept[at] = b""
        case _:
            return b"".join(kept) + draw(st.sampled_from((b"", b"\n")))
    return b"\n".join(kept) + b"\n"


@st.composite
def values_changed(draw: st.DrawFn) -> bytes:
    kept = list(LINES)
    values = st.sampled_from(ODD) | st.integers(0, len(kept))
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(kept) - 1))
        tree = json.loads(kept[at])
        path = draw(st.sampled_from(sorted(places(tree), key=str)))
        kept[at] = json.dumps(planted(tree, path, draw(values))).encode()
    return b"\n".join(kept) + b"\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`OCTOCHAT_DATA_DIR`, the same for all examples."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCTOCHAT_DATA_DIR", str(folder))
        sessions_folder().mkdir()
        yield folder


def opened(path: Path) -> list[Entry]:
    log = Log(path, weigh=lambda _: 1, clock=lambda: 1.0)
    log.close()
    return list(log.entries)


def used(entries: list[Entry], folder: Path) -> None:
    """Everything that a session which opens is good for."""
    state = replay(entries)
    state.view.messages(state.model, binds=True)
    situation = Situation(state, len, now=entries[-1].at, prices=SONNET)
    assert info_text(info(situation, Config().pipeline))
    forecast(situation)
    points(entries)
    assert markdown(entries, "s", title(entries))
    copy = folder / "copy.jsonl"
    fork(entries, "s", None, copy, 1.0)
    assert opened(copy)[:-1]
    copy.unlink()


fuzz = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "500")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@fuzz
@given(bytes_changed() | lines_changed() | values_changed())
def test_a_damaged_session_opens_or_the_line_is_named(data: Path, damaged: bytes) -> None:
    path = sessions_folder() / "s.jsonl"
    path.write_bytes(damaged)
    error = ""
    try:
        entries = opened(path)
    except LogError as refused:
        entries, error = [], str(refused)
    if entries:
        used(entries, data)
    if error:
        assert "\n" not in error
        assert str(path) in error
        assert any(
            words in error for words in ("line ", "not an octochat session", "newer octochat")
        )
        assert path.read_bytes() == damaged, "what can't be used is not touched"


@fuzz
@given(bytes_changed() | lines_changed() | values_changed())
def test_lists_searches_and_the_offer_to_go_on_pass_over_what_is_damaged(
    data: Path, damaged: bytes
) -> None:
    path = sessions_folder() / "s.jsonl"
    path.write_bytes(damaged)
    found = summary(path)
    if found is not None:
        assert isinstance(found.title, str)
        assert found.cost >= 0
    listed()
    search("a")
    unfinished_session(data, "another")


@fuzz
@given(bytes_changed() | lines_changed() | values_changed())
def test_the_lab_plays_what_it_can_read(data: Path, damaged: bytes) -> None:
    path = data / "lab.jsonl"
    path.write_bytes(damaged)
    try:
        transcript = recorded(path)
    except ReadError:
        return
    setting = setting_of(Config(), None, None)
    contender = Contender("pressure", Config().pipeline, setting)
    assert run(Experiment((contender,), setting, 1.0), transcript)


def refusal(path: Path, damaged: bytes) -> str:
    path.write_bytes(damaged)
    with pytest.raises(LogError) as caught:
        opened(path)
    return str(caught.value)


TITLED = b'{"id":8,"at":%s,"size":%s,"event":{"kind":"titled","title":"t"}}'
FOLD = b'{"first":77,"last":78,"note":[]}'
CONDENSED = b'{"kind":"condensed","by":"x","why":"y","before":2,"after":1,"fold":%s}' % FOLD


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        pytest.param(b"{", "Expecting property name", id="torn"),
        pytest.param(b"[" * 100_000, "recursion", id="deep"),
        pytest.param(LINES[9], "it is entry 9 where 8 was expected", id="number"),
        pytest.param(TITLED % (b"-1", b"0"), "at: -1", id="time"),
        pytest.param(TITLED % (b"1", b"-5"), "size: -5", id="size"),
        pytest.param(TITLED % (b"1", b"1e3"), "size: expected a whole number", id="type"),
        pytest.param(
            b'{"id":8,"at":1,"size":0,"event":%s}' % CONDENSED, "does not go with", id="fold"
        ),
    ],
)
def test_the_line_is_named_and_how_to_save_what_stands_before_it(
    tmp_path: Path, damage: bytes, why: str
) -> None:
    path = tmp_path / "my talk.jsonl"
    damaged = [*LINES[:8], damage, *LINES[9:], b""]
    said = refusal(path, b"\n".join(damaged))
    assert f"{path}: line 9 is damaged (" in said
    assert why in said
    command = said.partition(": head")[2].partition(";")[0]
    subprocess.run(["sh", "-c", f"head{command}"], check=True)
    assert len(opened(tmp_path / "my talk-saved.jsonl")) == 7
    assert said.endswith("octochat -r 'my talk-saved'")


def test_the_opening_must_be_there(tmp_path: Path) -> None:
    said = refusal(tmp_path / "s.jsonl", b"\n".join([LINES[0], *LINES[2:], b""]))
    assert "line 2 is damaged" in said
    second = LINES[2].replace(b'"id":2', b'"id":1', 1)
    said = refusal(tmp_path / "s.jsonl", b"\n".join([LINES[0], second, b""]))
    assert "the opening of the session is missing" in said
    assert "Move the file away" in said


def test_a_last_line_that_was_an_entry_is_not_cut_off(tmp_path: Path) -> None:
    damaged = WHOLE[:-3] + b"\xff}\n"
    assert f"line {len(LINES)} is damaged" in refusal(tmp_path / "s.jsonl", damaged)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_file_without_lines_is_not_emptied(tmp_path: Path, end: bytes) -> None:
    assert "line 1 " in refusal(tmp_path / "s.jsonl", b"".join(LINES) + end)


def test_a_damaged_line_is_left_out_of_list_and_search_and_lab(data: Path) -> None:
    path = sessions_folder() / "s.jsonl"
    path.write_bytes(WHOLE.replace(LINES[8], b"\xff\xfe"))
    assert summary(path)
    assert newest(Path(json.loads(LINES[1])["event"]["folder"])) == path
    assert search("golden").hits
    transcript = recorded(path)
    assert transcript.faults == ("line 9: left out, not UTF-8 text",)
    assert transcript.moments
