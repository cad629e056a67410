"""`octochat doctor` finds what is wrong, each fault by itself, and nothing where nothing is."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from octochat.commands.base import Report
from octochat.commands.execute import execute, understood
from octochat.doctor.examine import examined, faults, report
from octochat.doctor.finding import Patient
from octochat.sandbox.probe import Missing
from octochat.storage.data_folder import VARIABLE
from octochat.storage.lines import first_line
from tests.e2e.home import Home, home

KEY = "sk-ant-api03-abcdefghijklmnop"


def healthy(root: Path) -> Home:
    """A home in which nothing is wrong."""
    sound = {"ANTHROPIC_API_KEY": KEY, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    made = home(root, sound)
    for folder in (made.data, made.data / "sessions", made.data / "index"):
        folder.mkdir(mode=0o700)
    return made


def _file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _damage_an_index(at: Home) -> None:
    path = at.data / "index" / "one.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table t(x)")
        database.executemany("insert into t values (?)", [("a" * 500,)] * 100)
        database.commit()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x55" * 8192 + whole[12288:])


def _open_to_others(at: Home) -> None:
    at.data.chmod(0o755)
    (at.data / "sessions").chmod(0o755)


def _no_sandbox(_network: bool) -> Missing:
    return Missing("bubblewrap is not there")


def _seven_megabytes(_folder: Path) -> int:
    return 7_000_000


@dataclass(frozen=True)
class Planted:
    """A fault."""

    area: str
    told: str
    """Part of what is said of it."""
    plant: Callable[[Home], object] = lambda _: None
    environment: Mapping[str, str] | None = None
    """What the environment has instead."""
    patient: Callable[[Patient], Patient] = lambda patient: patient


FAULTS: Mapping[str, Planted] = {
    "a misspelt key": Planted(
        "configuration", 'did you mean "max_cost"', lambda at: at.configure("max_cots = 1.0")
    ),
    "a sandbox that is wanted and can't be": Planted(
        "sandbox",
        'mode is "require"',
        lambda at: at.configure('sandbox.mode = "require"'),
        patient=lambda patient: replace(patient, sandbox=_no_sandbox),
    ),
    "no TOML": Planted("configuration", "this is not TOML", lambda at: at.configure("model = ")),
    "no key": Planted("key", "No API key is set", environment={"ANTHROPIC_API_KEY": ""}),
    "a line end in the key": Planted(
        "key", "there is a line end in it", environment={"ANTHROPIC_API_KEY": "sk-ant\nabc"}
    ),
    "an address without scheme": Planted(
        "server",
        "ANTHROPIC_BASE_URL is no address",
        environment={"ANTHROPIC_BASE_URL": "localhost:8000"},
    ),
    "a model without a price": Planted(
        "model",
        "doesn't know what claude-sonet-5-5 costs",
        lambda at: at.configure('model = "claude-sonet-5-5"'),
    ),
    "a data folder that can't be written": Planted(
        "folders",
        "can't be written",
        lambda at: _file(at.root / "file", ""),
        environment={VARIABLE: "file/data"},
    ),
    "a data folder that others can read": Planted("folders", "mode 755", _open_to_others),
    "a configuration that others can change": Planted(
        "folders", "others may change", lambda at: at.settings.chmod(0o666)
    ),
    "a full disk": Planted(
        "disk", "only 7 MB", patient=lambda patient: replace(patient, free=_seven_megabytes)
    ),
    "a damaged index": Planted("index", "one.db is damaged", _damage_an_index),
    "SQLite without FTS5": Planted(
        "index", "no FTS5", patient=lambda patient: replace(patient, indexes=lambda: False)
    ),
    "a damaged session": Planted(
        "sessions",
        "line 2 is damaged",
        lambda at: _file(at.data / "sessions/a.jsonl", f'{first_line()}\n{{"id":1,"at":x}}\n'),
    ),
    "a skill without description": Planted(
        "skills",
        "it has no description",
        lambda at: _file(at.project / "skills/bad/SKILL.md", "---\nname: bad\n---\nDo it.\n"),
    ),
    "a strategy that can't be imported": Planted(
        "strategies",
        '"gone:Lazy" is left out',
        lambda at: at.configure('context.strategies = ["pressure", "gone:Lazy"]'),
    ),
    "a terminal that can't place a cursor": Planted(
        "terminal", "no cursor can be placed", environment={"TERM": "dumb"}
    ),
    "a locale without UTF-8": Planted(
        "terminal", "is not UTF-8", environment={"LC_ALL": "de_DE.ISO-8859-1"}
    ),
}


def _looked_at(at: Home, planted: Planted, patch: pytest.MonkeyPatch) -> Patient:
    at.enter(patch)
    patch.setattr("sys.dont_write_bytecode", True)
    for name, value in (planted.environment or {}).items():
        patch.setenv(name, f"{at.root}/{value}" if name == VARIABLE else value)
    planted.plant(at)
    return planted.patient(Patient(at.project))


@pytest.mark.parametrize("name", FAULTS)
def test_each_planted_fault_is_found_with_what_to_do(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = FAULTS[name]
    findings = examined(_looked_at(healthy(tmp_path), planted, monkeypatch))
    found = [each for each in findings if each.state == "fault"]
    assert [each.area for each in found] == [planted.area]
    assert planted.told in found[0].what
    assert found[0].remedy


def test_each_mistake_of_a_configuration_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = healthy(tmp_path)
    at.configure("modle = 1\nmax_tokens = 0")
    findings = examined(_looked_at(at, Planted("configuration", ""), monkeypatch))
    found = [each for each in findings if each.state == "fault"]
    assert [each.what.split(": ")[1] for each in found] == ["modle", "max_tokens"]
    assert all(each.remedy for each in found)


def test_where_nothing_is_wrong_nothing_is_to_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = healthy(tmp_path)
    at.configure('[tools]\ncommand_timeout = "3m"')
    findings = examined(_looked_at(at, Planted("", ""), monkeypatch))
    assert faults(findings) == 0
    said = report(findings)
    assert said.endswith("\nNothing to be done.")
    assert f"tools.command_timeout = 3m, from {at.settings}" in said


async def test_the_chat_has_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = healthy(tmp_path)
    at.enter(monkeypatch)
    flag = at.root / "flag.toml"
    flag.write_text('model = "offline"', encoding="utf-8")
    session = at.open(config=flag)
    async with aclosing(execute(session, understood("/doctor"))) as said:
        told = [item async for item in said]
    await session.close()
    texts = [item.text for item in told if isinstance(item, Report)]
    assert f"model = offline, from {flag}" in texts[0]


def test_a_key_is_never_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Planted("", "", environment={"ANTHROPIC_API_KEY": f"{KEY}\n{KEY}"})
    findings = examined(_looked_at(healthy(tmp_path), planted, monkeypatch))
    assert faults(findings) == 1
    assert "abcdefgh" not in repr(findings)


def test_the_command_says_by_its_exit_code_whether_something_is_to_be_done(tmp_path: Path) -> None:
    at = healthy(tmp_path)
    ran = at.run("doctor")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "Nothing to be done." in ran.stdout.decode()
    at.configure("max_cots = 1.0")
    ran = at.run("doctor", "--json")
    told = json.loads(ran.stdout)
    assert (ran.returncode, told["faults"]) == (1, 1)
    (fault,) = (each for each in told["findings"] if each["state"] == "fault")
    assert fault["area"] == "configuration"
    assert "max_cost" in fault["what"]
