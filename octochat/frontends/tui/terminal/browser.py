"""Textual's driver for a browser, but that the chat ends when the server is gone."""

from textual.drivers.web_driver import WebDriver


class BrowserDriver(WebDriver):
    """A page of textual-serve. Textual's own goes on for ever when its input has ended."""

    def run_input_thread(self) -> None:
        """Pass on what comes until the page closes, or the server with it."""
        super().run_input_thread()
        self._app.call_later(self._app.exit)
