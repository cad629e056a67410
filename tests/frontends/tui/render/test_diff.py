"""A change of a file as coloured lines: their numbers, their signs, and the words that differ."""

from collections.abc import Sequence

from octochat.context.session.content import ToolCall
from octochat.frontends.shared.changes import change_of
from octochat.frontends.tui.render.blocks import Block
from octochat.frontends.tui.render.diff import WORDS, drawn, numbered

WHOLE = """--- a.sql
+++ a.sql
@@ -8,3 +8,3 @@
 select
--- old remark
++++ new remark
 from t
@@ -40,2 +40,1 @@
-gone
 here
\\ No newline at end of file
"""


def edit(old: str, new: str) -> ToolCall:
    return ToolCall("c", "edit", {"file_path": "a", "old_string": old, "new_string": new})


def lines(blocks: Sequence[Block]) -> list[str]:
    return [f"{block.lead.plain}{block.text.plain}" for block in blocks]


def set_off(blocks: Sequence[Block]) -> list[str]:
    """The words that stand out."""
    return [
        block.text.plain[span.start : span.end]
        for block in blocks
        for span in block.text.spans
        if span.style in WORDS.values()
    ]


def test_the_diff_of_a_file_has_the_numbers_of_its_lines() -> None:
    assert lines(numbered(WHOLE)) == [
        "   8   select",
        "   9 - -- old remark",
        "   9 + +++ new remark",
        "  10   from t",
        "     ⋯",
        "  40 - gone",
        "  40   here",
        "  41 \\  No newline at end of file",
    ]


def test_a_removed_line_that_looks_like_a_header_is_no_header() -> None:
    call = edit("-- remark\nselect 1", "select 1")
    assert change_of(call).counts == (0, 1)
    assert lines(drawn(change_of(call)))[0] == "  - -- remark"


def test_of_lines_that_are_alike_only_the_words_that_differ_are_set_off() -> None:
    call = edit("wait(0.05, server)\nkeep", "wait(5, server)\nkeep")
    assert set_off(drawn(change_of(call))) == ["0.05", "5"]


def test_lines_that_have_nothing_in_common_differ_as_a_whole() -> None:
    assert set_off(drawn(change_of(edit("a b c", "x y z")))) == []
    assert set_off(drawn(change_of(edit("only removed\nkeep", "keep")))) == []
