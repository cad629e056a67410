"""`[tui]`, the settings of the terminal interface: apart, for they are needed before all others."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octochat.context.codec.bounds import Duration

Switch: TypeAlias = Literal["auto", "on", "off"]
StatusPart: TypeAlias = Literal[
    "model", "effort", "mode", "sandbox", "context", "cost", "branch", "size", "next", "cache"
]
"""What the status line can show."""


@dataclass(frozen=True, slots=True)
class TuiSettings:
    """`[tui]`: the terminal interface."""

    theme: str = "auto"
    """A theme of Textual's, or "auto": dark or light as the terminal is."""
    keys: Literal["default", "emacs", "vim"] = "default"
    """The keys of the input."""
    status: tuple[StatusPart, ...] = (
        "model",
        "effort",
        "mode",
        "sandbox",
        "context",
        "cost",
        "branch",
    )
    """What the status line shows, in this order. There are also "size", the tokens in the context;
    "next", what the next request costs; "cache", how long the prompt cache lives."""
    low_bandwidth: Switch = "auto"
    """Draw less, for slow connections. "auto": over ssh."""
    bell: bool = True
    """Ring when a long turn ends or a question waits for you."""
    notify: bool = True
    """Also show a desktop notification, if the terminal supports it."""
    notify_after: Duration = "30s"
    """Only for turns that took at least this long."""
    plain: bool = False
    """Plain lines of text, for screen readers. The same as --plain."""
    keep_transcript: bool = True
    """Leave the transcript in the terminal when you leave."""
