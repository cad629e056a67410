"""What the person wanted kept is kept, whatever models add."""

from octochat.context.session.content import Text
from octochat.context.session.edits import Fold
from octochat.context.session.events import Condensed, Knowledge, KnowledgeChanged
from octochat.context.session.knowledge import merged, retained, without
from tests.build import Story

MINE = Knowledge("fact", "The server is called kestrel.", "person")
THEIRS = tuple(Knowledge("fact", f"Thing {n} is so.") for n in range(20))


def test_what_the_person_added_is_never_pushed_out() -> None:
    kept = retained((MINE, *THEIRS), 10)
    assert kept == (MINE, *THEIRS[-9:])
    assert retained((MINE, *THEIRS), 1) == (MINE,)


def test_more_by_the_person_than_there_is_room_for_stay_all() -> None:
    mine = tuple(Knowledge("fact", f"Mine {n}.", "person") for n in range(12))
    assert retained((*mine, *THEIRS), 10) == mine


def test_nothing_is_retained_where_nothing_is_to_be() -> None:
    assert retained((MINE, *THEIRS), 0) == ()


def test_what_a_model_says_again_stays_the_persons() -> None:
    again = Knowledge("constraint", "the server is called Kestrel")
    assert merged((MINE, THEIRS[0]), (again,)) == (THEIRS[0], MINE)


def test_what_holds_no_longer_goes_and_what_the_person_added_only_the_person_drops() -> None:
    again = Knowledge("decision", "Thing 3 is so")
    left = without((MINE, *THEIRS), (again, MINE))
    assert left == (MINE, *THEIRS[:3], *THEIRS[4:])


def test_a_fold_drops_what_it_found_outdated_and_learns_what_it_says_anew() -> None:
    story = Story().say(5_000).reply().add(0, KnowledgeChanged((MINE, *THEIRS[:3])))
    fold = Fold(2, 3, (Text("note"),))
    new = Knowledge("fact", "Thing 0 is otherwise.")
    dropped = (THEIRS[0], THEIRS[2], MINE)
    story.condensed(
        Condensed("x", "", 9_000, 4_000, fold, learned=(new, THEIRS[2]), outdated=dropped)
    )
    assert story.state.knowledge == (MINE, THEIRS[1], new, THEIRS[2])
