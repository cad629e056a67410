"""Every word in every picture can be read: the contrast of WCAG 2.2, criterion 1.4.3, level AA."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.root import ROOT

LEAST = 4.5
"""To 1, for text that is not large."""
LINE = 24.4
"""Height of a row of a picture."""
PICTURES = sorted((ROOT / "tests").rglob("__snapshots__/*/*.svg"))
_FILL = re.compile(r"\.terminal-(r\d+) \{ fill: (#[0-9a-f]{6})")
_GROUND = re.compile(r'<rect fill="(#[0-9a-f]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"')
_TEXT = re.compile(r'<text class="terminal-(r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_CORNER = re.compile(r'x="([\d.]+)" y="([\d.]+)"[^>]*>[^<]*?([╭╰])')


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def words(picture: str) -> Iterator[tuple[str, str, str]]:
    """Each piece of text with its colour and that of its ground, but for what a dialog dims."""
    fills = dict(_FILL.findall(picture))
    grounds = [(fill, float(x), float(y), float(w)) for fill, x, y, w in _GROUND.findall(picture)]
    left, top, bottom = _dialog(picture)
    for name, x, y, text in _TEXT.findall(picture):
        at, base = float(x), float(y)
        if name not in fills or not re.search(r"\w", shown := html.unescape(text)):
            continue
        if left and not (top <= base <= bottom and at >= left):
            continue
        under = [f for f, a, b, w in grounds if a <= at + 1 < a + w and 0 < base - b < LINE]
        yield shown.strip(), fills[name], under[-1]


def _dialog(picture: str) -> tuple[float, float, float]:
    """Left edge, top and bottom of the frame of a dialog; zeros where there is none."""
    corners = [(float(x), float(y)) for x, y, _ in _CORNER.findall(picture)]
    inner = [corner for corner in corners if corner[0] > 2 * LINE]
    if not inner:
        return (0, 0, 0)
    heights = [y for _, y in inner]
    return (min(x for x, _ in inner), min(heights), max(heights))


def test_there_are_pictures() -> None:
    assert len(PICTURES) > 100


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_word_can_be_read(picture: Path) -> None:
    faint = {
        (text, round(ratio, 2))
        for text, colour, ground in words(picture.read_text("utf-8"))
        if (ratio := contrast(colour, ground)) < LEAST
    }
    assert not faint
