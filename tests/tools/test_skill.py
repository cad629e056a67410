"""The `skill` tool: what the model hears, and what happens to the session."""

from pathlib import Path

import pytest

from octochat.context.session.content import Text
from octochat.context.session.events import Entry, Event, Opened, SkillForgotten, SkillLoaded
from octochat.context.session.state import State, replay
from octochat.permissions.ask import ignore_trouble
from octochat.skills.skill_file import Skill
from octochat.skills.skills import Skills, discover, shipped
from octochat.tools.base import ToolError
from octochat.tools.skill import SkillTool


@pytest.fixture(scope="module")
def skills() -> Skills:
    return discover([shipped()])


def state(*events: Event) -> State:
    return replay([Entry(n, 0.0, 1, e) for n, e in enumerate((Opened("m", "s"), *events), 1)])


async def used(
    skills: Skills, now: State, action: str, name: str = ""
) -> tuple[str, tuple[Event, ...]]:
    tool = SkillTool(skills, lambda: now)
    arguments = {"action": action, "name": name}
    output = await tool.run(arguments, tool.access(arguments), ignore_trouble)
    block = output.content[0]
    assert isinstance(block, Text)
    return block.text, output.events


ACTIVE = SkillLoaded("debugging", "text")


async def test_use_brings_the_text_once(skills: Skills) -> None:
    said, events = await used(skills, state(), "use", "debugging")
    assert said == "The skill debugging is active now."
    assert [type(event) for event in events] == [SkillLoaded]
    said, events = await used(skills, state(ACTIVE), "use", "debugging")
    assert (said, events) == ("The skill debugging is active already.", ())


async def test_after_it_was_forgotten_use_brings_it_again(skills: Skills) -> None:
    _, events = await used(skills, state(ACTIVE, SkillForgotten("debugging")), "use", "debugging")
    assert [type(event) for event in events] == [SkillLoaded]


async def test_forget_says_when_the_text_goes(skills: Skills) -> None:
    said, events = await used(skills, state(ACTIVE), "forget", "debugging")
    assert "the next compression removes it" in said
    assert events == (SkillForgotten("debugging"),)


async def test_forget_without_a_name_means_the_only_active_skill(skills: Skills) -> None:
    said, events = await used(skills, state(ACTIVE), "forget")
    assert said.startswith("The skill debugging is no longer active")
    assert events == (SkillForgotten("debugging"),)
    with pytest.raises(ToolError, match="No skill is active"):
        await used(skills, state(), "forget")


async def test_forget_without_a_name_lists_the_forms_where_several_are_active(
    skills: Skills,
) -> None:
    both = state(ACTIVE, SkillLoaded("git-commit", "text"))
    forms = r"2 skills are active.*skill\(forget debugging\) or skill\(forget git-commit\)"
    with pytest.raises(ToolError, match=forms):
        await used(skills, both, "forget")


async def test_list_marks_the_active_ones(skills: Skills) -> None:
    said, events = await used(skills, state(ACTIVE), "list")
    assert "- debugging (active): " in said
    assert "- git-commit: " in said
    assert events == ()


@pytest.mark.parametrize(
    ("action", "name", "words"),
    [
        ("use", "nothing", "There is no skill 'nothing'. There are: .*debugging"),
        ("forget", "debugging", "is not active. Active: none"),
        ("dance", "", "action must be list, search, use or forget"),
    ],
)
async def test_what_cannot_be_done_is_said(
    skills: Skills, action: str, name: str, words: str
) -> None:
    with pytest.raises(ToolError, match=words):
        await used(skills, state(), action, name)


async def test_a_search_names_the_skills_that_fit_and_says_where_none_does(skills: Skills) -> None:
    said, events = await used(skills, state(ACTIVE), "search", "debug a failing test")
    assert "- debugging (active): " in said
    assert "- git-commit" not in said
    assert events == ()
    said, _ = await used(skills, state(), "search", "zeppelin")
    assert said == "No skill fits 'zeppelin'; `list` shows all."


async def test_where_there_are_many_only_those_near_a_wrong_name_are_told() -> None:
    many = Skills(tuple(Skill(f"skill-{n}", f"About {n}", Path("/s"), "") for n in range(40)))
    with pytest.raises(ToolError, match=r"There is no skill 'skill 99'. Near it: skill-0, "):
        await used(many, state(), "use", "skill 99")


async def test_a_name_that_is_null_is_none(skills: Skills) -> None:
    tool = SkillTool(skills, lambda: state(ACTIVE))
    arguments = {"action": "forget", "name": None}
    output = await tool.run(arguments, tool.access(arguments), ignore_trouble)
    assert output.events == (SkillForgotten("debugging"),)
