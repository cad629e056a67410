"""Escape, Alt and sequences are told apart, whatever pieces they come in."""

from collections.abc import Container
from string import ascii_lowercase

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, Paste

from octochat.frontends.tui.input.keymaps import KEYMAPS, USUAL, KeymapName
from octochat.frontends.tui.settings import bound_keys
from octochat.frontends.tui.terminal.escapes import ESCAPE, NAMES, Escapes
from octochat.frontends.tui.terminal.keys import teach_alt_enter
from octochat.frontends.tui.terminal.reports import SECONDS
from tests.effort import lines_run


def heard(*pieces: str, bound: Container[str] = USUAL) -> list[str]:
    """The keys of what is typed in these pieces, as Textual names them; pastes as they are."""
    teach_alt_enter()
    escapes, parser = Escapes(lambda: bound), XTermParser()
    found: list[object] = []
    for piece in pieces:
        for part in escapes.take(piece):
            found += parser.feed(part) if isinstance(part, str) else [part]
    found += [x for x in escapes.settle() if isinstance(x, Key)]
    return [x.key if isinstance(x, Key) else x.text for x in found if isinstance(x, Key | Paste)]


@pytest.mark.parametrize(
    ("pieces", "keys"),
    [
        (["\x1b"], "escape"),
        (["\x1bhi"], "escape h i"),
        (["\x1bé?"], "escape é question_mark"),
        (["\x1b 中\x1b"], "escape space 中 escape"),
        (["\x1b", "b"], "escape b"),
        (["\x1b", "\r"], "escape enter"),
        (["\x1b\x1b"], "escape escape"),
        (["\x1b", "\x1b"], "escape escape"),
        (["\x1b\x1b[A"], "escape up"),
        (["\x1bh\x1b[D"], "escape h left"),
        (["\x1b[A\x1b[B"], "up down"),
        (["\x1b", "[A"], "up"),
        (["\x1b", "OA"], "up"),
        (["\x1b[1;", "3D"], "alt+left"),
        (["\x1bb\x1bf\x1bd"], "alt+b alt+f alt+d"),
        (["\x1b1"], "inverted_exclamation_mark"),
        (["\x1b\r"], "ctrl+j"),
        (["\x1b\x7f"], "ctrl+w"),
        (["\x1b[97;3u"], "alt+a"),
        (["\x1b[27u"], "escape"),
    ],
    ids=repr,
)
def test_what_is_typed(pieces: list[str], keys: str) -> None:
    assert heard(*pieces) == keys.split()


COLOUR = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"
ABILITIES = "\x1b[?62;22c"


@pytest.mark.parametrize(
    "report",
    [
        COLOUR,
        "\x1b]11;rgb:ffff/ffff/ffff\x07",
        ABILITIES,
        "\x1b[>1;10;0c",
        "\x1b[?0u",
        "\x1b[0n",
        "\x1b[8;40;120t",
        "\x1bP>|foot(1.16)\x1b\\",
        "\x1b_Gi=1;OK\x1b\\",
        COLOUR + ABILITIES,
    ],
    ids=repr,
)
def test_what_the_terminal_reports_is_not_typed_whatever_pieces_it_comes_in(report: str) -> None:
    assert heard(f"h{report}i") == ["h", "i"]
    for cut in range(2, len(report)):
        assert heard("h", report[:cut], report[cut:], "i") == ["h", "i"], report[:cut]


def test_half_a_report_is_no_typing_and_waited_for_longer_than_a_key() -> None:
    escapes = Escapes(lambda: USUAL)
    assert list(escapes.take("h" + COLOUR[:12])) == ["h"]
    assert escapes.patience == SECONDS
    assert list(escapes.settle()) == []
    assert list(escapes.take("i")) == ["i"]
    assert list(escapes.take(ESCAPE)) == []
    assert escapes.patience < SECONDS


def test_an_escape_right_behind_a_report_begins_another_one() -> None:
    escapes = Escapes(lambda: USUAL)
    assert list(escapes.take(COLOUR + ESCAPE)) == []
    assert escapes.patience == SECONDS
    assert list(escapes.take(ABILITIES[1:])) == []


