"""A box that stands at the bottom, so that the chat above it stays in view where there is room."""

from typing import TypeVar

from textual.screen import ModalScreen

Chosen = TypeVar("Chosen")


_BY_ROWS: list[tuple[int, str]] | None = [(0, "-low"), (20, "-medium"), (30, "-tall")]


class Overlay(ModalScreen[Chosen]):
    """The frame of what opens over the chat; its one child has the class `overlay`."""

    DEFAULT_CSS = """
    Overlay {
        align: center bottom;
        & > .overlay {
            width: 100%; height: 100%; padding: 0 1;
            background: $background; border: round $primary;
            border-title-style: bold; border-subtitle-color: $text-muted;
        }
        &.-medium > .overlay { height: 80%; }
        &.-tall > .overlay { height: 70%; }
        & Input { border: none; height: 1; padding: 0; margin: 0 0 1 0; background: $boost; }
        & VerticalScroll { scrollbar-size-vertical: 1; }
        & OptionList {
            height: 1fr; border: none; padding: 0; background: $background;
            text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1;
            &:focus { border: none; background-tint: transparent; }
            & > .option-list--option-highlighted, &:focus > .option-list--option-highlighted {
                background: $primary 25%; color: $foreground;
            }
            & > .option-list--option-disabled { color: $foreground 70%; }
        }
    }
    """
    VERTICAL_BREAKPOINTS = _BY_ROWS
