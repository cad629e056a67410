"""Custom commands and skills as slash commands: docs/custom-commands.md."""

from contextlib import aclosing
from pathlib import Path

import pytest

from octochat.commands.base import Refused, Report, Shown
from octochat.commands.execute import commands_of, execute, shadowed, understood
from octochat.context.session.content import plain_text
from octochat.context.session.events import ModelChanged, Prompted, SkillLoaded
from octochat.session.session import Session
from tests.e2e.home import Home, home


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = home(tmp_path / "someone")
    made.enter(monkeypatch)
    return made


def own(at: Home, name: str, text: str) -> Path:
    """A command of the person's."""
    return _written(at.settings.parent / "commands" / f"{name}.md", text)


def project(at: Home, name: str, text: str) -> Path:
    return _written(at.project / ".claude" / "commands" / f"{name}.md", text)


def _written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def opened(at: Home) -> Session:
    return at.open(model="offline")


async def shown(session: Session, words: str) -> list[Shown]:
    async with aclosing(execute(session, understood(words, session))) as stream:
        return [item async for item in stream]


async def refused(session: Session, words: str) -> str:
    (item,) = await shown(session, words)
    assert isinstance(item, Refused)
    return item.text


def prompt(session: Session) -> str:
    """What was said last."""
    said = [e.event for e in session.engine.log.entries if isinstance(e.event, Prompted)]
    return plain_text(said[-1].blocks)


async def test_its_text_is_said_with_the_arguments(at: Home) -> None:
    own(
        at,
        "fix",
        "---\ndescription: Fix it\nargument-hint: [issue] [how]\n---\nFix #$1 $2: $ARGUMENTS",
    )
    session = opened(at)
    await shown(session, '/fix 12 "very fast"')
    assert prompt(session) == 'Fix #12 very fast: 12 "very fast"'
    (spec,) = [each for each in commands_of(session) if each.name == "fix"]
    assert (spec.usage, spec.help) == ("[issue] [how]", "Fix it")
    (listed,) = await shown(session, "/help")
    assert isinstance(listed, Report)
    assert "/fix [issue] [how]" in listed.text
    assert not [notice for notice in session.notices if "fix" in notice]
    await session.close()


async def test_arguments_without_a_place_follow_the_text(at: Home) -> None:
    own(at, "look", "Look around.")
    session = opened(at)
    await shown(session, "/look in src")
    assert prompt(session) == "Look around.\n\nArguments: in src"
    await session.close()


async def test_folders_are_a_part_of_the_name_and_the_project_wins(at: Home) -> None:
    own(at, "web/page", "Mine.")
    project(at, "web/page", "The project's.")
    _written(Path.home() / ".claude" / "commands" / "notes.md", "Take notes.")
    session = opened(at)
    assert {each.name for each in session.custom.commands} == {"web:page", "notes"}
    await shown(session, "/web:page")
    assert prompt(session) == "The project's."
    await session.close()


async def test_octochats_own_command_wins_and_that_is_said(at: Home) -> None:
    file = own(at, "help", "Not this.")
    session = opened(at)
    assert "Not this" not in str(await shown(session, "/help"))
    assert shadowed(session) == [
        f"/help is octochat's own command, so the one in {file} can't be called."
    ]
    await session.close()


async def test_what_is_odd_is_said_once_and_the_rest_works(at: Home) -> None:
    file = own(at, "odd", "---\ndescription: Odd\ncolour: red\n---\nBe odd.")
    bad = own(at, "bad", "---\ndescription: [a\nx: : y\n---\nBe bad.")
    session = opened(at)
    notices = "\n".join(session.notices)
    assert f'{file}: the key "colour" means nothing here.' in notices
    assert f"{bad}: its front matter is no YAML" in notices
    await shown(session, "/odd")
    assert prompt(session) == "Be odd."
    await shown(session, "/bad")
    assert prompt(session) == "Be bad."
    await session.close()


async def test_what_its_lines_print_and_its_files_say_goes_along(at: Home) -> None:
    own(
        at,
        "state",
        "---\nallowed-tools: Bash(touch:*)\n---\n"
        "It says !`touch a; cat a; echo hi $1`. See @notes.txt, @none",
    )
    session = opened(at)
    await shown(session, "/state you")
    assert "It says hi you. See @notes.txt, @none" in prompt(session)
    assert "notes.txt:\n1\tnote 0: TODO" in prompt(session)
    assert (at.project / "a").exists()
    await session.close()


