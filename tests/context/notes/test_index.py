"""The index of what was harvested: what is worth most, within a budget."""

from math import isclose

import pytest

from octochat.context.notes.artifacts import Artifacts, CommandRun, File, Named, harvest
from octochat.context.notes.identifiers import Identifier, identifiers
from octochat.context.notes.index import index, ranked
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Prompted, Replied
from tests.context.notes.logs import act, log, measure
from tests.recordings import recorded, recordings


def test_a_failing_command_leaves_its_status_and_its_error_lines() -> None:
    output = "Exit code 1\ncollected 3\nE   KeyError: 'gone'\n1 failed"
    text = index(harvest(log(*act("Bash", output, failed=True, command="pytest -x"))), 400, measure)
    assert "- pytest -x -> exit 1" in text
    assert "KeyError: 'gone'" in text


def test_what_was_done_is_worth_most_and_what_was_only_named_least() -> None:
    named = (
        Identifier("path", "boats.py"),
        Identifier("id", "ABCD-123"),
        Identifier("url", "http://x"),
        Identifier("number", "12345 ms"),
        Identifier("quoted", "oak wood"),
    )
    found = Artifacts(
        (File("hull/one", reads=1, changes=0, last=9),),
        (CommandRun("make all", "", runs=1, last=9),),
        (Named(Identifier("quoted", "no wind!"), 1.0, 9),),
        tuple(Named(each, 1.0, 9) for each in named),
        places=10,
    )
    worth = {item.section: item.score for item in ranked(found)}
    names = {"Paths": 1, "Ids": 1, "URLs": 1, "Numbers": 0.5, "Quoted": 0.5}
    done = {"Files read": 40, "Errors": 2, "Commands": 1.5}
    assert {each: round(worth[each] / worth["Paths"], 9) for each in worth} == names | done


def test_files_are_grouped_by_folder_and_a_folder_stands_alone() -> None:
    paths = ("src/boats/", "src/a.py", "src/b.py", r"C:\nets\c.py", "README.md")
    text = index(Artifacts(tuple(File(path, 0, 1, 0) for path in paths)), 0, measure)
    assert text.splitlines()[1:] == [
        "README.md, src/boats/",
        "C:\\nets\\: c.py",
        "src/: a.py, b.py",
    ]


def test_the_index_keeps_to_its_budget_and_fills_it() -> None:
    entries = log(*(event for i in range(400) for event in act("Read", file_path=f"src/m/f{i}.py")))
    text = index(harvest(entries), 300, measure)
    assert 250 < measure(text) <= 300


def test_every_changed_file_is_in_however_small_the_budget() -> None:
    events = [e for i in range(50) for e in act("Write", file_path=f"src/m/f{i}.py", content="")]
    text = index(harvest(log(*events)), 10, measure)
    assert {f"src/m/f{i}.py" for i in range(50)} <= {n.text for n in identifiers(text)}


def test_of_files_read_the_newest_and_most_used_stay() -> None:
    events = [e for i in range(100) for e in act("Read", file_path=f"old/{i}.py")]
    often = [e for _ in range(9) for e in act("Read", file_path="src/often.py")]
    text = index(harvest(log(*often, *events)), 100, measure)
    assert "often.py" in text
    assert " 99.py" in text
    assert " 0.py" not in text


def test_nothing_harvested_is_an_empty_index() -> None:
    assert harvest(()) == Artifacts()
    assert index(Artifacts(), 1_000, measure) == ""


def worth(text: str, last: int = 10) -> float:
    """What one use of a name is worth, in a session of ten entries."""
    (item,) = ranked(Artifacts(names=(Named(Identifier("id", text), 1.0, last),), places=10))
    return item.score


def test_a_use_counts_half_after_six_tenths_of_the_session() -> None:
    assert isclose(worth("ABC-123", last=10), 2 * worth("ABC-123", last=4))


def test_what_takes_twice_the_tokens_is_worth_half_as_much() -> None:
    """A token has three characters, and two more part a thing from the next."""
    assert isclose(worth("A-1"), 2 * worth("A-1234567890"))


def test_no_more_is_looked_at_than_could_come_in() -> None:
    names = tuple(Named(Identifier("id", f"ABCDE-{n:04}"), 1.0, 0) for n in range(20))
    found = Artifacts(names=names, places=1)
    at_five_characters_a_token = index(found, 10, lambda text: 0)
    assert at_five_characters_a_token.count("ABCDE") == 50 // len("ABCDE-0000") + 1


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("cc-cipher-box__0*.jsonl", "file_path"),
        ("nimbus*1773380*.jsonl", "filePath"),
        ("openhands*.jsonl", "path"),
    ],
)
def test_recorded_sessions_lose_no_changed_file(pattern: str, key: str) -> None:
    events = tuple(recorded(recordings(pattern)[0]))
    calls = [b for e in events if isinstance(e, Replied) for b in e.blocks]
    wrote = {
        str(call.arguments[key])
        for call in calls
        if isinstance(call, ToolCall)
        and key in call.arguments
        and {"new_string", "new_str", "content", "file_text"} & call.arguments.keys()
    }
    text = index(harvest(log(*events)), 1_800, measure)
    assert wrote <= {n.text for n in identifiers(text)} | set(text.replace(":", "").split())


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("oak-7 is blue", False),
        ("blue is oak-7", False),
        ("so (oak-7) it is", False),
        ("oak-70 is not oak-7", False),
        ("oak-70 is blue", True),
        ("the oak-7_a", True),
        ("the xoak-7", True),
        ("the _oak-7", True),
        ("the oak", True),
    ],
)
def test_only_as_a_word_of_its_own_is_a_thing_named_already(said: str, named: bool) -> None:
    found = Artifacts(names=(Named(Identifier("id", "oak-7"), 1.0, 0),), places=1)
    assert index(found, 100, measure, said) == ("Ids:\noak-7" if named else "")


def test_what_the_note_says_elsewhere_is_not_named_again() -> None:
    entries = log(Prompted((Text("see `alpha beta` and `gamma deltas` and `src/a.py`"),)))
    text = index(harvest(entries), 400, measure, said="On alpha beta and gamma delta: done.")
    assert "alpha beta" not in text
    assert text == "Paths:\nsrc/: a.py\nQuoted:\ngamma deltas"
