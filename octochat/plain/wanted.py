"""Whether lines of text are wanted. Only that, so that it costs the other interface no time."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

DUMB = frozenset({"dumb", "unknown"})
"""What `TERM` says of a terminal that can't place a cursor."""


def plain_wanted(folder: Path, flag: Path | None, environment: Mapping[str, str]) -> bool:
    """Whether the terminal or `[tui] plain` ask for it. A wrong file counts as none here.

    `flag` is what `--config` says. The files are those of `config.py`, the strongest first.
    """
    if environment.get("TERM") in DUMB:
        return True
    for path in _files(folder, flag, environment):
        said = _said(path)
        if said is not None:
            return said
    return False


def _files(folder: Path, flag: Path | None, environment: Mapping[str, str]) -> Iterator[Path]:
    named = flag or environment.get("OCTOCHAT_CONFIG")
    if named:
        yield Path(named).expanduser()
        return
    from platformdirs import user_config_path  # noqa: PLC0415  # not needed where a file is named

    yield folder / ".octochat" / "config.toml"
    yield user_config_path("octochat") / "config.toml"


def _said(path: Path) -> bool | None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if "plain" not in text:
        return None
    import tomli  # noqa: PLC0415  # seldom needed

    try:
        table: object = tomli.loads(text).get("tui")
    except tomli.TOMLDecodeError:
        return None
    said = cast("dict[str, object]", table).get("plain") if isinstance(table, dict) else None
    return said if isinstance(said, bool) else None
