"""Which driver reads the keyboard, and what ours do otherwise than Textual's."""

import pytest
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.web_driver import WebDriver
from textual.events import Key

from octochat.frontends.tui.terminal.browser import BrowserDriver
from octochat.frontends.tui.terminal.drivers import driver_for
from octochat.frontends.tui.terminal.keyboard import KeyboardDriver
from octochat.frontends.tui.terminal.keys import NEWLINE, teach_alt_enter


@pytest.mark.parametrize(
    ("chosen", "taken"),
    [
        (LinuxDriver, KeyboardDriver),
        (WebDriver, BrowserDriver),
        (HeadlessDriver, HeadlessDriver),
    ],
)
def test_textuals_drivers_are_mended_and_others_left(
    chosen: type[Driver], taken: type[Driver]
) -> None:
    assert driver_for(chosen) is taken


def test_alt_and_enter_are_a_new_line_without_the_newer_keyboard_protocols() -> None:
    teach_alt_enter()
    keys = [key.key for key in XTermParser().feed("\x1b\r") if isinstance(key, Key)]
    assert len(keys) == 1
    assert keys[0] in NEWLINE
