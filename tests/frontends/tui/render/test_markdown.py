"""Markdown as rows: nothing lost, nothing wider than the page, live the same as whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octochat.frontends.tui.render.blocks import PROSE, Block, break_rows, cells
from octochat.frontends.tui.render.markdown import LiveMarkdown, markdown
from tests.frontends.tui.told import ANSWER

PIECES = st.sampled_from(
    [
        "# Head\n\n",
        "A line with **bold** and `code[0]`.\n",
        "- one\n- two\n  - three\n",
        "- [ ] open\n- [x] done\n",
        "1. first\n2. second\n\n   more of it\n\n",
        "> said\n> before\n\n",
        "```python\nx = [1]\n```\n",
        "~~~\nplain\n~~~\n",
        "| a | b |\n|--|--:|\n| 日本 | 2 |\n\n",
        "---\n\n",
        "[link](https://example.com) and <b>html</b> and [/red]\n\n",
        "    indented code\n\n",
        "\n",
    ]
)


def plain(blocks: list[Block], width: int = 60) -> list[str]:
    return [
        (row.block.lead if row.first else row.block.hang).plain + row.text.plain
        for row in break_rows(blocks, width)
    ]


@settings(deadline=None)
@given(st.lists(PIECES, max_size=8), st.integers(1, 40))
def test_an_answer_looks_the_same_however_it_was_streamed(pieces: list[str], step: int) -> None:
    source = "".join(pieces)
    live = LiveMarkdown()
    for start in range(0, len(source), step):
        live.write(source[start : start + step])
        live.blocks(60)
    assert plain(live.blocks(60)) == plain(markdown(source, 60))


@settings(deadline=None)
@given(st.lists(PIECES, max_size=8), st.text(max_size=80), st.integers(20, 120))
def test_no_row_is_wider_than_the_page(pieces: list[str], text: str, width: int) -> None:
    text = "".join(c for c in text if c.isprintable() or c == "\n")
    for row in break_rows(markdown("".join(pieces) + text, width), width):
        lead = row.block.lead if row.first else row.block.hang
        assert cells(lead) + cells(row.text) <= width


def test_code_is_highlighted_once_its_fence_is_closed() -> None:
    live = LiveMarkdown()
    live.write("```python\ndef f():\n")
    assert not any(block.text.spans for block in live.blocks(60) if not block.action)
    live.write("    pass\n```\n")
    assert any(block.text.spans for block in live.blocks(60) if not block.action)


def test_a_link_says_where_it_leads() -> None:
    assert plain(markdown("[here](https://example.com/x)", 60)) == ["here (https://example.com/x)"]


def test_brackets_are_text() -> None:
    assert plain(markdown("a [red]b[/red] [12]", 60)) == ["a [red]b[/red] [12]"]


def test_a_table_shares_the_width_among_its_columns() -> None:
    rows = plain(markdown(ANSWER, 40), 40)
    assert "runs     │    200 │   200" in rows


@pytest.mark.parametrize("width", [8, 12, 20])
def test_a_very_narrow_page_is_still_drawn(width: int) -> None:
    assert plain(markdown(ANSWER, width), width)


def test_the_code_of_a_block_can_be_copied_as_it_was_written() -> None:
    (head,) = [block for block in markdown(ANSWER, 60) if block.action == "copy"]
    assert head.value.startswith("def wait_until_up")
    assert head.value.endswith("sleep(0.01)")


def test_prose_in_a_code_block_breaks_between_words_and_code_keeps_its_blanks() -> None:
    line = "some words that are longer than the page is wide"
    rows = [row.text.plain for row in break_rows(markdown(f"```text\n  {line}\n```", 30), 30)]
    assert rows[1:] == ["  some words that are longer", "than the page is wide"]
    rows = [row.text.plain for row in break_rows(markdown(f"```sh\n  {line}\n```", 30), 30)]
    assert rows[1:] == ["  some words that are longer", " than the page is wide"]


def test_on_a_wide_screen_code_takes_the_width_and_prose_does_not() -> None:
    line = "x = " + " + ".join(f"y{n}" for n in range(30))
    words = " ".join(["word"] * 60)
    rows = break_rows(markdown(f"{words}\n\n- {words}\n\n```python\n{line}\n```\n", 200), 200)
    assert PROSE < len(line) < 200
    assert line in [row.text.plain for row in rows]
    prose = [row for row in rows if "word" in row.text.plain]
    assert len(prose) > 2
    assert max(cells(row.block.hang) + cells(row.text) for row in prose) <= PROSE
