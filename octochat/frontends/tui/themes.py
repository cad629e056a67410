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
    variables={
        "border-blurred": "#3D434F",
        "input-selection-background": "#6CA6E8 30%",
        "scrollbar": "#3C3E44",
        "scrollbar-hover": "#595B62",
        "scrollbar-background": "#15171C",
        "scrollbar-background-hover": "#15171C",
        "scrollbar-background-active": "#15171C",
        "scrollbar-corner-color": "#15171C",
    },
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
    variables={
        "border-blurred": "#C9CCD2",
        "input-selection-background": "#2A66B0 30%",
        "scrollbar": "#CFD0D1",
        "scrollbar-hover": "#AFB0B2",
        "scrollbar-background": "#FBFBFA",
        "scrollbar-background-hover": "#FBFBFA",
        "scrollbar-background-active": "#FBFBFA",
        "scrollbar-corner-color": "#FBFBFA",
    },
)
