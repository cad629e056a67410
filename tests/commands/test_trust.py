"""`/trust`: the person sees what a project's configuration says before it counts."""

from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.commands.base import Report
from octochat.commands.execute import execute, understood
from octochat.config.load import ANSWERS, load, project_file, user_file
from tests.e2e.home import Home, home


async def said(at: Home, line: str) -> str:
    session = at.open(model="offline")
    async with aclosing(execute(session, understood(line))) as stream:
        told = [item.text async for item in stream if isinstance(item, Report)]
    notices = session.notices
    await session.close()
    return "\n".join((*told, *notices))


async def test_where_the_environment_names_the_file_nothing_is_asked_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path, config="")
    at.enter(monkeypatch)
    own = tmp_path / "own.toml"
    own.write_text("")
    monkeypatch.setenv("OCTOCHAT_CONFIG", str(own))
    for line in ("/trust", "/trust no"):
        assert f"OCTOCHAT_CONFIG names the only file that counts: {own}" in await said(at, line)
    assert not user_file().with_name(ANSWERS).exists()


async def test_a_project_is_taken_only_as_it_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = home(tmp_path, config="max_cost = 1.0")
    at.enter(monkeypatch)
    project = project_file(at.project)
    project.parent.mkdir()
    project.write_text('max_cost = 100.0\nmodel = "x"\n')
    shown = await said(at, "/trust")
    assert "  max_cost\n" in shown
    assert '  model = "x"\n' in shown
    assert "nobody has trusted it: model, max_cost" in shown
    number = load(at.project).digest[:8]
    assert f"/trust yes {number} takes" in shown
    assert "Usage" in await said(at, "/trust yes")
    project.write_text("max_cost = 900.0\n")
    assert "Usage" in await said(at, f"/trust yes {number}")
    assert load(at.project).config.max_cost == 1.0
    number = load(at.project).digest[:8]
    assert "is taken from the next start on" in await said(at, f"/trust yes {number}")
    assert load(at.project).config.max_cost == 900.0
    assert await said(at, "/trust") == "Nothing of this folder's configuration is left out."
    assert "is not taken" in await said(at, "/trust no")
    assert load(at.project).config.max_cost == 1.0
