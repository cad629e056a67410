"""The words that Tab offers after a command are those that it takes in this session."""

from pathlib import Path

from octochat.frontends.tui.completed import completed
from tests.offline_session import at_home, opened


async def test_only_modes_that_can_be_had_are_offered(tmp_path: Path) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        (mode,) = (each for each in completed(session, ()) if each.name == "mode")
        assert mode.options == session.dials.modes
        assert "allow-all" not in mode.options
        await session.close()
