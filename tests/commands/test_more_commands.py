"""Commands that are known only while a session goes on stand beside octochat's own."""

from pathlib import Path

import pytest

from octochat.commands import execute
from octochat.commands.base import Command, Report, Shown, simple
from octochat.commands.typed import SessionCommand, UnknownCommand
from octochat.session.session import Session
from tests.offline_session import at_home, opened


def _answer(_session: Session, rest: str) -> Shown:
    return Report(f"found {rest}")


FOUND = Command("found", "[WORD]", "known only here", simple(_answer))
FALSE_HELP = Command("help", "", "not the real one", simple(_answer))


def _found(_session: Session) -> tuple[Command, ...]:
    return FOUND, FALSE_HELP


@pytest.fixture
def more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "MORE_COMMANDS", (_found,))


@pytest.mark.usefixtures("more")
async def test_a_command_of_a_source_is_understood_listed_and_never_hides_one_of_octochats(
    tmp_path: Path,
) -> None:
    with at_home(tmp_path) as work:
        session = opened(work)
        assert execute.understood("/found it", session) == SessionCommand(FOUND, "it")
        assert isinstance(execute.understood("/found it"), UnknownCommand)
        told = [item async for item in execute.execute(session, execute.understood("/help"))]
        await session.close()
    listing = told[0]
    assert isinstance(listing, Report)
    assert "/found [WORD]" in listing.text
    assert "not the real one" not in listing.text
