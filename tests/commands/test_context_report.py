"""`/context` says what instructions and skills cost."""

from pathlib import Path

from tests.offline_session import answered, at_home, opened


async def test_each_file_with_instructions_and_the_list_of_skills_have_their_sizes(
    tmp_path: Path,
) -> None:
    with at_home(tmp_path) as work:
        (work / "AGENTS.md").write_text("Be kind to the tests. " * 100)
        session = opened(work)
        said = await answered(session, "/context")
        rows = dict(line.rsplit(maxsplit=1) for line in said.splitlines() if line.strip())
        assert 400 < int(rows["  AGENTS.md"].replace(",", "")) < 1_200
        assert 100 < int(rows["  list of skills"].replace(",", "")) < 1_200
        await session.close()
