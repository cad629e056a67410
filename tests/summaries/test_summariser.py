"""The call that decides and summarises: how it is asked, what is made of it, what it costs."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from octochat.config.compression import DecisionModel
from octochat.context.economics.prices import Prices, Rates
from octochat.context.economics.worth import Writer
from octochat.context.session.content import Message, Opaque, Text, ToolCall
from octochat.context.session.edits import NoteRequest
from octochat.context.session.events import (
    Knowledge,
    Usage,
)
from octochat.engine.note_writer import Bill, SummaryError
from octochat.models.port import (
    Delta,
    ModelError,
    Reply,
    Request,
    Retrying,
    Started,
    TextDelta,
    ThinkingDelta,
)
from octochat.models.scripted import Scripted
from tests.summaries.builders import (
    CHEAP,
    OWN,
    USAGE,
    answer,
    extract,
    measure,
    note,
    session,
    source,
    write,
)


async def test_a_note_has_the_models_sections_and_what_code_harvested() -> None:
    model = Scripted([answer()])
    written = await write(model, source(session()), CHEAP)
    text = note(written)
    assert "## Goal\n- Mend the parser." in text
    assert "[#2] Please do part 0." in text
    assert "src/: f0.py" in text
    assert "- fact: The port is 8080." in text
    assert text.startswith("<work-so-far>")
    assert measure(text) <= 800
    assert written.learned == (Knowledge("fact", "The port is 8080."),)
    assert (written.writer, written.usage, written.cost) == ("cheap", USAGE, 1.5)


async def test_another_model_reads_a_transcript_with_a_schema_and_no_tools() -> None:
    model = Scripted([answer()])
    await write(model, source(session(), focus="the parser"), CHEAP)
    (request,) = model.requests
    assert request.model == "cheap"
    assert request.schema is not None
    assert request.tools == ()
    (message,) = request.messages
    (block,) = message.blocks
    assert isinstance(block, Text)
    assert block.text.startswith("<transcript>")
    assert "Please do part 0." in block.text
    older, _, newer = block.text.partition("</transcript>")
    assert "Please do part 5." not in older
    assert "Please do part 5." in newer
    assert "the parser" in request.system


@pytest.mark.parametrize(
    ("decision", "sent"),
    [
        (DecisionModel(), (0.3, None, None)),
        (DecisionModel(top_p=0.9), (None, 0.9, None)),
        (DecisionModel(temperature=0.7, top_k=40), (0.7, None, 40)),
    ],
)
async def test_words_are_chosen_as_the_configuration_says_and_never_by_two_rules_that_clash(
    decision: DecisionModel, sent: tuple[float | None, float | None, int | None]
) -> None:
    model = Scripted([answer()])
    await write(model, source(session()), CHEAP, decision=decision)
    (request,) = model.requests
    assert (request.temperature, request.top_p, request.top_k) == sent


async def test_the_own_model_gets_its_own_request_and_one_text_more() -> None:
    model = Scripted([answer()])
    work = source(session())
    await write(model, work, OWN)
    (request,) = model.requests
    view = work.situation.state.view.messages("main", binds=False)
    assert request.schema is None
    assert request.system == work.situation.state.view.system
    assert request.messages[: len(view)] == view
    (added,) = request.messages[len(view) :]
    assert added.role == "user"
    assert 'begins with "Please do part 5."' in str(added.blocks)


async def test_the_instruction_stands_behind_results_in_the_same_message() -> None:
    log = session()[:-1]
    model = Scripted([answer()])
    await write(model, source(log), OWN)
    last: Message = model.requests[0].messages[-1]
    assert last.role == "user"
    assert isinstance(last.blocks[-1], Text)
    assert len(last.blocks) == 2


async def test_the_cheaper_of_those_who_may_is_asked() -> None:
    dear = Writer("dear", Prices.flat(Rates(100, 500, 125, 200, 10)), shares_cache=False)
    model = Scripted([answer()])
    await write(model, source(session()), dear, CHEAP)
    assert model.requests[0].model == "cheap"


async def test_a_no_is_respected_in_automatic_mode_only() -> None:
    no = answer(should_compress=False, reason="The person quotes it.")
    with pytest.raises(SummaryError, match="The person quotes it") as failed:
        await write(Scripted([no]), source(session()), CHEAP)
    assert failed.value.usage == USAGE
    assert failed.value.cost == 1.5
    written = await write(Scripted([no]), source(session(), trigger="done"), CHEAP)
    assert "Mend the parser." in note(written)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (answer(" "), "empty"),
        (answer("I'm sorry, I can't."), "sorry"),
        (answer("The work went on. " * 900), "longer"),
        (Reply((ToolCall("x", "Edit"),), USAGE, "tool_use"), "tool"),
        (Reply((Text("no"),), USAGE, "refusal"), "refused"),
    ],
)
async def test_an_answer_of_no_use_is_asked_for_again_and_then_a_failure(
    bad: Reply, why: str
) -> None:
    with pytest.raises(SummaryError, match=why) as failed:
        await write(Scripted([bad, bad]), source(session()), CHEAP)
    assert failed.value.usage == USAGE + USAGE
    assert failed.value.writer == "cheap"
    written = await write(Scripted([bad, answer()]), source(session()), CHEAP)
    assert written.usage == USAGE + USAGE


async def test_prose_instead_of_json_is_taken() -> None:
    prose = answer("## Goal\nMend it.\n## Progress\nThe lexer works.")
    assert "- The lexer works." in note(await write(Scripted([prose]), source(session()), CHEAP))


async def test_an_error_that_may_pass_is_tried_again_and_another_is_not() -> None:
    slow = ModelError("overloaded", "Overloaded.")
    model = Scripted([slow, answer()])
    await write(model, source(session()), OWN)
    assert len(model.requests) == 2
    refused = Scripted([ModelError("auth", "The key is not valid."), answer()])
    with pytest.raises(SummaryError, match="key is not valid"):
        await write(refused, source(session()), OWN)
    assert len(refused.requests) == 1


async def test_where_the_other_model_cannot_be_had_the_own_one_is_asked() -> None:
    model = Scripted([ModelError("model", "No such model."), answer()])
    written = await write(model, source(session()), CHEAP)
    assert [request.model for request in model.requests] == ["cheap", "main"]
    assert written.writer == "main"


class Silent:
    """Takes the request, bills it, and never answers."""

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        yield Started(Usage(fresh=500_000))
        await asyncio.Event().wait()


class Watched:
    """A model that notes, after each piece, how far the note seems to have come."""

    def __init__(self) -> None:
        self.bill = Bill()
        self.seen: list[int] = []

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        for attempt in range(2):
            yield Started(Usage())
            for piece in (ThinkingDelta("hm"), TextDelta("{" + " " * attempt)):
                yield piece
                self.seen.append(self.bill.characters)
            if not attempt:
                yield Retrying("It is overloaded.", "overloaded", 0.0, 2, 3)
        yield answer()


async def test_how_far_a_note_has_come_can_be_watched() -> None:
    model = Watched()
    await write(model, source(session()), CHEAP, bill=model.bill)
    assert model.seen == [2, 3, 2, 4]


async def test_a_try_that_takes_too_long_ends_and_is_paid_for() -> None:
    with pytest.raises(SummaryError, match="was silent for") as failed:
        await write(Silent(), source(session()), OWN, retries=0, patience=0.01)
    assert failed.value.usage == Usage(fresh=500_000)


class Slow(Scripted):
    """Takes four seconds of the loop's time for every word."""

    def __init__(self, clock: pytest.MonkeyPatch) -> None:
        super().__init__([answer()])
        loop = asyncio.get_running_loop()
        self.ahead, now = 0.0, loop.time
        clock.setattr(loop, "time", lambda: now() + self.ahead)

    async def reply(self, request: Request) -> AsyncGenerator[Delta | Reply, None]:
        for word in ("one", "two", "three"):
            self.ahead += 4.0
            await asyncio.sleep(0)  # the loop looks at its clock
            await asyncio.sleep(0)
            yield TextDelta(word)
        async for item in super().reply(request):
            yield item


