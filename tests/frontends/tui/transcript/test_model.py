"""The session as cards: live and resumed alike, and nothing that happened is hidden."""

from collections.abc import Iterable

import pytest

from octochat.context.session.content import Text, Thinking, ToolCall
from octochat.context.session.events import (
    Entry,
    Replied,
    Returned,
    Rewound,
    Stop,
)
from octochat.frontends.tui.render.blocks import break_rows
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.frontends.tui.transcript.cards.report import ReportCard
from octochat.frontends.tui.transcript.model import TranscriptModel
from octochat.models.port import (
    CallDelta,
    Delta,
    Notice,
    Retrying,
    TextDelta,
    ThinkingDelta,
    ToolOutput,
    ToolStarted,
)
from tests.frontends.tui.told import NOON, Told, session

PAGE = Page(78, NOON + 60)


def shown(items: Iterable[Entry | Delta]) -> TranscriptModel:
    model = TranscriptModel(lambda: NOON + 50)
    for item in items:
        model.show(item)
    return model


def lines(model: TranscriptModel, page: Page = PAGE) -> list[str]:
    """The transcript as text: lead, text and what stands at the right."""
    return [
        f"{(row.block.lead if row.first else row.block.hang).plain}{row.text.plain}"
        f"{'  ' + row.block.right.plain if row.first and row.block.right else ''}".rstrip()
        for card in model.cards
        if not card.hidden
        for row in break_rows(card.blocks(page), page.width)
    ]


def test_what_was_live_looks_the_same_when_it_is_resumed() -> None:
    told = Told()
    told.opened()
    told.asks("Why?")
    call = ToolCall("c1", "bash", {"command": "ls"})
    live: list[Entry | Delta] = [
        *told.entries,
        ThinkingDelta("Let me "),
        ThinkingDelta("see."),
        TextDelta("I **look"),
        TextDelta("**."),
        CallDelta("c1", "bash", '{"comm'),
        told.says(Thinking("Let me see.", "s"), Text("I **look**."), call, stop="tool_use"),
        ToolStarted(call),
        ToolOutput("c1", "a.txt\n"),
        told.returns("c1", "a.txt\nb.txt"),
        TextDelta("Two fi"),
        told.says(Text("Two files.")),
    ]
    assert lines(shown(live)) == lines(shown(told.entries))


def test_a_call_is_one_line_with_what_matters_of_it() -> None:
    text = lines(shown(session(1)))
    assert any("✓ read  tests/test_retry.py" in x and "60 lines · 0.1 s" in x for x in text)
    assert any("edit  tests/test_retry.py  +1  −1" in x for x in text)
    assert any("✗ bash  pytest -q tests/test_retry.py" in x and "3.4 s" in x for x in text)
    assert "  1 failed in 3.21s" in text


def test_an_opened_call_tells_how_long_it_waited_for_the_person() -> None:
    told = Told()
    told.calls(ToolCall("c", "bash", {"command": "make"}))
    told.add(Returned("c", (Text("built"),), seconds=3.4, waited=40.0))
    model = shown(told.entries)
    assert lines(model)[-2].endswith("1 line · 3.4 s  ▸")
    model.cards[-1].toggle()
    assert "  waited 40 s for you" in lines(model)


def test_an_opened_call_shows_its_input_and_output_and_an_edit_its_diff() -> None:
    model = shown(session(1))
    for card in model.cards:
        card.opened = True
    text = lines(model)
    assert "  -     sleep(0.05)" in text
    assert "  +     wait_until_up(8080)" in text
    assert "     1 line [1] of the test" in text
    assert any("20 more lines" in x for x in text)


def test_a_command_that_its_line_says_in_full_is_not_said_again() -> None:
    told = Told()
    for command in ("pytest -q", "pytest -q\nls", "pytest " + "x" * 200):
        told.calls(ToolCall(command, "bash", {"command": command}))
        told.returns(command, "ok")
    model = shown(told.entries)
    calls = [card for card in model.cards if isinstance(card, CallCard)]
    for card in calls:
        card.toggle()
    assert [len(card.blocks(Page(80, 0.0))) for card in calls] == [2, 4, 4]


def test_a_retry_takes_back_what_was_streamed_and_says_so() -> None:
    model = shown([TextDelta("half an ans"), Retrying("Overloaded", "overloaded", 20, 2, 5)])
    text = lines(model)
    assert not any("half an ans" in x for x in text)
    assert any(
        "Overloaded" in x and "try 2 of 5" in x and "in 10 s · Enter tries now" in x for x in text
    )
    model.show(TextDelta("whole"))
    assert any("tried again" in x for x in lines(model))


def test_where_a_row_is_too_short_the_countdown_has_one_of_its_own() -> None:
    model = shown([Retrying("The API is overloaded.", "overloaded", 20, 2, 5)])
    why, wait = model.cards[-1].blocks(Page(57, model.cards[-1].at))
    assert why.text.plain == "The API is overloaded."
    assert wait.text.plain.strip() == "try 2 of 5 · in 20 s · Enter tries now"
    assert {why.action, wait.action} == {"hurry"}


def test_a_thought_stays_on_the_screen_when_the_person_stops_the_answer() -> None:
    model = shown([ThinkingDelta("first the tests"), TextDelta("half")])
    stopped = Told().add(Replied((Text("half"),), "interrupted", thought="first the tests"))
    model.show(stopped)
    text = lines(model)
    assert sum("Thought  first the tests" in x for x in text) == 1
    assert sum("half" in x for x in text) == 1
    assert not any(card.running for card in model.cards)
    assert lines(shown([stopped])) == text, "a session that is resumed shows it too"


