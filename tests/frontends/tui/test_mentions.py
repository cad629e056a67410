"""Resources of servers, completed behind `@SERVER:` in the input: docs/mcp.md."""

from pathlib import Path

from octochat.context.session.content import plain_text
from octochat.context.session.events import Prompted
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.completion import Mention, mention_choices
from tests.frontends.tui.stage import on_stage
from tests.frontends.tui.test_between_turns import configured
from tests.mcp_servers.serving import stdio

TODAY = Mention("git", "note://today", "what is on")
HOUR = Mention("git", "note://{day}/{hour}", "at an hour")
WEB = Mention("web", "https://x/a b", "a page")


def labels(letters: str) -> list[tuple[str, str]]:
    return [(c.insert, c.label) for c in mention_choices(letters, (TODAY, HOUR, WEB))]


def test_first_comes_the_server_then_what_it_has() -> None:
    assert labels("") == [("@git:", "git:"), ("@web:", "web:")]
    assert labels("G") == [("@git:", "git:")]
    assert labels("git:") == [
        ("@git:note://today ", "git:note://today"),
        ("@git:note://", "git:note://{day}/{hour}"),
    ]
    assert labels("git:TODAY") == [("@git:note://today ", "git:note://today")]
    assert labels("git:hour") == [("@git:note://", "git:note://{day}/{hour}")]
    assert labels("web:") == [('@"web:https://x/a b" ', "web:https://x/a b")]
    assert labels("none:") == labels("x") == []


async def test_what_is_completed_is_sent_along(tmp_path: Path) -> None:
    configured(tmp_path, stdio("git", 1))
    async with on_stage(tmp_path) as stage:
        servers = stage.session.servers
        assert servers
        await stage.until(lambda: servers.standing[0].status == "ready")
        choices = stage.app.prompt.query_one(Choices)
        stage.app.prompt.editor.focus()
        await stage.pilot.press(*"read @gi")
        await stage.until(lambda: [row.label for row in choices.rows] == ["git:"])
        assert choices.rows[0].help == "2 resources"
        await stage.pilot.press("tab")
        await stage.until(lambda: len(choices.rows) == 2)
        await stage.pilot.press(*"today")
        await stage.until(lambda: len(choices.rows) == 1)
        await stage.pilot.press("tab")
        assert stage.app.prompt.editor.text == "read @git:note://today "
        await stage.pilot.press("enter")
        await stage.rest()
        events = (entry.event for entry in stage.session.engine.log.entries)
        (said,) = [event for event in events if isinstance(event, Prompted)]
        assert "tests, tests, tests" in plain_text(said.blocks)
