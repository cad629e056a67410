"""The card of a change tells what really changed in the file, not what the call asked for."""

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Returned
from octochat.frontends.tui.render.blocks import break_rows, cells
from octochat.frontends.tui.transcript.cards.call import CallCard
from octochat.frontends.tui.transcript.cards.card import Page
from octochat.permissions.modes import PLANNING

PAGE = Page(60, 0.0)
DIFF = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"


def ran(text: str, *, failed: bool = False, name: str = "bash") -> CallCard:
    card = CallCard(0.0, ToolCall("c", name, {"command": "make [all]"}))
    card.finish(Returned("c", (Text(text),), failed=failed))
    return card


def numbers(last: int) -> str:
    return "\n".join(f"line {n}" for n in range(1, last + 1))


def rows(card: CallCard) -> list[str]:
    return [
        f"{block.lead.plain}{block.text.plain} {block.right.plain}".rstrip()
        for block in card.blocks(PAGE)
    ]


def test_a_file_written_anew_shows_only_what_is_other_than_before() -> None:
    call = ToolCall("c", "write", {"file_path": "a", "content": "one\n2\nthree\n"})
    card = CallCard(0.0, call)
    assert rows(card)[0].split() == ["○", "write", "a", "waiting", "▸"], "there may be a file"
    card.finish(Returned("c", (Text("wrote a (3 lines)"),), diff=DIFF))
    assert "+1  −1" in rows(card)[0]
    card.toggle()
    assert [row.split()[-1] for row in rows(card)[1:5]] == ["one", "two", "2", "three"]


def test_a_change_accepted_in_part_says_so_on_its_line() -> None:
    call = ToolCall("c", "edit", {"file_path": "a", "old_string": "1", "new_string": "2"})
    card = CallCard(0.0, call)
    card.finish(Returned("c", (Text("edited a in 1 place"),), note="in part", diff=DIFF))
    assert "in part" in rows(card)[0]


def test_a_change_that_is_opened_does_not_repeat_that_it_was_made() -> None:
    call = ToolCall("c", "edit", {"file_path": "a", "old_string": "1", "new_string": "2"})
    for said, told in (("edited a in 1 place", False), ("edited a\nbut not part 2", True)):
        card = CallCard(0.0, call)
        card.finish(Returned("c", (Text(said),), diff=DIFF))
        card.toggle()
        assert any("edited" in row for row in rows(card)) == told


def test_the_last_lines_of_a_command_are_seen_without_opening_it() -> None:
    assert rows(ran(numbers(6)))[1:] == [f"  line {n}" for n in range(1, 7)]
    long = rows(ran(numbers(40)))
    assert long[1:] == ["  … 35 more lines", *(f"  line {n}" for n in range(36, 41))]
    assert "40 lines" in long[0]
    assert ran(numbers(40)).blocks(PAGE)[1].action == "toggle"


def test_more_is_seen_of_a_failure_and_its_status_stands_beside_it() -> None:
    failed = rows(
        ran(
            numbers(40) + "\n[exit 2 in 0.3 s; bash is now in x, the other tools are not]",
            failed=True,
        )
    )
    assert failed[1:] == ["  … 25 more lines", *(f"  line {n}" for n in range(26, 41))]
    assert "exit 2 · 40 lines" in failed[0]


def test_a_command_that_printed_nothing_and_a_search_are_one_line() -> None:
    assert len(rows(ran("[exit 0 in 0.1 s; no output]"))) == 1
    assert "no output" in rows(ran("[exit 0 in 0.1 s; no output]"))[0]
    assert len(rows(ran("a.py:1:x\nb.py:2:x", name="grep"))) == 1


def test_what_runs_shows_the_last_that_it_printed() -> None:
    card = CallCard(0.0, ToolCall("c", "bash", {"command": "make"}))
    card.start(0.0)
    card.write(numbers(9) + "\n")
    assert rows(card)[1:] == ["  … 4 more lines", *(f"  line {n}" for n in range(5, 10))]
    assert card.tall


def test_of_a_line_without_end_the_beginning_is_shown() -> None:
    (_, line) = ran("[b]" + "x" * 500).blocks(PAGE)
    assert (line.wrap, line.text.plain[:4]) == ("cut", "[b]x")
    (_, line) = ran("x" * 100).blocks(PAGE)
    assert line.wrap == "code"


