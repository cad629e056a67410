"""Recordings of three formats become octochat's own events, whatever is broken in them."""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from octochat.context.codec.trees import to_tree
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Opened,
    Pinned,
    Prompted,
    Replied,
    Returned,
    Rewound,
)
from octochat.replay.readers import files, part_of, read
from octochat.replay.recording import (
    TOOL_ROUND,
    Moment,
    ParsedRecording,
    ReadError,
    recorded,
)
from octochat.replay.weights import weigh

Line = Mapping[str, object] | str


def written(tmp_path: Path, *lines: Line) -> Path:
    path = tmp_path / "talk.jsonl"
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text), encoding="utf-8")
    return path


def events(transcript: ParsedRecording) -> list[Event]:
    return [moment.event for moment in transcript.moments]


def user(*content: Mapping[str, object] | str) -> dict[str, object]:
    return {"role": "user", "content": _content(content)}


def assistant(*content: Mapping[str, object] | str) -> dict[str, object]:
    return {"role": "assistant", "content": _content(content)}


def _content(content: tuple[Mapping[str, object] | str, ...]) -> list[object]:
    return [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]


def call(id_: str) -> dict[str, object]:
    return {"type": "tool_use", "id": id_, "name": "bash", "input": {"command": "ls"}}


def result(id_: str, text: str = "out") -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id_, "content": text}


CALL = ToolCall("t1", "bash", {"command": "ls"})


class TestMessages:
    def test_a_conversation_with_header_and_system(self, tmp_path: Path) -> None:
        path = written(
            tmp_path,
            {"source": "x", "model": "m", "human_message_indexes": [0]},
            {"role": "system", "content": "be kind"},
            {"role": "user", "content": "hi"},
            assistant("look", call("t1")),
            user(result("t1")),
            assistant("done"),
        )
        transcript = read(path)
        assert transcript.opened == Opened("m", "be kind")
        assert events(transcript) == [
            Prompted((Text("hi"),)),
            Replied((Text("look"), CALL), "tool_use"),
            Returned("t1", (Text("out"),)),
            Replied((Text("done"),)),
        ]
        assert transcript.faults == ()

    def test_a_broken_line_is_named_and_the_rest_goes_on(self, tmp_path: Path) -> None:
        path = written(tmp_path, user("hi"), "{broken", "7", {"role": "x"}, assistant("yes"))
        transcript = read(path)
        assert [fault.split(":")[0] for fault in transcript.faults] == [
            "line 2",
            "line 3",
            "line 4",
        ]
        assert events(transcript) == [Prompted((Text("hi"),)), Replied((Text("yes"),))]

    def test_a_result_without_its_call_is_named_and_left_out(self, tmp_path: Path) -> None:
        transcript = read(written(tmp_path, user("hi"), assistant("yes"), user(result("t9"))))
        assert transcript.faults == ("line 3: left out a result that no call asked for",)

    def test_a_reply_before_anybody_spoke_is_left_out(self, tmp_path: Path) -> None:
        transcript = read(written(tmp_path, assistant("hello"), user("hi")))
        assert events(transcript) == [Prompted((Text("hi"),))]
        assert transcript.faults == ("line 1: left out a reply before the first user message",)

    def test_what_a_program_wrote_beside_a_result_belongs_to_the_result(
        self, tmp_path: Path
    ) -> None:
        path = written(
            tmp_path,
            {"human_message_indexes": [0]},
            user("hi"),
            assistant(call("t1")),
            user(result("t1"), "reminder"),
        )
        assert events(read(path))[-1] == Returned("t1", (Text("out"), Text("reminder")))

    def test_what_a_person_wrote_beside_a_result_is_a_prompt(self, tmp_path: Path) -> None:
        path = written(tmp_path, user("hi"), assistant(call("t1")), user("stop", result("t1")))
        assert events(read(path))[-2:] == [
            Returned("t1", (Text("out"),)),
            Prompted((Text("stop"),)),
        ]