def after_an_escape() -> Escapes:
    """A keyboard at which Escape was pressed, and nothing since."""
    escapes = Escapes(lambda: USUAL)
    (key,) = (*escapes.take(ESCAPE), *escapes.settle())
    assert isinstance(key, Key)
    return escapes


def belated(*pieces: str) -> list[str]:
    """The keys of pieces of which each comes only when nothing is waited for any more."""
    escapes, parser = Escapes(lambda: USUAL), XTermParser()
    found: list[object] = []
    for piece in pieces:
        for part in (*escapes.take(piece), *escapes.settle()):
            found += parser.feed(part) if isinstance(part, str) else [part]
    return [x.key if isinstance(x, Key) else x.text for x in found if isinstance(x, Key | Paste)]


@pytest.mark.parametrize("report", [COLOUR, ABILITIES, "\x1b[8;40;120t", COLOUR + ABILITIES])
def test_a_report_whose_escape_came_long_before_the_rest_is_not_typed(report: str) -> None:
    assert belated("h", ESCAPE, report[1:], "i") == ["h", "escape", "i"]
    assert belated("h", ESCAPE, f"{report[1:]}i") == ["h", "escape", "i"]
    escapes = after_an_escape()
    for character in report[1:]:
        assert list(escapes.take(character)) == []
    assert list(escapes.take("i")) == ["i"]


def test_what_is_typed_after_an_escape_stays_typed() -> None:
    assert belated(ESCAPE, "P", "x") == ["escape", "P", "x"]
    assert belated(ESCAPE, "]", "1", "1") == ["escape", "right_square_bracket", "1", "1"]
    escapes = after_an_escape()
    assert [*escapes.take("P"), *escapes.take("a")] == ["Pa"]
    assert belated(ESCAPE, "[200~one\x1b[201~x") == ["escape", "one", "x"]


def test_brackets_after_an_escape_are_keys_where_no_report_follows() -> None:
    escapes = Escapes(lambda: USUAL)
    assert list(escapes.take("\x1b]")) == []
    assert list(escapes.settle()) == ["\x1b]"]
    assert list(escapes.take("\x1b]h")) == ["\x1b]h"]
    assert heard("\x1b[1", ";3", "D") == ["alt+left"]


def test_no_escape_in_a_paste_is_pressed() -> None:
    pasted = ["\x1b[200~one\ntwo ", "three\x1b", "[201~\x1bh"]
    assert heard(*pasted) == ["one\ntwo three", "escape", "h"]
    assert heard("\x1b[20", "0~one\x1b[", "201~\x1bh") == ["one", "escape", "h"]
    assert heard("\x1b[200~a\x1bi\x1b", "b\x1b[201~") == ["a\x1bi\x1bb"]
    assert heard("\x1b\x1b[200~a\x1b[201~\x1b[200~\x1b[201~b") == ["escape", "a", "", "b"]


def test_a_paste_of_megabytes_is_neither_parsed_nor_looked_at_letter_by_letter() -> None:
    text = "a line of text\n" * 200_000
    pasted = f"\x1b[200~{text}\x1b[201~"
    pieces = [pasted[at : at + 65_536] for at in range(0, len(pasted), 65_536)]
    escapes = Escapes(lambda: USUAL)
    parts: list[object] = []
    work = lines_run(lambda: parts.extend(part for each in pieces for part in escapes.take(each)))
    (paste,) = parts
    assert isinstance(paste, Paste)
    assert paste.text == text
    assert work < 50 * len(pieces)


@pytest.mark.parametrize("keys", KEYMAPS)
def test_alt_is_heard_where_it_is_bound_and_an_escape_everywhere_else(keys: KeymapName) -> None:
    bound = bound_keys(keys)
    for character in (*ascii_lowercase, "<", ">"):
        name = NAMES.get(character, character)
        one = [f"alt+{name}"] if f"alt+{name}" in bound else ["escape", name]
        assert heard(f"{ESCAPE}{character}", bound=bound) == one


def test_alt_x_opens_the_palette_for_emacs_only() -> None:
    assert heard("\x1bx", bound=bound_keys("emacs")) == ["alt+x"]
    assert heard("\x1bx") == ["escape", "x"]
