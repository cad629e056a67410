"""What the model is told when instructions come, change and go."""

from octochat.context.session.events import Entry, Event, Instructed, Opened, Prompted, TaskEnded
from octochat.context.session.instructions import Instructions, framed
from octochat.context.session.state import State, replay
from octochat.project.changes import changes

LONG = "\n".join(f"{n}. Keep to rule number {n}." for n in range(40))


def state(*events: Event, system: str = "") -> State:
    every = (Opened("m", system), *events)
    return replay([Entry(n, 0.0, 1, event) for n, event in enumerate(every, 1)])


def after(now: dict[str, str], known: State) -> tuple[Instructed, ...]:
    return tuple(changes(known.instructions, now))


OPENED = f"Be kind.\n\n{framed('AGENTS.md', LONG)}\n\n{framed('../a&b.md', 'x')}"


def test_what_stands_in_the_system_prompt_is_known_and_no_news() -> None:
    known = state(system=OPENED)
    assert known.instructions == (
        Instructions("AGENTS.md", LONG, opened=True),
        Instructions("../a&b.md", "x", opened=True),
    )
    assert after({"AGENTS.md": LONG, "../a&b.md": "x"}, known) == ()


def test_a_new_file_is_told_whole_and_says_for_which_folder_it_counts() -> None:
    (event,) = after({"web/AGENTS.md": "Use tabs."}, state())
    assert event == Instructed(
        "web/AGENTS.md",
        '<octochat-instructions file="web/AGENTS.md">\nFor all work in web/, from here on:\n\n'
        "Use tabs.\n</octochat-instructions>",
        "Use tabs.",
    )
    assert after({"web/AGENTS.md": "Use tabs."}, state(event)) == ()
    assert after({"web/AGENTS.md": ""}, state()) == ()
    (own,) = after({"~/config/AGENTS.md": "x"}, state())
    assert ">\nFrom here on:\n\nx\n<" in own.text


def test_a_small_change_of_a_long_file_is_told_as_a_difference() -> None:
    known = state(system=OPENED)
    (event,) = after({"AGENTS.md": LONG.replace("number 7.", "7."), "../a&b.md": "x"}, known)
    assert (event.change, event.partly) == ("changed", True)
    assert "-7. Keep to rule number 7.\n+7. Keep to rule 7.\n" in event.text
    assert "rule number 20" not in event.text


def test_a_change_of_a_short_file_is_told_whole() -> None:
    known = state(Instructed("AGENTS.md", "t", "Use tabs."))
    (event,) = after({"AGENTS.md": "Use spaces."}, known)
    assert (event.change, event.partly) == ("changed", False)
    assert "It says now:\n\nUse spaces.\n<" in event.text


def test_differences_never_weigh_more_than_the_text_itself() -> None:
    events: list[Instructed] = []
    for n in range(40):
        known = state(*events, system=OPENED)
        now = {"AGENTS.md": LONG.replace(f"number {n}.", "x."), "../a&b.md": "x"}
        events += after(now, known)
        held = state(*events, system=OPENED).instructions[0]
        assert held.text == now["AGENTS.md"]
        assert held.changes < len(LONG) + 200
    assert {event.partly for event in events} == {True, False}
    held = state(*events, system=OPENED).instructions[0]
    last_whole = max(n for n, event in enumerate(events, 2) if not event.partly)
    assert held.units == tuple(range(last_whole, 42))


def test_a_file_that_is_gone_is_said_to_be_gone_and_may_come_back() -> None:
    known = state(Instructed("web/AGENTS.md", "t", "Use tabs."), system=OPENED)
    gone, nested = after({"AGENTS.md": LONG}, known)
    assert (gone.file, gone.change, gone.now) == ("../a&b.md", "removed", "")
    left = state(Instructed("web/AGENTS.md", "t", "Use tabs."), gone, nested, system=OPENED)
    assert [each.file for each in left.instructions] == ["AGENTS.md", "../a&b.md"]
    assert left.kept == {3}
    assert after({"AGENTS.md": LONG}, left) == ()
    (back,) = after({"AGENTS.md": LONG, "../a&b.md": "y"}, left)
    assert (back.change, back.now) == ("added", "y")


def test_after_a_task_is_done_only_what_the_session_began_with_is_known() -> None:
    nested = Instructed("web/AGENTS.md", "t", "Use tabs.")
    (changed,) = after({"AGENTS.md": "short", "../a&b.md": "x"}, state(system=OPENED))
    known = state(nested, changed, Prompted(()), TaskEnded(), system=OPENED)
    assert [each.file for each in known.instructions] == ["AGENTS.md", "../a&b.md"]
    assert known.kept == {3}
    (again,) = after({"AGENTS.md": "short", "../a&b.md": "x", "web/AGENTS.md": "Use tabs."}, known)
    assert again.file == "web/AGENTS.md"