class TestClaudeCode:
    def line(self, kind: str, uuid: str, parent: str | None, **more: object) -> dict[str, object]:
        content = more.pop("content", uuid)
        message = {"role": kind, "content": content, "id": more.pop("reply", "r" + uuid)}
        return {"type": kind, "uuid": uuid, "parentUuid": parent, "message": message, **more}

    def test_the_last_branch_counts_and_side_chains_do_not(self, tmp_path: Path) -> None:
        path = written(
            tmp_path,
            {"type": "summary", "summary": "s", "leafUuid": "b"},
            self.line("user", "a", None),
            self.line("assistant", "abandoned", "a"),
            self.line("assistant", "side", "a", isSidechain=True),
            self.line("assistant", "b", "a"),
            self.line("user", "c", "b"),
            self.line("user", "side too", "side", isSidechain=True),
        )
        texts = [e.blocks[0] for e in events(read(path)) if isinstance(e, Prompted | Replied)]
        assert texts == [Text("a"), Text("b"), Text("c")]

    def test_lines_of_one_reply_merge_and_keep_the_results_of_all_their_calls(
        self, tmp_path: Path
    ) -> None:
        path = written(
            tmp_path,
            self.line("user", "a", None),
            self.line("assistant", "b", "a", reply="r", content=[call("t1")]),
            self.line("user", "x", "b", content=[result("t1")]),
            self.line("assistant", "c", "b", reply="r", content=[call("t2")]),
            self.line("user", "y", "c", content=[result("t2")]),
            self.line("assistant", "d", "y"),
        )
        _, reply, *results, last = events(read(path))
        assert isinstance(reply, Replied)
        assert [b.id for b in reply.blocks if isinstance(b, ToolCall)] == ["t1", "t2"]
        assert [r.call_id for r in results if isinstance(r, Returned)] == ["t1", "t2"]
        assert last == Replied((Text("d"),))

    def test_a_compaction_is_bridged_and_its_summary_left_out(self, tmp_path: Path) -> None:
        boundary = {"type": "system", "uuid": "s", "parentUuid": None, "logicalParentUuid": "b"}
        path = written(
            tmp_path,
            self.line("user", "a", None),
            self.line("assistant", "b", "a"),
            boundary,
            self.line("user", "sum", "s", isCompactSummary=True),
            self.line("user", "c", "sum"),
        )
        texts = [e.blocks[0] for e in events(read(path)) if isinstance(e, Prompted | Replied)]
        assert texts == [Text("a"), Text("b"), Text("c")]

    @pytest.mark.parametrize("parent", [None, "gone"])
    def test_a_compaction_that_lost_its_parent_goes_on_from_what_was_said_before(
        self, tmp_path: Path, parent: str | None
    ) -> None:
        boundary = {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "s",
            "parentUuid": None,
            "logicalParentUuid": parent,
        }
        path = written(
            tmp_path,
            self.line("user", "a", None),
            self.line("assistant", "b", "a", content=[call("t1")]),
            self.line("user", "x", "b", content=[result("t1")]),
            self.line("assistant", "side", "b", isSidechain=True),
            boundary,
            self.line("user", "sum", "s", isCompactSummary=True),
            self.line("user", "c", "sum"),
            self.line("assistant", "d", "c"),
        )
        transcript = read(path)
        kinds = [type(event).__name__ for event in events(transcript)]
        assert kinds == ["Prompted", "Replied", "Returned", "Prompted", "Replied"]
        assert transcript.faults == ()

    def test_a_summary_that_begins_anew_goes_on_from_what_was_said_before(
        self, tmp_path: Path
    ) -> None:
        path = written(
            tmp_path,
            self.line("user", "a", None),
            self.line("assistant", "b", "a"),
            self.line("user", "sum", None, isCompactSummary=True),
            self.line("user", "c", "sum"),
        )
        texts = [e.blocks[0] for e in events(read(path)) if isinstance(e, Prompted | Replied)]
        assert texts == [Text("a"), Text("b"), Text("c")]

    def test_calls_that_the_last_branch_does_not_go_through_are_named(self, tmp_path: Path) -> None:
        path = written(
            tmp_path,
            self.line("user", "a", None),
            self.line("assistant", "b", "a", reply="r1"),
            self.line("assistant", "b2", "b", reply="r1"),
            self.line("assistant", "c", "b", reply="r2"),
            self.line("user", "d", "lost"),
            self.line("assistant", "e", "d"),
        )
        assert read(path).faults == (
            "lines 2 to 4: left out 2 calls of the model that the last branch does not go through",
        )

    def test_times_are_those_of_the_file(self, tmp_path: Path) -> None:
        path = written(
            tmp_path,
            self.line("user", "a", None, timestamp="2026-01-01T00:00:00.000Z"),
            self.line("assistant", "b", "a", timestamp="2026-01-01T00:00:07.500Z"),
        )
        entries = recorded(read(path), weigh, pace=180).entries
        assert entries[-1].at - entries[-2].at == 7.5