async def test_a_line_is_asked_about_like_any_other_command(at: Home) -> None:
    own(at, "make", "!`touch made`")
    session = opened(at)
    told = await refused(session, "/make")
    assert told.startswith("/make was not sent: `touch made`: this run allows no questions")
    assert not (at.project / "made").exists()
    await session.close()


async def test_an_argument_is_no_line_and_slips_through_no_rule(at: Home) -> None:
    own(at, "say", "---\nallowed-tools: Bash(echo:*)\n---\n$ARGUMENTS")
    own(at, "echo", "---\nallowed-tools: Bash(echo:*)\n---\n!`echo $1`")
    session = opened(at)
    await shown(session, "/say !`touch made`")
    assert prompt(session) == "!`touch made`"
    assert "was not sent" in await refused(session, "/echo 'x; touch made'")
    assert not (at.project / "made").exists()
    await session.close()


async def test_what_it_allows_holds_for_its_turn_only(at: Home) -> None:
    own(at, "ok", "---\nallowed-tools: Bash(touch:*), Nonsense(\n---\nDone: !`touch one`.")
    own(at, "no", "!`touch two`")
    session = opened(at)
    await shown(session, "/ok")
    assert (at.project / "one").exists()
    assert session.dials.permissions.rules.allow == ()
    assert "was not sent" in await refused(session, "/no")
    await session.close()


async def test_an_unknown_projects_commands_only_speak_until_they_are_trusted(at: Home) -> None:
    file = project(at, "run", "---\nallowed-tools: Bash(touch:*)\n---\nDone: !`touch made`.")
    project(at, "talk", "Talk.")
    session = opened(at)
    assert any("/run. /trust shows and takes it." in notice for notice in session.notices)
    assert "nobody has trusted" in await refused(session, "/run")
    await shown(session, "/talk")
    assert prompt(session) == "Talk."
    (claim,) = session.claims()
    assert claim.wants == ("/run: runs `touch made`, allows Bash(touch:*)",)
    (told,) = await shown(session, f"/trust yes {claim.number}")
    assert isinstance(told, Report)
    await session.close()
    trusting = opened(at)
    await shown(trusting, "/run")
    assert (at.project / "made").exists()
    await trusting.close()
    file.write_text(file.read_text() + "\n!`touch more`")
    changed = opened(at)
    assert "nobody has trusted" in await refused(changed, "/run")
    await changed.close()


async def test_the_model_of_a_command_is_for_its_turn_only(at: Home) -> None:
    own(at, "quick", "---\nmodel: haiku\n---\nBe quick.")
    session = opened(at)
    items = await shown(session, "/quick")
    assert any("wants the model haiku, which can't answer here" in str(item) for item in items)
    assert prompt(session) == "Be quick."
    assert not [e for e in session.engine.log.entries[2:] if isinstance(e.event, ModelChanged)]
    await session.close()


async def test_a_skill_may_be_called_unless_it_says_no(at: Home) -> None:
    for name, more in (("tidy", "argument-hint: FILE\n"), ("inner", "user-invocable: false\n")):
        text = f"---\nname: {name}\ndescription: It is for {name}\n{more}---\nDo it."
        _written(at.project / ".claude" / "skills" / name / "SKILL.md", text)
    session = opened(at)
    names = {each.name: each for each in commands_of(session)}
    assert "inner" not in names
    assert (names["tidy"].usage, names["tidy"].help) == ("FILE", "It is for tidy")
    await shown(session, "/tidy a.txt")
    assert prompt(session) == "Use the skill tidy for this: a.txt"
    assert any(isinstance(e.event, SkillLoaded) for e in session.engine.log.entries)
    await session.close()


async def test_one_that_is_typed_before_the_session_is_there_works(at: Home) -> None:
    own(at, "look", "Look around.")
    session = opened(at)
    async with aclosing(execute(session, understood("/look"))) as stream:
        assert [item async for item in stream]
    assert prompt(session) == "Look around."
    await session.close()
