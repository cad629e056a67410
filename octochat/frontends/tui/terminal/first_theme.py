"""The theme that an app begins with, chosen before there is anything to style.

Setting `App.theme` does the same, but then Textual reads all style sheets again and lays out the
screen anew once it runs: a tenth of the time to the first paint.
"""

from typing import Any

from textual.app import App


def begin_with(app: App[Any], name: str) -> None:
    """Choose a registered theme in the constructor of an app."""
    app.set_reactive(App.theme, name)
    theme = app.current_theme
    app.set_class(True, f"-theme-{name}", update=False)
    app.set_class(theme.dark, "-dark-mode", update=False)
    app.set_class(not theme.dark, "-light-mode", update=False)
    app._refresh_truecolor_filter(app.ansi_theme)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    app.stylesheet.set_variables(app.get_css_variables())