class TestLog:
    def log(self, tmp_path: Path, *events: Event) -> Path:
        entries = [Entry(n, 100.0 + n, 5, event) for n, event in enumerate(events, 1)]
        return written(tmp_path, {"octochat": 1}, *(to_tree(entry) for entry in entries))

    def test_a_session_is_read_as_it_went_without_its_condensations(self, tmp_path: Path) -> None:
        path = self.log(
            tmp_path,
            Opened("m", "s"),
            Prompted((Text("hi"),)),
            Replied((Text("yes"),)),
            Condensed("fifo", "over", 10, 5),
            Prompted((Text("more"),)),
        )
        assert events(read(path)) == [
            Prompted((Text("hi"),)),
            Replied((Text("yes"),)),
            Prompted((Text("more"),)),
        ]

    def test_what_was_rewound_is_not_played(self, tmp_path: Path) -> None:
        path = self.log(tmp_path, Opened("m", "s"), Prompted((Text("no"),)), Rewound(1))
        with pytest.raises(ReadError, match="no conversation"):
            read(path)

    def test_a_pin_points_to_the_same_prompt_in_the_recording(self, tmp_path: Path) -> None:
        path = self.log(
            tmp_path,
            Opened("m", "s"),
            Condensed("x", "y", 2, 1),
            Prompted((Text("keep"),)),
            Pinned(3),
        )
        opened, prompt, pin = recorded(read(path), weigh, pace=0).entries
        assert opened.id == 1
        assert pin.event == Pinned(prompt.id)

    def test_a_damaged_entry_is_named(self, tmp_path: Path) -> None:
        path = self.log(tmp_path, Opened("m", "s"), Prompted((Text("hi"),)))
        path.write_text(path.read_text() + '\n{"id": "x"}')
        assert read(path).faults[0].startswith("line 4: left out")


def test_a_person_takes_the_pace_and_a_tool_round_a_little() -> None:
    said = (Text("x"),)
    moments = (
        Moment(Prompted(said), by_person=True),
        Moment(Replied(said)),
        Moment(Returned("t", said)),
        Moment(Replied(said)),
        Moment(Prompted(said), by_person=True),
    )
    times = [
        e.at for e in recorded(ParsedRecording("t", Opened("", ""), moments), weigh, 60).entries
    ]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == [0, TOOL_ROUND, 0, TOOL_ROUND, 60]


def test_every_fourth_recording_by_name_is_put_aside_wherever_it_lies() -> None:
    paths = [Path(folder) / f"{name}.jsonl" for folder in "ba" for name in "hgfe"]
    aside = part_of(paths, "reporting")
    assert aside == [Path("b/h.jsonl"), Path("b/f.jsonl")]
    assert part_of(list(reversed(paths)), "reporting") == list(reversed(aside))
    assert [path for path in paths if path not in aside] == part_of(paths, "tuning")
    assert part_of(paths, "all") == paths


def test_moments_know_which_message_they_stood_in(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"role": "system", "content": "s"},
        user("hi"),
        assistant(call("t1")),
        user(result("t1"), "and"),
    )
    recording = recorded(read(path), weigh, pace=0)
    kinds = {n: [type(e.event) for e in found] for n, found in recording.messages.items()}
    assert kinds == {0: [Prompted], 1: [Replied], 2: [Returned, Prompted]}


def test_folders_are_searched_and_missing_paths_named(tmp_path: Path) -> None:
    path = written(tmp_path, user("hi"))
    assert list(files([tmp_path, path])) == [path, path]
    with pytest.raises(ReadError, match="--session ID takes"):
        list(files([tmp_path / "none"]))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadError, match=r"no \*\.jsonl"):
        list(files([tmp_path / "empty"]))


@pytest.mark.parametrize("content", ["", "not json", "\x00\x01", "{}"])
def test_a_file_without_a_conversation_is_refused_with_its_name(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    with pytest.raises(ReadError, match=r"bad\.jsonl"):
        read(path)
