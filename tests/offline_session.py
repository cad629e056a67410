"""A session as the command line would open it, with the offline model, in a folder of its own."""

from collections.abc import Generator
from contextlib import aclosing, contextmanager
from pathlib import Path

import pytest

from octochat.commands.base import Report, Shown
from octochat.commands.execute import execute, understood
from octochat.models import offline
from octochat.permissions.ask import Headless
from octochat.session.build import open_session
from octochat.session.options import Options
from octochat.session.session import Session


@contextmanager
def at_home(folder: Path) -> Generator[Path]:
    """A home in `folder`, without a key; the working folder in it; the model speaks quickly."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCTOCHAT_DATA_DIR", str(folder / "data"))
        patch.setenv("TMPDIR", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        for name in ("API_KEY", "AUTH_TOKEN", "BASE_URL"):
            patch.delenv(f"ANTHROPIC_{name}", raising=False)
        patch.setattr(offline, "PACE", 0.001)
        patch.chdir(work)
        yield work


def opened(work: Path, resume: str | None = None) -> Session:
    """A session of the offline model, new or resumed."""
    return open_session(Options(work, model="offline", resume=resume), Headless())


async def told(session: Session, words: str) -> list[Shown]:
    """All that is shown when it is said."""
    async with aclosing(execute(session, understood(words))) as stream:
        return [item async for item in stream]


async def answered(session: Session, words: str) -> str:
    """The text of the one report that comes of a command."""
    items = await told(session, words)
    assert len(items) == 1, items
    assert isinstance(items[0], Report), items
    return items[0].text
