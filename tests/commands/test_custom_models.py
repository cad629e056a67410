"""What custom commands and skills say of models, seen on the wire: docs/custom-commands.md."""

from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.commands.execute import commands_of, execute, understood
from octochat.context.session.events import ModelChanged, SkillLoaded
from octochat.session.session import Session
from tests.e2e.home import home
from tests.e2e.wire import answers
from tests.server import Call, ClaudeServer, reply


async def said(session: Session, words: str) -> None:
    async with aclosing(execute(session, understood(words, session))) as stream:
        async for _ in stream:
            pass


async def test_a_command_is_answered_by_its_model_and_what_follows_by_the_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer() as api:
        api.default = answers
        at = home(tmp_path / "someone", api.env)
        at.enter(monkeypatch)
        file = at.settings.parent / "commands" / "quick.md"
        file.parent.mkdir(parents=True)
        file.write_text("---\nmodel: haiku\n---\nBe quick.")
        session = at.open(model="claude-sonnet-5")
        for words in ("hello", "/quick", "and now"):
            await said(session, words)
        models = [body["model"] for body in api.requests]
        events = (entry.event for entry in session.engine.log.entries)
        changes = [each.model for each in events if isinstance(each, ModelChanged)]
        assert models[0] == models[2] == "claude-sonnet-5"
        assert models[1].startswith("claude-haiku-")
        assert changes == [models[1], "claude-sonnet-5"]
        await session.close()
        again = at.open(resume=session.engine.log.id)
        assert again.engine.state.model == "claude-sonnet-5"
        await again.close()
        assert api.refusals == []


async def test_a_skill_that_is_not_for_the_model_is_for_the_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ClaudeServer() as api:
        api.default = answers
        at = home(tmp_path / "someone", api.env)
        at.enter(monkeypatch)
        for name, more in (("tidy", ""), ("ship", "disable-model-invocation: true\n")):
            file = at.project / ".claude" / "skills" / name / "SKILL.md"
            file.parent.mkdir(parents=True)
            file.write_text(f"---\nname: {name}\ndescription: It is for {name}\n{more}---\nDo it.")
        session = at.open(model="claude-sonnet-5")
        api.then(reply(Call("skill", {"action": "use", "name": "ship"})))
        await said(session, "ship it")
        system = str(api.requests[0]["system"])
        assert "It is for tidy" in system
        assert "It is for ship" not in system
        assert "There is no skill 'ship'" in str(api.requests[1]["messages"])
        assert "ship" in {each.name for each in commands_of(session)}
        await said(session, "/ship now")
        loaded = [e.event for e in session.engine.log.entries if isinstance(e.event, SkillLoaded)]
        assert [each.name for each in loaded] == ["ship"]
        await session.close()
        assert api.refusals == []