def test_of_a_long_change_the_first_lines_are_seen_and_how_many_follow() -> None:
    content = numbers(54)
    card = CallCard(0.0, ToolCall("c", "write", {"file_path": "a.txt", "content": content}))
    assert len(rows(card)) == 1, "it has not happened yet"
    card.finish(Returned("c", (Text("wrote a.txt"),), note="new file"))
    shown = rows(card)
    assert "new file" in shown[0]
    assert shown[1:3] == ["   1 + line 1", "   2 + line 2"]
    assert shown[21:] == ["  … 34 more lines"]


def test_a_file_written_as_it_was_shows_no_lines_as_new() -> None:
    arguments = {"file_path": "a.txt", "content": numbers(3)}
    card = CallCard(0.0, ToolCall("c", "write", arguments))
    card.finish(Returned("c", (Text("wrote a.txt (3 lines)"),), note="nothing changed"))
    (head,) = rows(card)
    assert "nothing changed" in head
    assert "+3" not in head
    card.opened = True
    assert "line 3" in "\n".join(rows(card))


def test_a_change_has_the_colours_of_its_language() -> None:
    arguments = {"file_path": "a.py", "content": "def f():\n    return 1\n"}
    card = CallCard(0.0, ToolCall("c", "write", arguments))
    card.finish(Returned("c", (Text("wrote a.py"),)))
    coloured = [span.style for block in card.blocks(PAGE)[1:] for span in block.text.spans]
    assert {"$text-accent", "$text-primary", "$text-warning"} <= set(coloured)


def test_on_a_narrow_screen_a_long_command_leaves_room_for_how_it_ended() -> None:
    card = CallCard(0.0, ToolCall("c", "bash", {"command": "make " + "all " * 30}))
    end = "[interrupted by the person after 12 s: the tool did not finish]"
    card.finish(Returned("c", (Text(f"one\n{end}"),), failed=True, seconds=12.0))
    head, page = card.blocks(PAGE)[0], Page(56, 0.0)
    (row,) = break_rows([head], page.width)
    assert "you stopped it · 1 line" in head.right.plain
    assert cells(row.text) <= page.width - cells(head.lead) - cells(head.right) - 2


def test_a_command_that_was_stopped_says_so_once_and_keeps_what_it_printed() -> None:
    stopped = rows(
        ran("one\n[interrupted by the person after 3.1 s; a new shell is in /x]", failed=True)
    )
    assert "you stopped it · 1 line" in stopped[0]
    assert stopped[1:] == ["  one"]
    before = rows(ran("[interrupted by the person: the tool did not finish]", failed=True))
    assert ("you stopped it" in before[0], len(before)) == (True, 1)


def test_what_the_person_refused_says_so_with_the_reason() -> None:
    refused = rows(ran("the person did not allow it: use make", failed=True))
    assert "you said no" in refused[0]
    assert refused[1:] == ["  use make"]
    assert len(rows(ran("the person did not allow it", failed=True))) == 1
    assert "not run" in rows(ran("[not run: the person interrupted]", failed=True))[0]


def test_a_change_that_failed_counts_no_lines() -> None:
    call = ToolCall("c", "edit", {"file_path": "a", "old_string": "1", "new_string": "2"})
    card = CallCard(0.0, call)
    assert "+1  −1" in rows(card)[0]
    card.finish(Returned("c", (Text("old_string is not in a."),), failed=True))
    assert "+1" not in rows(card)[0]


def test_a_search_tells_how_much_it_found() -> None:
    call = ToolCall("c", "grep", {"pattern": "x"})
    card = CallCard(0.0, call)
    card.finish(Returned("c", (Text("a.py\n1\tx = 1\n[1 match in 1 file; 2 files left out]"),)))
    assert rows(card)[0].startswith("✓ grep  x 1 match in 1 file")
    assert "left out" not in rows(card)[0]


def test_what_plan_mode_refuses_says_so_in_a_word() -> None:
    for name, given in (("edit", {"file_path": "a"}), ("bash", {"command": "make && ls"})):
        card = CallCard(0.0, ToolCall("c", name, given))
        card.finish(Returned("c", (Text(f"{PLANNING}\nAllowed of it: ls."),), failed=True))
        (head,) = rows(card)
        assert "not in plan mode" in head
