"""`/review` and `/init`: what the model is asked for."""

from pathlib import Path

import pytest

from octochat.context.session.content import plain_text
from octochat.context.session.events import Prompted
from tests.offline_session import at_home, opened, told


async def asked(tmp_path: Path, command: str) -> str:
    """What the model is asked when a person says it."""
    with at_home(tmp_path) as work:
        session = opened(work)
        await told(session, command)
        (said,) = [e.event for e in session.engine.log.entries if isinstance(e.event, Prompted)]
        await session.close()
        return plain_text(said.blocks)


@pytest.mark.parametrize(
    ("command", "what"), [("/review", "git diff HEAD"), ("/review feature-x", "this: feature-x\n")]
)
async def test_a_review_is_of_what_was_named_and_changes_nothing(
    tmp_path: Path, command: str, what: str
) -> None:
    request = await asked(tmp_path, command)
    assert what in request
    assert "Change nothing." in request


async def test_a_file_with_instructions_is_written_where_there_is_none(tmp_path: Path) -> None:
    request = await asked(tmp_path, "/init mind the deadlines")
    assert request.startswith("Write AGENTS.md")
    assert request.endswith("mind the deadlines")


async def test_one_that_is_there_is_improved_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "AGENTS.md").write_text("# Ours\n", "utf-8")
    request = await asked(tmp_path, "/init")
    assert f"Improve {tmp_path / 'work' / 'AGENTS.md'}" in request
    assert "do not write it anew" in request
