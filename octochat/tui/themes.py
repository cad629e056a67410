"""octochat's own two themes: calm colours, enough contrast, one accent for what compressions do."""

from textual.theme import Theme

DARK = Theme(
    name="octochat-dark",
    primary="#6CA6E8",
    secondary="#8E9BB3",
    accent="#C79BF2",
    warning="#E5B567",
    error="#E8788A",
    success="#7CC78F",
    foreground="#D8DCE4",
    background="#15171C",
    surface="#1B1E25",
    panel="#22262F",
    dark=True,
)
LIGHT = Theme(
    name="octochat-light",
    primary="#2A66B0",
    secondary="#5B6577",
    accent="#7A3FB0",
    warning="#9A6700",
    error="#B3263E",
    success="#1F7A3D",
    foreground="#23272F",
    background="#FBFBFA",
    surface="#F3F3F1",
    panel="#E9E9E6",
    dark=False,
)
