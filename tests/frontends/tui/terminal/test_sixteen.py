"""What a terminal of 16 colours shows can be read, whatever it takes them for."""

import pytest
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from octochat.frontends.tui.terminal.sixteen import Sixteen, sixteen, with_few_colours
from octochat.frontends.tui.themes import DARK, LIGHT
from tests.frontends.tui.test_contrast import contrast

XTERM = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
CONSOLE = (
    *("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa"),
    *("#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"),
)
LEAST = 4.0
"""To 1: xterm's own grey on white."""
TEXTS = ("foreground", "secondary", "primary", "warning", "error", "success", "accent")
SHADES = (1.0, 0.7)
TINTS = (0.0, 0.05, 0.12, 0.3, 1.0)
"""How much of a colour a ground may have."""


def shown(text: Color, ground: Color, theme: Theme) -> Style:
    """What becomes of a text on a ground of a theme."""
    screen = Color.parse(theme.background or "black")
    style = Style(color=text.rich_color, bgcolor=ground.rich_color)
    segment = Sixteen().apply([Segment("x", style)], screen)[0]
    assert segment.style
    return segment.style


@pytest.mark.parametrize("palette", [XTERM, CONSOLE], ids=["xterm", "console"])
@pytest.mark.parametrize("theme", [DARK, LIGHT, *map(BUILTIN_THEMES.get, ("nord", "gruvbox"))])
def test_all_that_is_written_can_be_read(theme: Theme, palette: tuple[str, ...]) -> None:
    colours = {n: Color.parse(getattr(theme, n) or "white") for n in TEXTS}
    screen = Color.parse(theme.background or "black")
    for name, colour in colours.items():
        for tint in TINTS:
            ground = screen.blend(colour, tint)
            for shade in SHADES:
                text = ground.blend(colours["foreground"] if tint == 1.0 else colour, shade)
                style = shown(text, ground, theme)
                assert style.color
                assert style.bgcolor
                pair = palette[style.color.number or 0], palette[style.bgcolor.number or 0]
                assert contrast(*pair) >= LEAST, (name, shade, tint, pair)


def test_what_goes_wrong_and_what_goes_well_look_different() -> None:
    for theme in (DARK, LIGHT):
        ground = Color.parse(theme.background or "")
        seen = {
            str(shown(Color.parse(words), ground, theme).color)
            for words in (theme.error or "", theme.success or "", theme.foreground or "")
        }
        assert len(seen) == len(("error", "success", "foreground"))


def test_what_is_set_off_from_the_ground_stays_so() -> None:
    for theme in (DARK, LIGHT):
        ground = Color.parse(theme.background or "")
        marked = ground.blend(Color.parse(theme.primary), 0.3)
        text = Color.parse(theme.foreground or "")
        assert shown(text, marked, theme).bgcolor != shown(text, ground, theme).bgcolor


def test_where_no_colours_are_wanted_there_are_black_white_and_grey(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("NO_COLOR", "1")
    app = App[None]()
    with_few_colours(app)
    for theme in (DARK, LIGHT):
        screen = Color.parse(theme.background or "")
        for tint in TINTS:
            ground = screen.blend(Color.parse(theme.primary), tint)
            style = Style(
                color=Color.parse(theme.error or "").rich_color, bgcolor=ground.rich_color
            )
            segments = [Segment("x", style)]
            for each in app.get_line_filters():
                segments = each.apply(segments, screen)
            shown = segments[0].style
            assert shown
            assert shown.color
            assert shown.bgcolor
            assert {shown.color.number, shown.bgcolor.number} <= {0, 7, 8, 15}


def test_a_theme_of_the_terminal_s_own_colours_is_left() -> None:
    style = Style(color=RichColor.from_ansi(3), bgcolor=RichColor.default())
    assert sixteen(style, (0, 0, 0)) == style


@pytest.mark.parametrize(("term", "few"), [("xterm", True), ("xterm-256color", False)])
def test_it_is_for_terminals_that_have_no_more(
    term: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLORTERM", "")
    app = App[None]()
    with_few_colours(app)
    assert any(isinstance(each, Sixteen) for each in app.get_line_filters()) == few
