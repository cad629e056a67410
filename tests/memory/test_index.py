"""What was said is found again by its words, its names and its exact phrases."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from octochat.context.session.events import Entry
from octochat.memory.automatic import WEAKEST
from octochat.memory.index import Index, available
from octochat.memory.passages import passages
from octochat.memory.plain_index import PlainIndex
from octochat.memory.query import query
from octochat.memory.ranking import LARGE, ranked
from octochat.memory.searching import Hit, Scope, Searchable
from tests.memory.logs import asked, called, log, returned, said

DAY = log(
    asked("We never deploy on Fridays. The server is called kestrel."),
    called("a", "read", file_path="src/app.py"),
    returned("a", "def parse_config(path):\n    return tomllib.loads(path.read_text())"),
    said("The parser reads TOML. I would rename it."),
    called("b", "recall", search="kestrel"),
    returned("b", "#2 the person: The server is called kestrel."),
    asked("What about the deployment?"),
)


@pytest.fixture(params=[Index, PlainIndex])
def index(request: pytest.FixtureRequest) -> Iterator[Searchable]:
    made: Callable[[], Searchable] = request.param
    one = made()
    yield one
    one.close()


def found(index: Searchable, words: str, scope: Scope | None = None) -> list[int]:
    return [hit.passage.entry for hit in index.search(query(words), scope or Scope())]


def test_this_python_has_full_text_search() -> None:
    assert available()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("deploying on a Friday", 2),  # other forms of the words
        ("parse_config", 4),
        ('"return tomllib.loads"', 4),
        ('"FRIDAYS. The server"', 2),  # over the end of a sentence, in any case
        ("which parser reads toml?", 5),
    ],
)
def test_the_best_passage_comes_first(index: Searchable, words: str, first: int) -> None:
    index.update(DAY)
    assert found(index, words)[0] == first


def test_a_part_of_a_name_is_found_where_no_word_is() -> None:
    index = Index()
    index.update(DAY)
    assert found(index, "estre") == [2]
    assert found(index, '"arse_conf"') == [4]


def test_an_answer_is_found_by_the_question_before_it() -> None:
    index = Index()
    index.update(log(asked("Which fruit does Mia like?"), said("Mangoes, above all.")))
    assert set(found(index, "what fruit")) == {2, 3}


def test_what_recall_answered_and_the_system_prompt_are_not_found(index: Searchable) -> None:
    index.update(DAY)
    assert found(index, "kestrel")[0] == 2
    assert not {6, 7} & set(found(index, "kestrel"))
    assert found(index, "pineapple") == []


def test_the_scope_leaves_out_what_does_not_answer_to_it(index: Searchable) -> None:
    index.update(DAY)
    assert found(index, "path parser", Scope(who="tool")) == [4]
    assert found(index, "path parser", Scope(path="APP.py")) == [4]
    assert found(index, "path parser", Scope(who="you", path="app.py")) == []
    assert 4 not in found(index, "path parser", Scope(allows=lambda p: p.unit != 3))


def test_a_result_names_the_reply_that_asked_for_it() -> None:
    (result,) = [each for each in passages(DAY) if each.who == "tool"]
    assert (result.entry, result.unit, result.path) == (4, 3, "src/app.py")


def test_nothing_answers_a_query_without_words(index: Searchable) -> None:
    index.update(DAY)
    assert found(index, " ... ") == []
    assert found(index, '""') == []


@pytest.mark.parametrize("words", ['"', "NEAR(a b)", "a AND", "col:umn", "* OR -", "a\0b", "'; --"])
def test_no_query_is_taken_for_the_query_language(index: Searchable, words: str) -> None:
    index.update(DAY)
    assert isinstance(found(index, words), list)


def test_half_characters_are_no_crash(index: Searchable) -> None:
    call = called("c", "read", file_path="n\udc80")
    index.update(log(asked("the caf\udce9 is open"), call, returned("c", "no such thing")))
    assert found(index, "caf\udce9 open")[0] == 2
    assert found(index, "thing")[0] == 4


def test_what_comes_later_is_taken_in(index: Searchable) -> None:
    for end in range(1, len(DAY) + 1):
        index.update(DAY[:end])
    at_once = type(index)()
    at_once.update(DAY)
    for words in ("deployment", "kestrel", "toml parser", "return"):
        both = [list(each.search(query(words), Scope())) for each in (index, at_once)]
        assert both[0] == both[1] != []
    at_once.close()


def test_a_minified_line_is_cut_and_nothing_of_it_is_lost() -> None:
    text = "x" * 5_000 + " needle " + "y" * 100_000
    cut = [each.text for each in passages(log(asked(text)))]
    assert max(map(len, cut)) <= 810
    assert "".join("".join(cut).split()) == "".join(text.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index" / "one.db"


def searched(file: Path, entries: Sequence[Entry], words: str) -> list[int]:
    index = Index(file)
    index.update(entries)
    try:
        return found(index, words)[:1]
    finally:
        index.close()


def test_the_index_lasts(file: Path) -> None:
    assert searched(file, DAY, "kestrel") == [2]
    index = Index(file)
    assert found(index, "kestrel")[0] == 2
    index.close()
    assert file.stat().st_mode & 0o777 == 0o600


def deleted(file: Path) -> None:
    file.unlink()


def overwritten(file: Path) -> None:
    file.write_bytes(b"not a database at all" * 500)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5_000])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def garbled(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[:4_096] + b"\xff" * 8_192 + data[12_288:])


def test_of_many_passages_the_commonest_words_count_no_more_but_where_there_are_no_others() -> None:
    index = Index()
    index.update(log(*(said(f"The server has the number w{n}.") for n in range(LARGE + 50))))
    assert found(index, "server w77")[0] == 79
    assert len(found(index, "server w77")) == 3
    assert len(found(index, "server numbers")) == LARGE + 50


@pytest.mark.parametrize("words", ["server w77", "the server's number", "kestrel w77 w78"])
def test_what_answers_too_badly_is_left_out_whether_it_was_scored_or_not(
    words: str, tmp_path: Path
) -> None:
    index = Index(tmp_path / "index.db")
    index.update(log(*(said(f"The server has the number w{n}.") for n in range(LARGE + 50))))
    index.close()
    scored: list[str] = []
    with closing(sqlite3.connect(tmp_path / "index.db")) as database:
        every = ranked(database, query(words))
        good = [each for each in every if each[1] >= WEAKEST]
        assert len(good) < len(every)
        database.set_trace_callback(scored.append)
        assert list(ranked(database, query(words), WEAKEST)) == good
    assert any("bm25" in statement for statement in scored) == bool(good)


def test_a_score_that_is_wanted_leaves_out_what_has_less(index: Searchable) -> None:
    index.update(DAY)
    asked_for = query("server kestrel deploying parser toml")
    every = list(index.search(asked_for, Scope()))
    least = every[0].score
    assert list(index.search(asked_for, Scope(least=least))) == [
        hit for hit in every if hit.score >= least
    ]
    assert every[-1].score < least


LONG = log(*(said(f"Word number {n} is w{n * n}, after w{n}. " * 9) for n in range(60)))


def everything(index: Index) -> list[list[Hit]]:
    """All that some words find."""
    return [list(index.search(query(f"w{n} number"), Scope())) for n in (0, 25, 49, 59)]


@pytest.fixture
def whole() -> Iterator[list[list[Hit]]]:
    """What is to be found."""
    index = Index()
    index.update(LONG)
    yield everything(index)
    index.close()


def damaged(file: Path, damage: Callable[[Path], object]) -> list[list[Hit]]:
    """What is found after the damage."""
    index = Index(file)
    index.update(LONG)
    index.close()
    damage(file)
    index.update(LONG)
    try:
        return everything(index)
    finally:
        index.close()


@pytest.mark.parametrize("damage", [deleted, overwritten, cut_short, emptied, garbled])
def test_not_a_word_is_lost_by_damage(
    file: Path, damage: Callable[[Path], object], whole: list[list[Hit]]
) -> None:
    assert damaged(file, damage) == whole


def test_a_page_that_is_damaged_costs_nothing_but_time(file: Path, whole: list[list[Hit]]) -> None:
    def garble(file: Path) -> None:
        data = file.read_bytes()
        sizes.append(len(data))
        start = page * 4_096
        file.write_bytes(data[:start] + b"\xff" * 4_096 + data[start + 4_096 :])

    sizes = [1_000_000]
    page = 0
    while page * 4_096 < sizes[-1]:
        assert damaged(file, garble) == whole, page
        page += 3
    assert page > 20


@pytest.mark.parametrize("damage", [deleted, overwritten, cut_short, emptied, garbled])
def test_a_lost_or_damaged_index_is_made_anew(file: Path, damage: Callable[[Path], object]) -> None:
    assert searched(file, DAY, "kestrel") == [2]
    damage(file)
    assert searched(file, [*DAY, *log(asked("more"))[1:]][:8], "kestrel") == [2]


def test_a_log_that_is_another_one_is_indexed_anew(file: Path) -> None:
    assert searched(file, DAY, "kestrel") == [2]
    other = log(asked("The server is called osprey."))
    assert searched(file, other, "kestrel") == []
    assert searched(file, other, "osprey") == [2]
