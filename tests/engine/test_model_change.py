"""After a change of model every size is by the new one's tokenizer, until its bills are known."""

from pathlib import Path

import pytest

from octochat.commands.execute import execute, understood
from octochat.context.session.content import Text, Thinking
from octochat.context.session.edits import Fold
from octochat.context.session.events import (
    Condensed,
    Held,
    ModelChanged,
    Prompted,
    Replied,
    Rewound,
    Usage,
)
from octochat.context.session.ledger import FIRST_GROWTH
from octochat.context.session.view import Note
from octochat.context.session.watermarks import Watermark
from octochat.engine.tasks import undo
from octochat.session.session import Session
from tests.build import Story
from tests.e2e.home import Home, home

OLD, NEW = "claude-sonnet-4-6", "claude-sonnet-5-5"
KEYED = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


def talk() -> Story:
    return Story().say(20_000).call(9_000, usage=Usage(cache_write=30_000, output=1_000))


def test_the_context_and_all_its_parts_are_counted_anew() -> None:
    story = talk()
    before = story.situation()
    story.add(0, ModelChanged("other", 1.3))
    after = story.situation()
    assert after.size == before.size * 1.3
    assert after.state.view.head == before.state.view.head * 1.3
    sizes = [unit.size for unit in before.state.view.units]
    assert [unit.size for unit in after.state.view.units] == [size * 1.3 for size in sizes]


def test_a_note_and_what_it_stands_for_are_counted_anew() -> None:
    story = talk()
    story.condensed(Condensed("pressure", "big", 40_000, 1_400, Fold(2, 3, (Text("note"),))))
    [before] = (u for u in story.state.view.units if isinstance(u, Note))
    [after] = (
        u for u in story.add(0, ModelChanged("b", 2)).state.view.units if isinstance(u, Note)
    )
    assert (after.size, after.replaced) == (before.size * 2, before.replaced * 2)


def test_marks_from_which_growth_is_measured_and_the_growth_itself_go_along() -> None:
    story = talk().held(20_000).add(0, Held("fifo", "no", watermark=10_000))
    for n in range(4):
        story.reply(usage=Usage(cache_read=31_000 + n * 1_000, output=1_000))
    growth = story.state.ledger.growth
    assert growth not in (0, FIRST_GROWTH)
    state = story.add(0, ModelChanged("other", 1.5)).state
    assert state.watermarks.of("pressure") == Watermark(30_000, "hold")
    assert state.watermarks.of("fifo") == Watermark(15_000, "hold")
    assert state.ledger.growth == growth * 1.5


def test_the_first_reply_says_how_large_it_really_is() -> None:
    story = talk().add(0, ModelChanged("other", 1.3)).reply(usage=Usage(cache_write=33_333))
    assert story.state.context == 33_333


def test_a_change_that_is_undone_leaves_the_old_count() -> None:
    story = talk()
    before = story.state.context
    story.add(0, ModelChanged("other", 1.3)).say(100).add(0, Rewound(len(story.entries) - 2))
    assert (story.state.model, story.state.context) == ("m", before)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    at = home(tmp_path / "home", KEYED)
    at.enter(monkeypatch)
    return at.open(model=OLD)


async def typed(session: Session, text: str) -> None:
    async for _ in execute(session, understood(text)):
        pass


async def test_what_model_foretells_is_what_comes(session: Session) -> None:
    session.engine.append(Prompted((Text("boat " * 3_000),)))
    session.engine.append(Replied((Text("yes"),), usage=Usage(cache_write=9_000), model=OLD))
    await typed(session, f"/model {NEW}")
    assert session.engine.state.context == 11_700
    assert session.ruler.model == NEW
    await session.close()


async def test_a_resumed_session_with_another_model_is_counted_by_it(
    session: Session, tmp_path: Path
) -> None:
    session.engine.append(Prompted((Text("hello"),)))
    session.engine.append(Replied((Text("yes"),), usage=Usage(cache_write=9_000), model=OLD))
    await session.close()
    at = Home(tmp_path / "home", KEYED)
    again = at.open(resume=session.engine.log.id, model=NEW)
    assert again.engine.state.context == 11_700
    await again.close()


async def test_undo_beyond_a_change_of_model_counts_by_the_old_one_again(session: Session) -> None:
    session.engine.append(Prompted((Text("hello"),)))
    await typed(session, f"/model {NEW}")
    undo(session.engine)
    assert session.engine.state.model == session.ruler.model == OLD
    await session.close()


@pytest.mark.parametrize(("thought", "learns"), [(False, True), (True, False)])
async def test_what_another_model_bills_is_only_compared_with_what_it_was_sent(
    session: Session, thought: bool, learns: bool
) -> None:
    engine = session.engine
    blocks = (Thinking("hm", "signed"), Text("yes")) if thought else (Text("yes"),)
    engine.append(Prompted((Text("boat " * 3_000),)))
    engine.append(Replied(blocks, usage=Usage(cache_write=9_000), model=OLD))
    await typed(session, f"/model {NEW}")
    factor = session.ruler.factor
    engine.ports.used(engine.state, Replied((), usage=Usage(cache_write=20_000), model=NEW))
    assert (session.ruler.factor > factor) == learns
    await session.close()
