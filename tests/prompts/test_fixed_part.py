"""What every request begins with stays short: the system prompt and the tools."""

from pathlib import Path
from tempfile import TemporaryDirectory

from octochat.models.tokens.request_sizes import RequestPart, fixed_parts
from tests.offline_session import answered, at_home, opened

MOST = 2_600
"""Tokens, as Claude 4.6 counts them; instructions and skills are apart."""
COUNTED_BY = "claude-sonnet-4-6"


async def fixed(folder: Path) -> tuple[list[RequestPart], str]:
    """The parts, in a repository whose project shows Python, and what `/context` says."""
    with at_home(folder) as work:
        (work / "AGENTS.md").write_text("Be kind. " * 1_000)
        (work / "setup.py").write_text("")
        session = opened(work)
        session.ruler.model = COUNTED_BY
        view = session.engine.state.view
        parts = fixed_parts(view.system, view.tools, session.ruler)
        said = await answered(session, "/context")
        await session.close()
    return [part for part in parts if not part.within or part.within == "system"], said


async def test_every_request_begins_with_no_more_than_is_allowed() -> None:
    with TemporaryDirectory() as folder:  # its name is told, and counts
        parts, _ = await fixed(Path(folder))
    assert sum(part.tokens for part in parts) <= MOST, parts


async def test_the_context_report_has_it_by_section(tmp_path: Path) -> None:
    parts, said = await fixed(tmp_path)
    total = sum(part.tokens for part in parts)
    assert f"Every request begins with {total:,} tokens, besides instructions and skills:" in said
    names = [part.name for part in parts]
    assert names[:3] == ["tools", "Opening", "How to work"]
    assert "Where you are" in names
    for part in parts:
        assert f"  {part.name:<42}{part.tokens:>7,}" in said, said
    assert "(recall " in said
