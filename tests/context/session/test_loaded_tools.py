"""Tools that are shown in the course of a session: how they are sent, and how long they stay."""

from dataclasses import replace

import pytest

from octochat.context.session.content import Message, Opaque, Said, Text, ToolCall, ToolResult
from octochat.context.session.edits import Fold, ResultTrim
from octochat.context.session.events import (
    Condensed,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    TaskEnded,
    ToolLoaded,
    ToolWithdrawn,
)
from octochat.context.session.loaded_tools import described, reference
from octochat.context.session.state import State
from octochat.context.session.tool_definition import ToolDefinition, declared
from octochat.context.session.validity import problems
from tests.build import Story

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}
FIND = ToolDefinition("find_tools", "Finds tools.", SCHEMA)
CALL = ToolDefinition("call_tool", "Calls one.", SCHEMA, offer="instead")
ISSUE = ToolDefinition("mcp__git__issue", "Opens an issue.", SCHEMA, offer="deferred")
LATE = ToolDefinition("mcp__web__fetch", "Fetches a page.", SCHEMA, offer="deferred")


def story(*events: Event) -> Story:
    """A session with one declared tool that can be loaded, and what happened in it."""
    told = Story()
    told.entries.clear()
    for event in (Opened("m", "system", (FIND, CALL, ISSUE)), *events):
        told.add(100, event)
    return told


def searched(*tools: ToolDefinition, call: str = "f1") -> tuple[Event, ...]:
    """The model looks for tools, and these are found."""
    return (
        Prompted((Text("open an issue"),)),
        Replied((ToolCall(call, "find_tools", {"query": "issue"}),), "tool_use", model="m"),
        Returned(call, tuple(reference(tool.name) for tool in tools)),
        *(ToolLoaded(t, t.name.split("__")[1], t.name.split("__")[2], call) for t in tools),
    )


def called(name: str, call: str = "c1", **arguments: object) -> tuple[Event, ...]:
    """The model calls a tool, which answers."""
    return (
        Replied((ToolCall(call, name, arguments),), "tool_use", model="m"),
        Returned(call, (Text("done"),)),
    )


DONE = Replied((Text("It is done."),), model="m")


def messages(state: State, *, defers: bool) -> tuple[Message, ...]:
    made = state.view.messages("m", binds=False, efforts=defers, defers=defers)
    more = (Message("user", (Text("go on"),)),) if made[-1].role == "assistant" else ()
    assert problems((*made, *more)) == ()
    return made


def changes(made: tuple[Message, ...]) -> list[tuple[str, str]]:
    """What the messages of the system offer and withdraw, and how."""
    raws = [b.raw for m in made if m.role == "system" for b in m.blocks if isinstance(b, Opaque)]
    return [(str(raw["type"]), str(dict(raw["tool"])["type"])) for raw in raws]  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownArgumentType]


def words(made: tuple[Message, ...]) -> str:
    said = [b for m in made if m.role == "user" for b in m.blocks]
    shown = [c for b in said if isinstance(b, ToolResult) for c in b.content]
    return "\n".join(b.text for b in (*said, *shown) if isinstance(b, Text))


def folded(told: Story, first: int, last: int) -> State:
    """The session after the units from one number to another became a note."""
    keep = tuple(u.id for u in told.state.view.units if u.id in told.state.kept)
    fold = Fold(first, last, (Text("what was done"),), tuple(k for k in keep if first <= k <= last))
    return told.condensed(Condensed("test", "why", 1_000, 900, fold)).state


def test_a_request_declares_what_the_model_can_make_use_of() -> None:
    tools = (FIND, CALL, ISSUE)
    assert declared(tools, defers=True) == (FIND, ISSUE)
    assert declared(tools, defers=False) == (FIND, CALL)


def test_a_declared_tool_is_shown_by_the_reference_in_the_result_and_by_nothing_else() -> None:
    made = messages(story(*searched(ISSUE)).state, defers=True)
    assert made[-1].blocks == (ToolResult("f1", (reference(ISSUE.name),)),)
    assert changes(made) == []


def test_a_tool_that_is_not_declared_is_defined_where_it_is_loaded() -> None:
    made = messages(story(*searched(LATE)).state, defers=True)
    assert changes(made) == [("tool_addition", "tool_definition")]
    assert made[-1].role == "system"
    assert "tool_reference" not in str(made[-2])


def test_a_model_that_cant_load_tools_reads_the_definition_in_the_result() -> None:
    made = messages(story(*searched(ISSUE)).state, defers=False)
    assert changes(made) == []
    assert '"server":"git","tool":"issue"' in words(made)
    assert words(made).count("Opens an issue.") == 1


def test_a_loaded_tool_that_was_called_is_announced_again_behind_a_fold() -> None:
    told = story(*searched(ISSUE), *called(ISSUE.name), DONE, *searched(LATE, call="f2"), DONE)
    units = told.state.view.units
    state = folded(told, units[0].id, units[-2].id)
    assert [tool.name for tool in state.tools] == [ISSUE.name]
    made = messages(state, defers=True)
    assert changes(made) == [("tool_addition", "tool_reference")]
    assert "Opens an issue." in words(messages(state, defers=False))
    assert "Fetches a page." not in words(messages(state, defers=False))


def test_a_tool_that_nobody_calls_between_two_folds_goes_with_the_second() -> None:
    told = story(*searched(ISSUE), *called(ISSUE.name), DONE)
    folded(told, told.state.view.units[0].id, told.state.view.units[-2].id)
    told.say().reply()
    units = told.state.view.units
    state = folded(told, units[0].id, units[-2].id)
    assert state.tools == ()
    assert changes(messages(state, defers=True)) == []


