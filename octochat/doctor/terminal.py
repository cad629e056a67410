"""The terminal as the environment describes it: encoding, colours, keys, clipboard, pictures.

Nothing is written to it and nothing is asked of it.
"""

import shutil
from collections.abc import Iterator, Mapping

from octochat.doctor.finding import Finding, fault, note

_DUMB = ("dumb", "unknown")
_KEYS = ("kitty", "ghostty", "wezterm", "iterm", "foot", "alacritty", "rio", "vscode")
"""Parts of the names of terminals that tell Shift+Enter from Enter."""
_TOOLS = ("wl-copy", "xclip", "xsel", "pbcopy", "clip.exe")
_AREA = "terminal"


def terminal_findings(environment: Mapping[str, str]) -> Iterator[Finding]:
    """What works in it."""
    name = environment.get("TERM_PROGRAM") or environment.get("TERM", "")
    if environment.get("TERM", "") in _DUMB:
        yield fault(
            _AREA,
            f"TERM={environment['TERM']}: no cursor can be placed, so the chat is plain lines",
            "In a terminal that can, set TERM to its name, such as xterm-256color.",
        )
    yield _encoding(environment)
    yield _colours(environment)
    yield _keyboard(name.lower(), environment)
    yield _clipboard(environment)
    yield Finding(_AREA, "pictures: the model sees those that you paste or name; none is drawn")


def _encoding(environment: Mapping[str, str]) -> Finding:
    variable = next((v for v in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(v)), "")
    locale = environment.get(variable, "")
    if not locale or locale.lower().replace("-", "").endswith("utf8"):
        return Finding(_AREA, f"text: UTF-8{f' ({variable}={locale})' if locale else ''}")
    return fault(
        _AREA,
        f"text: {variable}={locale} is not UTF-8: lines and letters may show as ?",
        f"Set {variable} to one of `locale -a` that ends with utf8, such as C.UTF-8.",
    )


def _colours(environment: Mapping[str, str]) -> Finding:
    if "NO_COLOR" in environment:
        return note(_AREA, "colours: none, as NO_COLOR wants it")
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Finding(_AREA, "colours: all")
    if "256" in environment.get("TERM", ""):
        return Finding(_AREA, "colours: 256; with COLORTERM=truecolor all, if it can show them")
    return note(
        _AREA, "colours: few", "Set TERM=xterm-256color or COLORTERM=truecolor if it has more."
    )


def _keyboard(name: str, environment: Mapping[str, str]) -> Finding:
    if environment.get("TMUX"):
        return note(
            _AREA,
            "keys: tmux hands on Shift+Enter and the like only if it is told to",
            "In ~/.tmux.conf: set -s extended-keys on. Ctrl+J always makes a new line.",
        )
    if any(each in name for each in _KEYS) or environment.get("KITTY_WINDOW_ID"):
        return Finding(_AREA, f"keys: {name} can tell Shift+Enter from Enter")
    return note(
        _AREA, "keys: this terminal may not tell Shift+Enter from Enter", "Use Ctrl+J instead."
    )


def _clipboard(environment: Mapping[str, str]) -> Finding:
    path = environment.get("PATH")
    tools = [name for name in _TOOLS if shutil.which(name, path=path)]
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY") or not tools:
        return Finding(_AREA, "clipboard: through the terminal (OSC 52), if it allows that")
    return Finding(_AREA, f"clipboard: through the terminal (OSC 52), and {tools[0]}")
