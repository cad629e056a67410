import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from octochat.commands.base import Report
from octochat.context.session.content import Text
from octochat.context.session.events import Replied
from octochat.models.catalogue import info, uncapped
from octochat.models.port import ModelError, Notice
from tests.root import ROOT
from tests.server import Call, ClaudeServer, reply, say
from tests.stage import Stage, calls, text


async def octochat(server: ClaudeServer, home: Path, *arguments: str) -> tuple[int, Any, str]:
    """The program with the test server: exit code, the JSON it printed, what it said on stderr."""
    work = home / "work"
    work.mkdir(exist_ok=True)
    (work / "a.txt").write_text("alpha\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "OCTO"))}
    own = {
        "OCTOCHAT_DATA_DIR": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(ROOT),
    }
    command = ("-m", "octochat", *arguments, "--output-format", "json")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=work,
        env=kept | own | server.env,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, json.loads(out) if out else None, err.decode()


async def test_no_call_is_made_once_the_session_has_cost_that_much(tmp_path: Path) -> None:
    steps = reply(Call("read", {"file_path": "a.txt"})), say("done")
    async with ClaudeServer(*steps) as server:
        code, outcome, _ = await octochat(
            server, tmp_path, "-p", "read it", "--model", "claude-sonnet-5-5", "--max-cost", "1e-6"
        )
        assert code == 1
        assert len(server.exchanges) == 1
        assert "no more than" in outcome["error"]
        assert "--max-cost" in outcome["error"]
        assert outcome["cost_usd"] > 1e-6, "what was spent before is told"

        code, outcome, _ = await octochat(server, tmp_path, "-c", "-p", "/retry")
        assert (code, outcome["result"]) == (0, "done"), "without the limit it goes on"
        assert len(server.exchanges) == 2

        code, outcome, _ = await octochat(
            server, tmp_path, "-c", "-p", "more", "--max-cost", "1e-6"
        )
        assert code == 1
        assert len(server.exchanges) == 2, "what a session has cost counts after it is resumed"


async def test_the_configuration_limits_as_well_and_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "work" / ".octochat").mkdir(parents=True)
    (tmp_path / "work" / ".octochat" / "config.toml").write_text("max_cost = 0.000001\n")
    async with ClaudeServer(say("one"), say("two")) as server:
        code, outcome, _ = await octochat(server, tmp_path, "-p", "say one")
        assert (code, outcome["result"]) == (0, "one")
        code, outcome, _ = await octochat(server, tmp_path, "-c", "-p", "say two")
        assert code == 1
        assert len(server.exchanges) == 1
        code, outcome, _ = await octochat(server, tmp_path, "-c", "-p", "go on", "--max-cost", "5")
        assert (code, outcome["result"]) == (0, "two")


async def test_a_model_without_prices_is_told_of_where_a_limit_is_set(tmp_path: Path) -> None:
    async with ClaudeServer() as server:
        _, _, told = await octochat(
            server, tmp_path, "-p", "/model", "--model", "qwen3:8b", "--max-cost", "1"
        )
    assert "The limit of $1 can't be kept" in told
    assert uncapped(info("claude-sonnet-5-5"), 1.0) == ""
    assert uncapped(info("qwen3:8b"), 0.0) == ""


@pytest.mark.parametrize("amount", ["0", "-1", "nan", "inf", "much"])
def test_what_is_no_amount_is_refused(amount: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "octochat", "-p", "x", f"--max-cost={amount}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert "is not an amount of dollars above 0" in done.stderr


async def test_not_even_a_compression_is_paid_for_beyond_the_limit() -> None:
    stage = Stage(calls(*[2_000] * 8))
    await stage.say("one")
    stage.engine.max_cost = 1e-9
    stage.engine.append(Replied((Text("dear"),), cost=0.5))
    asked = len(stage.asked)
    with pytest.raises(ModelError) as refusal:
        await stage.say("two " * 12_000)
    assert refusal.value.kind == "cost"
    assert len(stage.asked) == asked


@pytest.mark.parametrize("command", ["/done", "/compact"])
async def test_what_a_person_asks_for_is_done_without_a_model_beyond_the_limit(
    command: str,
) -> None:
    stage = Stage(calls(*[2_000] * 8), strategies=())
    await stage.say("one")
    stage.engine.append(Replied((Text("dear"),), cost=0.5))
    stage.engine.max_cost = 0.25
    shown = await stage.say(command)
    told = [item.text for item in shown if isinstance(item, Notice)]
    assert "has cost $0.500" in told[0]
    assert "without a model" in told[0]
    (made,) = stage.condensed
    assert (made.writer, made.cost, stage.asked) == ("extractive", 0.0, [])
    assert "cost limit is reached" in made.why
    await stage.say("/restore")
    await stage.say("/max-cost none")
    shown = await stage.say(command)
    assert [item for item in shown if isinstance(item, Notice)] == []
    assert stage.asked


async def test_the_limit_is_raised_or_lifted_from_within_the_session() -> None:
    stage = Stage([text("one"), text("two")])
    await stage.say("hello")
    stage.engine.append(Replied((Text("dear"),), cost=0.5))
    stage.engine.max_cost = 0.25
    with pytest.raises(ModelError, match="/max-cost DOLLARS here"):
        await stage.say("go on")
    for said, told, limit in (
        ("", "so octochat makes no more calls. To change that: /max-cost DOLLARS", 0.25),
        (" -1", "Usage: ", 0.25),
        (" much", "Usage: ", 0.25),
        (" nan", "Usage: ", 0.25),
        (" $0.40", "the limit is $0.400, so octochat makes no more calls", 0.4),
        (" 2", "The session has cost $0.500; octochat stops calling the model at $2.00", 2.0),
        (" none", "there is no limit", 0.0),
    ):
        (report,) = await stage.say(f"/max-cost{said}")
        assert isinstance(report, Report)
        assert told in report.text
        assert stage.engine.max_cost == limit
    await stage.say("/retry")
    assert len(stage.heard) == 2


async def test_a_change_to_a_model_without_prices_tells_it_too() -> None:
    stage = Stage([])
    stage.engine.max_cost = 1.0
    stage.session = replace(stage.session, known=info)
    items = await stage.say("/model qwen3:8b")
    assert any("can't be kept" in item.text for item in items if isinstance(item, Notice))
    (report,) = await stage.say("/max-cost 2")
    assert isinstance(report, Report)
    assert "limit of $2 can't be kept" in report.text
