"""Fixtures of the pictures."""

from tests.tui.canvas import draw, size

__all__ = ["draw", "size"]
