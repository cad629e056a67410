"""What must be in a note is in the next request, over the wire, through the strict server."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from octochat.commands.execute import execute, understood
from octochat.context.session.events import Condensed, Entry
from octochat.frontends.headless import run
from octochat.session.session import Session
from tests.e2e.answers import is_summary, summary
from tests.e2e.home import home
from tests.server import ClaudeServer, Gate, Held, Json, Reply, call, say
from tests.waiting import soon

QUIET = "[recall]\nautomatic = false\n"
"""Nothing of the folded part comes back by itself."""
RULE = "Never deploy on Fridays, not even a hotfix."


@dataclass
class Talker:
    """Answers prompts with so many words, and requests for a note as the test says."""

    note: Callable[[str], dict[str, object]] = lambda _: {}
    """From the request for a note to the fields of its answer."""
    words: int = 800
    asked: list[str] = field(default_factory=list[str])
    """The requests for notes, instruction and all."""

    def __call__(self, body: Json) -> Reply:
        if not is_summary(body):
            return say("The work goes on as it was planned. " * (self.words // 8))
        text = json.dumps([body["system"], body["messages"][-1]], ensure_ascii=False)
        self.asked.append(text)
        plain: dict[str, Any] = {**summary(should=True), "constraints": [], "knowledge": []}
        return say(json.dumps(plain | {"outdated": []} | self.note(text)))


@dataclass
class Chat:
    """A session with the server."""

    session: Session
    server: ClaudeServer

    async def says(self, *texts: str) -> list[Condensed]:
        """Say it all; the compressions that were made."""
        made: list[Condensed] = []
        for text in texts:
            async with aclosing(execute(self.session, understood(text))) as stream:
                shown = [item async for item in stream]
            entries = [item.event for item in shown if isinstance(item, Entry)]
            made += [event for event in entries if isinstance(event, Condensed)]
        return made

    @property
    def sent(self) -> str:
        """The messages of the last request, as text."""
        return "\n".join(_texts(self.server.requests[-1]["messages"]))


def _texts(messages: list[Json]) -> Iterator[str]:
    for message in messages:
        content = message["content"]
        for block in [{"text": content}] if isinstance(content, str) else content:
            yield block.get("text", "")


@asynccontextmanager
async def chatting(
    root: Path, patch: pytest.MonkeyPatch, talker: Talker, config: str = "", project: str = ""
) -> AsyncGenerator[Chat]:
    async with ClaudeServer() as server:
        server.default = talker
        at = home(root, server.env, QUIET + config)
        (at.project / "AGENTS.md").write_text(project)
        at.enter(patch)
        session = at.open(model="claude-sonnet-5-5")
        try:
            yield Chat(session, server)
        finally:
            await session.close()
        assert server.refusals == []


async def test_ten_facts_by_the_person_and_by_summaries_all_stand_in_the_next_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [f"My fact {n} is worth {n}{n}{n} crowns." for n in range(5)]
    theirs = [f"Their fact {n} weighs {n}{n}{n} stones." for n in range(5)]

    def learned(request: str) -> dict[str, object]:
        new = [each for each in theirs if each not in request][:3]
        return {"knowledge": [{"kind": "fact", "text": each} for each in new]}

    async with chatting(tmp_path, monkeypatch, Talker(learned)) as chat:
        await chat.says(*(f"/knowledge add {each}" for each in mine))
        for n in range(3):
            await chat.says(*(f"Go on with part {n}{m}, please." for m in range(5)))
            assert len(await chat.says("/compact")) == 1
        await chat.says("And now?")
        assert [each for each in (*mine, *theirs) if chat.sent.count(each) != 1] == []


async def test_a_rule_of_the_persons_survives_five_folds_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with chatting(tmp_path, monkeypatch, Talker()) as chat:
        await chat.says(f"Let us build the pipeline.\n{RULE}\nBegin with the linter.")
        for n in range(5):
            await chat.says(*(f"Go on with part {n}{m}, please." for m in range(5)))
            assert len(await chat.says("/compact")) == 1
        await chat.says("And now?")
        assert f"- {RULE} (#2)" in chat.sent
        assert chat.sent.count("<work-so-far>") == 1


async def test_a_threshold_of_20000_in_a_window_of_32000_fires_at_20000(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = (
        '[models."claude-sonnet-5-5"]\nwindow = 32000\nmax_output = 8000\n'
        "[compression]\nrequire_benefit = false\n"
        "[[compression.pressure_levels]]\nthreshold = 20000\ntarget_ratio = 2.0\n"
    )
    async with chatting(tmp_path, monkeypatch, Talker(), small) as chat:
        sizes: list[int] = []
        made: list[Condensed] = []
        for n in range(40):
            made = await chat.says(f"Go on with part {n}, please.")
            sizes.append(chat.session.situation.size)
            if made:
                break
        growth = max(later - earlier for earlier, later in pairwise(sizes))
        (fold,) = made
        assert sizes[-2] < 20_000 + growth
        assert 20_000 <= fold.before < 20_000 + growth
        assert fold.by == "pressure"


@pytest.mark.parametrize("most", [400, 1_500, 4_000])
async def test_eight_statements_of_a_model_all_stand_in_the_note_as_far_as_it_kept_to_its_length(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []

    def eight(request: str) -> dict[str, object]:
        found = re.search(r"At most (\d+) tokens", request)
        assert found
        assert int(found[1]) == most // 2
        each = int(int(found[1]) * 0.9 / 8) - 10
        statements[:] = [f"Statement {n} says{' that it holds' * (each // 3)}." for n in range(8)]
        return {"goal": "", "next_steps": [], "progress": statements}

    config = f"[compression]\nnote_max_tokens = {most}\n"
    async with chatting(tmp_path, monkeypatch, Talker(eight), config) as chat:
        for n in range(7):
            await chat.says(f"Go on with part {n}. " + f"This is what it has: {n}. " * 900)
        (made,) = await chat.says("/compact")
        assert made.writer.startswith("claude-")
        await chat.says("And now?")
        assert [each for each in statements if f"- {each}" not in chat.sent] == []


async def test_guidance_and_what_the_project_says_of_compression_reach_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talker = Talker()
    config = '[compression]\nguidance = "Keep every ticket number."\n'
    project = "# Compression\nName the branch.\n# Else\nBe kind.\n"
    async with chatting(tmp_path, monkeypatch, talker, config, project) as chat:
        await chat.says(*(f"Go on with part {m}, please." for m in range(6)), "/compact")
        (asked,) = talker.asked
        assert "Keep every ticket number." in asked
        assert asked.count("Name the branch.") == 1


@pytest.mark.parametrize("writer", ["auto", "claude-sonnet-5-5"])
async def test_a_note_begun_ahead_is_a_valid_request_is_used_and_is_on_the_bill(
    writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = (
        f'[compression]\nrequire_benefit = false\ndecision.model = "{writer}"\n'
        "[[compression.pressure_levels]]\nthreshold = 20000\ntarget_ratio = 2.0\n"
    )
    talker = Talker()
    async with chatting(tmp_path, monkeypatch, talker, early) as chat:
        chat.session.compressor.ahead.between_turns = True
        made: list[Condensed] = []
        while not made:
            made = await chat.says("Go on with the next part, please.")
            if talker.asked:
                assert chat.session.info.writing_ahead or made
        assert len(talker.asked) == 1
        assert made[0].cost
        assert abs(chat.session.engine.state.ledger.total_cost - chat.server.dollars) < 1e-9


async def test_a_run_without_a_screen_begins_a_note_between_its_calls_and_bills_what_it_wastes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = (
        "[compression]\nrequire_benefit = false\nwrite_ahead = 0.5\n"
        "[[compression.pressure_levels]]\nthreshold = 20000\ntarget_ratio = 2.0\n"
    )
    talker, gate = Talker(), Gate()
    async with chatting(tmp_path, monkeypatch, talker, early) as chat:
        while chat.session.situation.size < 12_000:
            await chat.says("Go on with the next part, please.")
        assert talker.asked == []
        before = chat.server.dollars
        chat.server.then(call("read", file_path="README.md"))
        chat.server.default = lambda body: (
            talker(body) if is_summary(body) else Held(gate, say("Read."), 0)
        )
        out, err = TextIOWrapper(BytesIO(), "utf-8"), StringIO()
        running = asyncio.create_task(run(chat.session, "read it", "json", out, err))
        await soon(gate.reached())
        while chat.session.compressor.ahead.writing:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        gate.open()
        assert await soon(running) == 0
        out.seek(0)
        told = json.loads(out.read())
        assert (told["result"], len(talker.asked)) == ("Read.", 1)
        assert "for nothing: the run ended before it was needed (pressure, paid" in err.getvalue()
        assert abs(told["cost_usd"] - (chat.server.dollars - before)) < 1e-9
        assert not chat.session.compressor.ahead.under_way
