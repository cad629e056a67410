"""How the room of a note is divided."""

from itertools import product

import pytest

from octochat.context.notes.artifacts import Artifacts, File, Named
from octochat.context.notes.identifiers import Identifier
from octochat.context.notes.note import NoteParts, assemble
from octochat.context.notes.requests import UserRequest
from octochat.context.notes.sections import Statement
from octochat.context.session.events import Knowledge
from tests.context.notes.logs import measure

PROGRESS = tuple(
    Statement("State and progress", f"Part {n} of the boat was mended.", 1.0) for n in range(900)
)
NAMES = tuple(Named(Identifier("id", f"ABC-{n}"), 1.0, 0) for n in range(1_000, 3_000))
TALK = tuple(UserRequest(n, f"{n} " + "x " * 2_000) for n in range(1, 9))


def part(note: str, title: str) -> int:
    """Tokens from a title on to the next."""
    return measure(note.partition(title)[2].partition("\n## ")[0])


@pytest.mark.parametrize(
    ("budget", "ended", "covers", "opening"),
    [
        (500, False, (3, 5), "The work so far, noted down by octochat. It stands for 2 messages "),
        (500, False, (3, 5), "(#3 to #5); `recall` fetches any of them word for word. "),
        (500, False, (), "noted down by octochat. Earlier requests are history: go on with the l"),
        (500, True, (3,), "An earlier task, which is done, noted down by octochat. It stands for "),
        (500, True, (), "done, noted down by octochat. Its requests are history; the rules last."),
        (499, False, (3, 5), "\n#3 to #5 in short; `recall` fetches them. Begin no finished requ"),
        (499, False, (), "\nThe work so far, in short. Begin no finished request again.\n"),
        (499, True, (3,), "\nAn earlier task, which is done. `recall` fetches #3.\n"),
        (499, True, (), "\nAn earlier task, which is done.\n"),
    ],
)
def test_a_note_says_what_it_is_and_briefly_below_500_tokens(
    budget: int, ended: bool, covers: tuple[int, ...], opening: str
) -> None:
    assert opening in assemble(NoteParts(covers=covers, ended=ended), budget, measure)
    assert NoteParts() == NoteParts(ended=False)


def test_where_all_parts_have_much_to_say_each_gets_its_share() -> None:
    note = assemble(NoteParts(TALK, PROGRESS, (), Artifacts((), (), (), NAMES, 1)), 4_000, measure)
    left = 4_000 / 2  # the first and the latest request take the other half
    assert 0.45 < part(note, "## State and progress") / left < 0.55
    assert 0.5 < (part(note, "## What was asked") - left) / (0.12 * left) < 1.2
    assert 0.25 < part(note, "## Artifacts") / left < 0.45
    assert 3_900 < measure(note) <= 4_000


def test_a_note_is_filled_but_for_a_small_margin() -> None:
    parts = NoteParts(sections=PROGRESS, artifacts=Artifacts((), (), (), NAMES, 1))
    for budget in (1_000, 4_000, 16_000):
        assert budget - 100 < len(assemble(parts, budget, len)) <= budget


def test_what_little_there_is_to_tell_leaves_the_requests_their_room() -> None:
    note = assemble(NoteParts(TALK, PROGRESS[:5]), 4_000, measure)
    assert 3_900 < measure(note) <= 4_000


def test_of_an_ended_task_only_changed_files_are_listed_and_progress_gets_their_room() -> None:
    changed = tuple(File(f"src/part{n}/boat.py", 0, 1, 0) for n in range(80))
    found = Artifacts(changed, (), (), NAMES, 1)
    note = assemble(NoteParts((), PROGRESS, (), found, (), ended=True), 3_000, measure)
    assert "ABC-" not in note
    assert 2_900 < measure(note) <= 3_000


def test_changed_files_do_not_count_against_the_third_of_the_index() -> None:
    changed = tuple(File(f"src/part{n}/boat.py", 0, 1, 0) for n in range(80))
    some, none = (
        assemble(NoteParts(artifacts=Artifacts(files, (), (), NAMES, 1)), 3_000, measure)
        for files in (changed, ())
    )
    assert 950 < part(none, "## Artifacts") <= 1_010
    assert some.count("ABC-") >= 0.95 * none.count("ABC-")


def test_rules_take_nine_tenths_at_most_and_leave_room_for_the_requests() -> None:
    words = map("".join, product("abcdefg", "hijklmn", "opqrst", "uvwxyz"))
    many = UserRequest(1, "\n".join(f"never {word}" for word in words))
    for budget, least, most in ((2_000, 0.84, 0.92), (250, 0.7, 0.85)):
        note = assemble(NoteParts((many, UserRequest(2, "x " * 50))), budget, measure)
        assert least * budget < measure(note.partition("Requests:")[0]) < most * budget
        assert measure(note) <= budget


def test_where_knowledge_takes_most_of_it_the_requests_are_cut_shorter() -> None:
    known = (Knowledge("fact", "oak " * 600),)
    ends = (UserRequest(1, "x " * 2_000), UserRequest(2, "y " * 2_000))
    note = assemble(NoteParts(ends, knowledge=known), 1_000, measure)
    assert 900 < measure(note) <= 1_000
