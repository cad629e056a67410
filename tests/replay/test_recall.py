"""Recall counts what the agent used again, and whether the view still held it."""

from octochat.context.notes.identifiers import Identifier, identifiers
from octochat.context.session.content import Block, Text, ToolCall, ToolResult
from octochat.context.session.events import Entry, Event, Opened, Prompted, Replied, Returned
from octochat.context.session.view import Note, Prompt, ShownResult, Step
from octochat.replay.lexicon import Lexicon
from octochat.replay.recall import Use, uses
from octochat.replay.visible_words import VisibleWords

PATH = "src/deep/tree.py"
NAME = Identifier("path", PATH)


def told(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(n, 0.0, 1, event) for n, event in enumerate((Opened("", ""), *events), 1))


def said(*texts: str) -> tuple[Text, ...]:
    return tuple(map(Text, texts))


def visible() -> VisibleWords:
    names = Lexicon(identifiers)
    return VisibleWords(lambda blocks: {name.text for name in names.of(blocks)})


def test_a_name_that_came_up_and_is_used_again_is_a_use() -> None:
    entries = told(Prompted(said(f"see {PATH}")), Replied(said(f"I read {PATH}")))
    assert uses(entries, Lexicon(identifiers)) == (Use(0, NAME, 1),)


def test_a_new_name_is_no_use_and_the_arguments_of_tools_count() -> None:
    call = ToolCall("t", "read", {"path": PATH, "lines": [1, {"x": PATH}]})
    entries = told(
        Prompted(said("go")),
        Replied(said(PATH)),
        Returned("t", said("ok")),
        Replied((call,)),
    )
    assert uses(entries, Lexicon(identifiers)) == (Use(1, NAME, 1),)


def test_a_name_in_a_result_has_come_up() -> None:
    entries = told(
        Prompted(said("go")), Replied(said("hm")), Returned("t", said(PATH)), Replied(said(PATH))
    )
    assert uses(entries, Lexicon(identifiers)) == (Use(1, NAME, 1),)


def test_what_the_system_prompt_names_can_not_be_lost() -> None:
    entries = (
        Entry(1, 0.0, 1, Opened("", f"work on {PATH}")),
        *told(Prompted(said(PATH)), Replied(said(PATH)))[1:],
    )
    assert uses(entries, Lexicon(identifiers)) == ()


def test_far_begins_after_ten_units() -> None:
    for between, far in ((9, False), (10, True)):
        filler = [Replied(said("nothing")) for _ in range(between)]
        (use,) = uses(
            told(Prompted(said(PATH)), *filler, Replied(said(PATH))), Lexicon(identifiers)
        )
        assert use.far is far


def step(*blocks: Block, result: str = "") -> Step:
    answers = (ShownResult(ToolResult("t", said(result)), 1),) if result else ()
    return Step(7, blocks, 1, answers)


def test_a_view_holds_what_its_units_name_until_they_are_gone() -> None:
    sight = visible()
    sight.look((Prompt(1, said(PATH), 1), step(Text("x"), result="see lib/other.go")))
    assert sight.holds(PATH)
    assert sight.holds("lib/other.go")
    sight.look((Prompt(2, said("else"), 1),))
    assert not sight.holds(PATH)


def test_a_name_shown_twice_is_held_until_both_are_gone() -> None:
    first, second = Prompt(1, said(PATH), 1), Prompt(2, said(f"again {PATH}"), 1)
    sight = visible()
    sight.look((first, second))
    sight.look((second,))
    assert sight.holds(PATH)


def test_a_note_holds_what_stands_in_its_text_as_a_whole_word() -> None:
    sight = visible()
    sight.look((Note(1, said("they wanted 12 apples"), 1),))
    assert sight.holds("12 apples")
    assert not sight.holds("2 apples")
