"""What must be known before the first paint: lines of text or a screen, and in which colours.

Only that, and read by itself, so that it costs the start next to nothing. A wrong file counts as
none here: whoever opens the session reports it.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

LARGEST = 256 * 1024
"""Bytes of a configuration file that is looked at."""
DUMB = frozenset({"dumb", "unknown"})
"""What `TERM` says of a terminal that can't place a cursor."""


@dataclass(frozen=True, slots=True)
class FirstPaint:
    """What the terminal and the `[tui]` table ask for."""

    plain: bool = False
    """Lines of text only."""
    theme: str = ""
    """The theme's name as it stands there; empty where none is named."""


def first_paint(folder: Path, flag: Path | None, environment: Mapping[str, str]) -> FirstPaint:
    """Read it from the configuration files, laid over each other; `flag` is that of `--config`."""
    said: dict[str, object] = {}
    for path in _files(folder, flag, environment):
        said = {**_said(path), **said}
    plain, theme = said.get("plain"), said.get("theme")
    return FirstPaint(
        plain is True or environment.get("TERM") in DUMB, theme if isinstance(theme, str) else ""
    )


def _files(folder: Path, flag: Path | None, environment: Mapping[str, str]) -> Iterator[Path]:
    """The strongest first."""
    named = flag or environment.get("OCTOCHAT_CONFIG")
    if named:
        yield Path(os.path.expanduser(named))  # noqa: PTH111  of an unknown user it is said later
        return
    from platformdirs import user_config_path  # not needed where a file is named

    yield folder / ".octochat" / "config.toml"
    yield user_config_path("octochat") / "config.toml"


def _said(path: Path) -> dict[str, object]:
    """The `[tui]` table, if it may say anything of this."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return {}  # a pipe or a device would keep the start waiting
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    if "plain" not in text and "theme" not in text:
        return {}
    import tomli  # seldom needed

    try:
        table: object = tomli.loads(text).get("tui")
    except tomli.TOMLDecodeError:
        return {}
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}
