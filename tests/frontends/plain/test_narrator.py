import io

import pytest

from octochat.commands.base import Report, Shown
from octochat.context.session.content import Image, Text, Thinking, ToolCall
from octochat.context.session.edits import Fold, ResultTrim, Worth
from octochat.context.session.events import (
    Condensed,
    Entry,
    Event,
    Held,
    ModelChanged,
    Opened,
    Prompted,
    Recalled,
    Replied,
    Returned,
    Rewound,
)
from octochat.frontends.plain.narrator import LONG, Narrator
from octochat.models.port import (
    Compressing,
    Notice,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolOutput,
    ToolStarted,
)

CALL = ToolCall("c", "bash", {"timeout": 3, "command": "ls\n -la"})


def entry(event: Event, number: int = 7) -> Entry:
    return Entry(number, 0.0, 0, event)


def told(*items: Shown, encoding: str = "utf-8") -> str:
    """What is printed of it."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    narrator = Narrator(out)
    for item in items:
        narrator.show(item)
    narrator.rest()
    out.seek(0)
    return out.read()


def test_an_answer_is_told_in_whole_sentences() -> None:
    out = io.StringIO()
    narrator = Narrator(out)
    seen: list[str] = []
    for piece in ("One", " two. Th", "ree\nfo", "ur"):
        narrator.show(TextDelta(piece))
        seen.append(out.getvalue())
    head = "octochat> One two. "
    assert seen == ["", head, head + "Three\n", head + "Three\n"]
    narrator.show(entry(Replied((Text("One two. Three\nfour"),))))
    assert out.getvalue() == head + "Three\nfour\n", "and what came is not told twice"


def test_a_sentence_without_an_end_is_not_held_back_for_ever() -> None:
    out = io.StringIO()
    Narrator(out).show(TextDelta("word " * (LONG // 5 + 2)))
    assert out.getvalue().startswith("octochat> word word")


def test_an_answer_that_did_not_stream_is_told_all_the_same() -> None:
    assert told(entry(Replied((Thinking("hm", "s"), Text("yes"))))) == (
        "octochat> yes\n(its thinking: /show 7)\n"
    )


def test_a_retry_takes_back_what_came_and_says_so() -> None:
    retry = Retrying("The API is overloaded.", "overloaded", 4.0, 2, 6)
    whole = entry(Replied((Text("Whole."),)))
    assert told(TextDelta("Half. And"), retry, TextDelta("Whole."), whole) == (
        "octochat> Half. \n"
        "(ignore the part of the answer above)\n"
        "The API is overloaded. (try 2 of 6 in 4 s; Ctrl-C stops)\n"
        "octochat> Whole.\n"
    )


def test_a_tool_that_runs_is_one_line_however_much_it_prints() -> None:
    items = (
        entry(Replied((CALL,), "tool_use")),
        ToolStarted(CALL),
        ToolOutput("c", "noise"),
        entry(Returned("c", (Text("a\nb\nc\n"),), seconds=2.0)),
    )
    assert told(*items) == "bash ls -la: 3 lines, 2.0 s (#7)\n  a\n  b\n  c\n"


def test_a_word_in_between_ends_the_line_of_a_tool() -> None:
    items = (
        entry(Replied((CALL,), "tool_use")),
        ToolStarted(CALL),
        Notice("the disk is full", "warning"),
        entry(Returned("c", (Text("no\nway"),), failed=True)),
    )
    assert told(*items) == (
        "bash ls -la\nwarning: the disk is full\nbash ls -la: failed, 2 lines (#7)\n  no\n  way\n"
    )


def test_a_picture_is_no_empty_result() -> None:
    shown = told(entry(Returned("x", (Image("image/png", "AAAA"),))))
    assert shown == "a call: (1 attachment) (#7)\n"


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (Compressing("pressure", "level 1", 41_000), "Compressing 41.0k tokens: level 1 (Ctrl-C"),
        (Notice("No more room.", "error"), "error: No more room.\n"),
        (Notice("All well."), "All well.\n"),
        (ThinkingDelta("hm"), "(thinking)\n"),
        (Report("a  b"), "a  b\n"),
        (
            entry(Held("pressure", "vetoed", cost=0.25)),
            "vetoed (pressure, paid $0.250).\n",
        ),
        (
            Entry(7, 0.0, 1_200, Recalled("text", (4,), 4, 0.003)),
            "Remembered 4 passages, 1.2k tokens, $0.003. /show 7 shows them.\n",
        ),
        (entry(ModelChanged("m")), "Model is now m.\n"),
        (entry(Rewound(3)), "Undone: all that followed #3.\n"),
        (entry(Replied((), "interrupted")), "(You stopped it)\n"),
        (entry(Replied((Text("x"),), "interrupted")), "(You stopped it; what came is kept)\n"),
        (entry(Replied((Text("x"),), "max_tokens")), "(Cut off at the output limit)\n"),
        (entry(Replied((), "refusal")), "(The model declined to answer)\n"),
        (entry(Replied((Text("x"),), "pause_turn")), "(The API paused the answer: send “go on” "),
        (entry(Replied(())), "(The model gave an empty answer)\n"),
        (entry(Opened("m", "s", origin="other, before #4")), "forked from other, before #4.\n"),
    ],
)
def test_nothing_that_happens_is_silent(item: Shown, words: str) -> None:
    assert words in told(item)


def test_a_compression_says_what_went_what_it_cost_and_how_to_get_it_back() -> None:
    fold = Fold(2, 9, (Text("note"),))
    worth = Worth(2.0, 1.0, 0.1, 5)
    event = Condensed("pressure", "over level 1", 41_000, 20_500, fold, worth=worth, cost=0.03)
    line = told(entry(event))
    for part in (
        "41.0k to 20.5k tokens",
        "#2 to #9 became a note",
        "paid $0.030",
        "expected to save $1.00 net",
        "/show 7",
    ):
        assert part in line
    trimmed = Condensed(
        "ttl_prune", "cold", 9_000, 8_000, trims=(ResultTrim("a", ""), ResultTrim("b", ""))
    )
    assert "2 tool results shortened" in told(entry(trimmed))


def test_what_drives_a_terminal_is_taken_out_of_everything() -> None:
    bad = "\x1b[2J\x07x\x9b1m"
    call = ToolCall("c", "bash", {"command": bad})
    items = (
        TextDelta(bad + ". "),
        entry(Replied((Text(bad), call), "tool_use")),
        ToolStarted(call),
        entry(Returned("c", (Text(bad),), failed=True, note=bad)),
        Report(bad),
        Notice(bad),
        entry(Held("x", bad)),
    )
    assert [c for c in told(*items) if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0] == []


def test_a_terminal_that_lacks_a_letter_gets_it_spelled_out() -> None:
    assert (
        told(TextDelta("caf\u00e9 \u2713.\n"), encoding="ascii") == "octochat> caf\\xe9 \\u2713.\n"
    )


def test_what_the_person_said_is_told_of_a_session_that_is_gone_on_with() -> None:
    out = io.StringIO()
    narrator = Narrator(out)
    narrator.show(entry(Prompted((Text("live"),))))
    narrator.replay(entry(Prompted((Text("then"), Image("image/png", "AAAA")))))
    assert out.getvalue() == "you> then (1 attachment)\n"


def test_of_long_output_the_last_lines_are_told() -> None:
    text = "\n".join(f"line {n}" for n in range(1, 10))
    items = (entry(Replied((CALL,), "tool_use")), entry(Returned("c", (Text(text),))))
    assert told(*items).endswith(
        "(#7)\n  … 4 more lines\n" + "".join(f"  line {n}\n" for n in range(5, 10))
    )


def test_a_change_is_told_line_by_line() -> None:
    call = ToolCall("c", "edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"})
    diff = "--- a.py\n+++ a.py\n@@ -9,2 +9,2 @@\n x\n-1\n+2\n"
    items = (entry(Replied((call,), "tool_use")), entry(Returned("c", (Text("ok"),), diff=diff)))
    assert told(*items).endswith(": done (#7)\n   9   x\n  10 - 1\n  10 + 2\n")


def test_who_stopped_a_command_is_told_so_once_with_what_it_had_printed() -> None:
    text = "one\n[interrupted by the person]"
    items = (entry(Replied((CALL,), "tool_use")), entry(Returned("c", (Text(text),), failed=True)))
    assert told(*items).endswith("ls -la: you stopped it, 1 line (#7)\n  one\n")