async def test_a_long_note_may_take_its_time_while_it_is_being_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = await write(Slow(monkeypatch), source(session()), OWN, retries=0, patience=5.0)
    assert written.writer == "main"


async def test_without_anybody_to_ask_the_note_is_extracted() -> None:
    model = Scripted([])
    written = await write(model, source(session()))
    assert written.writer == "extractive"
    assert written.usage == Usage()
    assert model.requests == []
    assert "Please do part 0." in note(written)


async def test_a_plain_summary_is_one_paragraph_with_its_prefix() -> None:
    model = Scripted([answer("All parts\nare done.")])
    written = await write(model, source(session(), style="paragraph"), CHEAP)
    assert note(written) == "[Earlier conversation summary]: All parts are done."
    assert model.requests[0].schema is None
    extracted = extract(source(session(), style="paragraph"))
    assert note(extracted).startswith(
        "[Earlier conversation summary]: Part 0 of the machine is done."
    )


@pytest.mark.parametrize(("budget", "sentences"), [(50, 3), (99, 3), (100, 4), (125, 5)])
def test_without_a_model_it_has_a_sentence_for_every_25_tokens_and_three_at_least(
    budget: int, sentences: int
) -> None:
    log = session()
    units = source(log).situation.state.view.units
    request = NoteRequest(units[0].id, units[-4].id, budget, style="paragraph")
    assert note(extract(source(log, request))).count(".") == sentences


async def test_the_apis_own_compaction_is_kept_as_it_came() -> None:
    block = Opaque({"type": "compaction", "content": "...", "signature": "s"})
    model = Scripted([Reply((block,), USAGE, "end_turn")])
    work = source(session(), style="server")
    written = await write(model, work, CHEAP)
    assert written.blocks == (block,)
    (request,) = model.requests
    assert request.compaction
    assert request.model == "main"
    assert "Please do part 5." not in str(request.messages)


async def test_where_the_api_cannot_compact_the_own_summary_takes_its_place() -> None:
    model = Scripted([ModelError("invalid", "No."), answer()])
    written = await write(model, source(session(), style="server"), CHEAP)
    assert "Mend the parser." in note(written)
