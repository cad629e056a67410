"""A program in the model's place: it waits for each request and writes the next answer."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from octochat.models.seat import model as seat
from tests.waiting import until

Line: TypeAlias = str | Callable[[str], str]
"""An answer, or what makes one of the text of `NNNN.new.md`."""


@contextmanager
def seated(folder: Path) -> Generator[Path]:
    """The folder of the seat, looked at without a pause."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(seat.VARIABLE, str(folder))
        patch.setattr(seat, "LOOK", 0)
        yield folder


async def sit(folder: Path, *lines: Line) -> None:
    """Answer as many requests as there are lines."""
    for number, line in enumerate(lines, 1):
        news = await appears(folder / f"{number:04}.new.md")
        write(folder / f"{number:04}.answer.md", line(news) if callable(line) else line)


class _Loop:
    """Lets the other tasks go on."""

    async def pause(self, delay: float) -> None:
        await asyncio.sleep(0)


async def appears(path: Path) -> str:
    """The text of a file as soon as it is there."""
    await until(_Loop(), path.exists, lambda: f"no {path}")
    return _text(path)


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def write(path: Path, text: str) -> None:
    """A file that appears whole."""
    fresh = path.with_name("fresh")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
