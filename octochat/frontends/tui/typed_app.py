"""The app and the screen around a widget, typed: Textual leaves their result type open."""

from collections.abc import Callable
from typing import Any, cast

from textual.app import App
from textual.screen import Screen
from textual.signal import Signal
from textual.widget import Widget


def app_of(widget: Widget) -> App[Any]:
    """The app that the widget is in."""
    return cast("App[Any]", widget.app)


def screen_of(widget: Widget) -> Screen[Any]:
    """The screen that the widget is on."""
    return cast("Screen[Any]", widget.screen)


def after_layout(widget: Widget, call: Callable[[object], None]) -> None:
    """Call a function each time the widgets of the widget's screen have been laid out."""
    signal = cast("Signal[object]", screen_of(widget).screen_layout_refresh_signal)
    signal.subscribe(widget, call)


def when_resumed(widget: Widget, call: Callable[[object], object]) -> None:
    """Call a function each time the app comes back to the terminal, as by `fg`."""
    signal = cast("Signal[object]", app_of(widget).app_resume_signal)
    signal.subscribe(widget, call)
