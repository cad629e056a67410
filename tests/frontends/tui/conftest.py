"""Fixtures of the pictures."""

from tests.frontends.tui.canvas import draw, size

__all__ = ["draw", "size"]
