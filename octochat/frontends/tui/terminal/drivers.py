"""Which driver reads the keyboard: Textual's own choice, mended where it needs to be."""

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.web_driver import WebDriver

from octochat.frontends.tui.terminal.browser import BrowserDriver
from octochat.frontends.tui.terminal.keyboard import KeyboardDriver


def driver_for(chosen: type[Driver]) -> type[Driver]:
    """Our driver in place of the one that Textual chose; the choice itself where there is none."""
    ours: dict[type[Driver], type[Driver]] = {LinuxDriver: KeyboardDriver, WebDriver: BrowserDriver}
    return ours.get(chosen, chosen)
