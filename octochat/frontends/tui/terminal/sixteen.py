"""Which of a terminal's 16 colours stands for which colour of a theme.

What they look like is the terminal's own affair: one takes 3 for brown, the next for bright yellow,
which on white nobody can read. So a text gets only what can be read on its ground wherever the 16
are what they are called. It knows nothing of themes.
"""

import colorsys
from functools import lru_cache
from typing import Any, TypeAlias

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter

Rgb: TypeAlias = tuple[int, int, int]
BLACK, WHITE = 0, 15
FAINT = {BLACK: 7, WHITE: 8}
"""What stands back on each ground."""
APART = {BLACK: (4, WHITE), WHITE: (7, BLACK)}
"""What is set off from each ground, and the text on it."""
APART_IN_GREY = (7, BLACK)
"""The same on both, where no colours are wanted."""
HUES = {BLACK: (9, 11, 10, 14, 14, 13), WHITE: (1, 5, 4, 4, 4, 5)}
"""Red, yellow, green, cyan, blue and magenta on each ground, or the nearest that can be read."""
GREY = 0.16
"""Saturation below which a colour counts as none, from 0 to 1."""
BRIGHT = 0.45
"""Brightness (Y of YIQ) from which a ground is a light one, from 0 to 1."""
SET_OFF = 0.1
"""By how much brighter or darker than the screen's a ground must be to be told from it."""
PLAIN = 0.62
"""By how much brighter or darker than its ground a grey must be to be the colour of plain text."""


class Sixteen(LineFilter):
    """Colours of 24 bits become those that a terminal of 16 has."""

    def __init__(self, *, coloured: bool = True) -> None:
        """Not `coloured`: in black, white and the two greys alone."""
        super().__init__()
        self._coloured = coloured

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments in colours from 0 to 15; `background` is the ground of the screen."""
        screen = background.rgb
        return [
            Segment(text, style and sixteen(style, screen, self._coloured), control)
            for text, style, control in segments
        ]


def with_few_colours(app: App[Any]) -> None:
    """Keep to the 16 colours where the terminal has no more."""
    if app.console.color_system == "standard":
        few = Sixteen(coloured=not app.no_color)
        app._filters.append(few)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


@lru_cache(maxsize=1024)
def sixteen(style: Style, screen: Rgb, coloured: bool = True) -> Style:
    """A style in the 16 colours, where the screen has this ground."""
    ground = style.bgcolor.triplet if style.bgcolor else screen
    if ground is None or (style.color and style.color.triplet is None):
        return style  # the theme itself is made of the terminal's colours
    base = WHITE if _brightness(screen) >= BRIGHT else BLACK
    far = abs(_brightness(ground) - _brightness(screen))
    behind, above = base, None
    if far > PLAIN:
        behind, above = BLACK + WHITE - base, base
    elif far > SET_OFF:
        behind, above = APART[base] if coloured else APART_IN_GREY
    if above is None:
        above = _text(style.color.triplet or ground, ground, base) if style.color else None
    color = None if above is None else RichColor.from_ansi(above)
    return style + Style(color=color, bgcolor=RichColor.from_ansi(behind), dim=False)


def _text(text: Rgb, ground: Rgb, base: int) -> int:
    if (max(text) - min(text)) / 255 >= GREY:
        hue, _, _ = colorsys.rgb_to_hls(*(part / 255 for part in text))
        return HUES[base][round(hue * 6) % 6]
    plain = abs(_brightness(text) - _brightness(ground)) > PLAIN
    return BLACK + WHITE - base if plain else FAINT[base]


def _brightness(rgb: Rgb) -> float:
    """From 0 to 1."""
    return colorsys.rgb_to_yiq(*(part / 255 for part in rgb))[0]