def test_of_several_calls_one_is_enough_and_a_reply_without_any_is_no_use() -> None:
    told = story(*searched(ISSUE), DONE)
    assert not told.state.tools[0].used
    both = ToolCall("c1", "find_tools", {}), ToolCall("c2", ISSUE.name, {})
    assert told.add(10, Replied(both, "tool_use", model="m")).state.tools[0].used


def test_a_tool_in_use_whose_definition_changes_stays_in_use_and_is_one() -> None:
    changed = replace(ISSUE, description="Opens an issue, with labels.")
    told = story(*searched(ISSUE), *called(ISSUE.name), *searched(changed, call="f2"))
    (tool,) = told.state.tools
    assert tool.used
    assert tool.unit in told.state.kept


def test_a_call_by_the_names_of_server_and_tool_counts_as_use() -> None:
    by_name = called("call_tool", server="git", tool="issue", arguments={})
    told = story(*searched(ISSUE), *by_name, DONE)
    assert told.state.tools[0].used
    other = called("call_tool", server="git", tool="other", arguments={})
    assert not story(*searched(ISSUE), *other, DONE).state.tools[0].used


PAPER = Opaque({"type": "document", "title": "how to"})


@pytest.mark.parametrize("tools", [(ISSUE,), (FIND, ISSUE)], ids=["declared", "and others"])
@pytest.mark.parametrize(
    ("defers", "shown"),
    [
        (True, reference(ISSUE.name)),
        (False, Text(f"{ISSUE.name}: look for it again to see its arguments.")),
    ],
)
def test_a_reference_whose_note_is_gone_is_no_more_than_the_model_can_read(
    tools: tuple[ToolDefinition, ...], defers: bool, shown: Said
) -> None:
    told = Story()
    told.entries.clear()
    told.add(100, Opened("m", "system", tools))
    for event in searched()[:2]:
        told.add(10, event)
    found = (Text("found:"), reference(ISSUE.name), PAPER)
    made = messages(told.add(10, Returned("f1", found)).state, defers=defers)
    assert made[-1].blocks == (ToolResult("f1", (Text("found:"), shown, PAPER)),)


def test_a_reference_to_what_was_withdrawn_or_has_changed_since_is_words() -> None:
    offered = f"{ISSUE.name} is offered from here on."
    gone = ToolWithdrawn(ISSUE.name, "its server is gone")
    told = story(*searched(ISSUE), *called(ISSUE.name), gone, DONE, *searched(ISSUE, call="f2"))
    first, *_, last = (m for m in messages(told.state, defers=True) if "ToolResult" in str(m))
    assert first.blocks == (ToolResult("f1", (reference(ISSUE.name),)),)
    assert last.blocks == (ToolResult("f2", (Text(offered),)),)
    changed = replace(ISSUE, description="Opens an issue, with labels.")
    made = messages(story(*searched(changed)).state, defers=True)
    assert ToolResult("f1", (Text(offered),)) in made[-2].blocks
    assert changes(made) == [("tool_addition", "tool_definition")]


def test_words_for_a_tool_keep_their_letters() -> None:
    event = ToolLoaded(replace(LATE, description="Öffnet eine Seite."), "web", "fetch")
    assert "Öffnet eine Seite." in described(event)
    assert '{"tool":"mcp__web__fetch","description"' in described(replace(event, source=""))


def test_a_result_that_was_trimmed_shows_nothing_so_the_tool_is_announced() -> None:
    told = story(*searched(ISSUE), *called(ISSUE.name), DONE)
    trimmed = told.state.view.trimmed([ResultTrim("f1", "[cleared]", 5)])
    made = trimmed.messages("m", binds=False, defers=True)
    assert changes(made) == [("tool_addition", "tool_reference")]


def test_a_withdrawn_tool_is_removed_once_and_defined_anew_if_it_comes_back_changed() -> None:
    gone = ToolWithdrawn(ISSUE.name, "its server is gone")
    told = story(*searched(ISSUE), *called(ISSUE.name), gone)
    assert changes(messages(told.state, defers=True)) == [("tool_removal", "tool_reference")]
    assert "is gone: its server is gone" in words(messages(told.state, defers=False))
    assert told.state.tools == ()
    changed = ToolDefinition(ISSUE.name, "Opens an issue, with labels.", SCHEMA, offer="deferred")
    told.add(0, DONE)
    for event in searched(changed, call="f2"):
        told.add(100, event)
    made = changes(messages(told.state, defers=True))
    assert made == [("tool_removal", "tool_reference"), ("tool_addition", "tool_definition")]


def test_a_tool_that_is_not_offered_is_not_removed() -> None:
    told = story(Prompted((Text("hello"),)), ToolWithdrawn(ISSUE.name, "its server is gone"))
    assert changes(messages(told.state, defers=True)) == []


def test_the_end_of_a_task_lets_loaded_tools_go() -> None:
    told = story(*searched(ISSUE), *called(ISSUE.name), DONE)
    assert told.state.tools[0].unit in told.state.kept
    assert not told.add(0, TaskEnded()).state.kept


def test_what_was_just_loaded_is_protected_until_the_model_has_seen_it() -> None:
    told = story(*searched(ISSUE))
    loaded = told.state.tools[0].unit
    assert loaded in told.state.protected
    assert loaded not in told.add(10, DONE).state.protected