def test_several_failures_are_one_line_that_counts() -> None:
    waits = [Retrying("Overloaded", "overloaded", 20, attempt, 5) for attempt in (2, 3, 4)]
    model = shown([waits[0], TextDelta("half"), waits[1], waits[2]])
    (line,) = (x for x in lines(model) if "Overloaded" in x)
    assert "try 4 of 5 · in" in line
    model.show(Told().says(Text("whole")))
    assert "try 4 of 5 · tried again" in next(x for x in lines(model) if "Overloaded" in x)
    model.show(waits[0])
    assert sum("Overloaded" in x for x in lines(model)) == 2, "another call's failure is its own"


def test_a_wait_that_the_person_breaks_off_was_no_try() -> None:
    model = shown([Retrying("Rate limit", "rate_limit", 300, 2, 5)])
    model.rest()
    assert any("try 2 of 5 · not made" in x for x in lines(model))


def test_what_never_ended_is_shown_as_interrupted() -> None:
    told = Told()
    told.asks("Go")
    told.calls(ToolCall("x", "bash", {"command": "sleep 99"}))
    model = shown([*told.entries, TextDelta("cut")])
    model.rest()
    text = lines(model)
    assert any("■ bash  sleep 99" in x and "you stopped it" in x for x in text)
    assert not any("cut" in x for x in text)


def test_an_interrupted_answer_says_so() -> None:
    told = Told()
    told.asks("Go")
    told.says(Text("I was about"), stop="interrupted")
    assert any(x.startswith("■ You stopped it") for x in lines(shown(told.entries)))


@pytest.mark.parametrize(
    ("stop", "blocks", "words"),
    [
        ("max_tokens", (Text("half"),), "Cut off at the output limit"),
        ("refusal", (), "The model declined to answer"),
        ("pause_turn", (Text("half"),), "The API paused the answer"),
        ("end_turn", (), "The model gave an empty answer"),
    ],
)
def test_an_answer_that_was_cut_off_says_so(
    stop: Stop, blocks: tuple[Text, ...], words: str
) -> None:
    told = Told()
    told.asks("Go")
    told.says(*blocks, stop=stop)
    assert lines(shown(told.entries))[-1].startswith(f"■ {words}")


def test_what_goes_on_an_hour_after_an_interruption_did_not_take_an_hour() -> None:
    told = Told()
    told.asks("Go")
    told.says(Text("I was about"), stop="interrupted")
    told.add(Replied((Text("to do it."),), seconds=4.0), after=3_600)
    assert lines(shown(told.entries))[-1].endswith("    4.0 s")


def test_undone_talk_is_folded_into_the_line_that_says_so() -> None:
    told = Told()
    told.opened()
    told.asks("First thing")
    told.says(Text("Done first."))
    told.asks("Second thing")
    told.says(Text("Done second."))
    told.add(Rewound(3))
    model = shown(told.entries)
    text = lines(model)
    assert any("Done first." in x for x in text)
    assert not any("Done second." in x for x in text)
    assert any("Undone: “Second thing”" in x for x in text)
    model.cards[-1].toggle()
    assert any("Done second." in x for x in lines(model))


def test_a_line_of_a_report_that_is_too_long_goes_on_under_its_words() -> None:
    card = ReportCard(0.0, "Now:\n  fifo: the oldest messages are dropped when they are too many")
    rows = break_rows(card.blocks(Page(40, 0.0)), 40)
    assert [f"{row.block.lead if row.first else row.block.hang}{row.text}" for row in rows] == [
        "│ Now:",
        "│   fifo: the oldest messages are",
        "│     dropped when they are too many",
    ]


def test_the_turn_ends_with_its_time_its_calls_and_its_cost() -> None:
    assert any("15 s · 3 calls · $0.031" in x for x in lines(shown(session(1))))


def test_the_time_of_a_turn_is_without_the_waits_for_the_person() -> None:
    told = Told()
    told.asks("Build it")
    told.calls(ToolCall("c", "bash", {"command": "make"}))
    told.add(Returned("c", (Text("built"),), seconds=3.4, waited=40.0), after=43.4)
    told.says(Text("Built."))
    assert any("9.4 s · 1 call" in x for x in lines(shown(told.entries)))


def test_a_long_silence_is_shown() -> None:
    told = Told()
    told.asks("One")
    told.says(Text("1"))
    told.asks("Two", after=2 * 3600)
    assert any("2 hours later" in x for x in lines(shown(told.entries)))


def test_notices_open_to_their_detail() -> None:
    model = shown([Notice("The key was refused.\nHTTP 401 invalid x-api-key", "error")])
    assert lines(model) == ["✗ The key was refused.  ▸"]
    model.cards[-1].toggle()
    assert "  HTTP 401 invalid x-api-key" in lines(model)


def test_escape_sequences_from_a_tool_never_reach_the_screen() -> None:
    told = Told()
    call = ToolCall("x", "bash", {"command": "printf '\x1b[2J'"})
    told.asks("Go \x1b[31m")
    told.says(Text("\x1b]0;title\x07ok"), call, stop="tool_use")
    told.returns("x", "\x1b[31mred\x1b[0m\x07")
    model = shown(told.entries)
    for card in model.cards:
        card.opened = True
    assert "\x1b" not in "".join(lines(model))
    assert "\x07" not in "".join(lines(model))


def test_every_card_has_something_to_find() -> None:
    told = Told()
    told.opened()
    told.turn()
    told.condensed(2, 3)
    assert all(card.text().strip() for card in shown(told.entries).cards)


def test_replies_without_price_are_unpriced() -> None:
    told = Told()
    told.asks("Go")
    told.add(Replied((Text("ok"),), cost=None))
    assert lines(shown(told.entries))[-1].endswith("    3.0 s")
