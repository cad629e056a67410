"""What the person wanted kept is kept, whatever models add."""

from octochat.context.session.events import Knowledge
from octochat.context.session.knowledge import merged, retained

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
