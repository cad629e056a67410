"""Asking whether a call is permitted: who is asked, for what, and what becomes of the answer."""

import asyncio
import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from octochat.context.session.content import ToolCall
from octochat.permissions.ask import (
    AllowAlways,
    AllowOnce,
    AllowSession,
    Approval,
    Deny,
    Permissions,
    Verdict,
)
from octochat.permissions.remembered import RememberedRules
from octochat.permissions.rule import Rule, parse
from tests.permissions.test_rules import FOLDER, at, rules, run


@dataclass
class Person:
    answers: list[Verdict]
    asked: list[Approval] = field(default_factory=list[Approval])

    async def ask(self, approval: Approval) -> Verdict:
        self.asked.append(approval)
        await asyncio.sleep(0)
        return self.answers.pop(0)


CALL = ToolCall("c1", "bash", {})


async def test_once_is_once_and_a_session_rule_holds() -> None:
    person = Person([AllowOnce(), AllowSession((parse("bash(git *)"),))])
    permissions = Permissions(rules(), person)
    assert await permissions.check("bash", CALL, run("git log")) is None
    assert await permissions.check("bash", CALL, run("git log")) is None
    assert await permissions.check("bash", CALL, run("git status")) is None
    assert len(person.asked) == 2


async def test_calls_side_by_side_ask_one_after_the_other_and_profit_from_the_answer() -> None:
    person = Person([AllowSession((parse("bash(git *)"),))])
    permissions = Permissions(rules(), person)
    answers = await asyncio.gather(
        *(permissions.check("bash", CALL, run(f"git {word}")) for word in ("log", "diff", "tag"))
    )
    assert answers == [None, None, None]
    assert len(person.asked) == 1


async def test_the_model_gets_the_reason_of_a_no() -> None:
    permissions = Permissions(rules(), Person([Deny("use the dry run"), Deny()]))
    assert await permissions.check("bash", CALL, run("x")) == (
        "the person did not allow it: use the dry run"
    )
    assert await permissions.check("bash", CALL, run("x")) == "the person did not allow it"


async def test_nobody_is_asked_about_a_call_that_is_bound_to_fail() -> None:
    person = Person([AllowOnce()])
    doomed = replace(at("write", "a"), fault="old_string is not in a")
    assert await Permissions(rules(), person).check("edit", CALL, doomed) == doomed.fault
    assert not person.asked
    # Outside, or where reading asks, the failure would tell what is in the file.
    outside = replace(at("write", "/etc/a"), fault="old_string is not in it")
    assert await Permissions(rules(), person).check("edit", CALL, outside) is None
    assert len(person.asked) == 1


async def test_always_is_written_down_for_this_folder_and_keeps_comments(tmp_path: Path) -> None:
    file = RememberedRules(tmp_path / "config/permissions.toml", FOLDER)
    assert file.load() == ()
    rule = parse('bash(echo "ä\n" \\ \x7f)')
    permissions = Permissions(rules(), Person([AllowAlways((rule,))]), remember=file.add)
    assert await permissions.check("bash", CALL, run("x")) is None
    text = file.path.read_text() + "# mine\n"
    file.path.write_text(text)
    file.add(parse("edit"))
    assert file.path.read_text().startswith(text)
    assert file.load() == (rule, parse("edit"))
    assert RememberedRules(file.path, Path("/other")).load() == ()
    assert file.path.stat().st_mode & 0o077 == 0


async def test_where_always_cannot_be_written_it_holds_for_the_session_and_is_told() -> None:
    def full(rule: Rule) -> None:
        raise OSError(28, "No space left on device")

    told: list[str] = []
    person = Person([AllowAlways((parse("bash(git *)"),))])
    permissions = Permissions(rules(), person, remember=full, tell=told.append)
    assert await permissions.check("bash", CALL, run("git log")) is None
    assert await permissions.check("bash", CALL, run("git log")) is None
    assert "this session only" in told[0]


async def test_a_folder_whose_name_is_no_text_keeps_its_answers_for_the_session(
    tmp_path: Path,
) -> None:
    odd = RememberedRules(tmp_path / "permissions.toml", Path(os.fsdecode(b"/tmp/caf\xe9")))
    told: list[str] = []
    person = Person([AllowAlways((parse("bash(git *)"),))])
    permissions = Permissions(rules(), person, remember=odd.add, tell=told.append)
    assert await permissions.check("bash", CALL, run("git log")) is None
    assert "this session only" in told[0]
    assert not odd.path.exists()


async def test_what_was_allowed_can_be_taken_back(tmp_path: Path) -> None:
    file = RememberedRules(tmp_path / "permissions.toml", FOLDER)
    both = (parse("bash(git *)"), parse("bash(npm *)"))
    person = Person([AllowAlways(both), AllowSession((parse("bash(cc *)"),)), Deny()])
    permissions = Permissions(
        rules(), person, remember=file.add, forget=file.remove, always=file.load()
    )
    for line in ("git log; npm t", "cc a"):
        assert await permissions.check("bash", CALL, run(line)) is None
    assert [(str(each.rule), each.lasting) for each in permissions.granted] == [
        ("bash(git *)", True),
        ("bash(npm *)", True),
        ("bash(cc *)", False),
    ]
    file.path.write_text(f"{file.path.read_text()}# mine\n")
    permissions.take_back(permissions.granted[0])
    permissions.take_back(permissions.granted[1])
    assert [str(each.rule) for each in permissions.granted] == ["bash(npm *)"]
    assert file.load() == both[1:]
    assert file.path.read_text().endswith("# mine\n")
    assert await permissions.check("bash", CALL, run("npm t")) is None
    assert await permissions.check("bash", CALL, run("git log")) is not None


async def test_what_could_not_be_saved_is_taken_back_all_the_same() -> None:
    def full(rule: Rule) -> None:
        raise OSError("disk full")

    person = Person([AllowAlways((parse("bash(git *)"),))])
    permissions = Permissions(rules(), person, remember=full, forget=full)
    await permissions.check("bash", CALL, run("git log"))
    permissions.take_back(permissions.granted[0])
    assert permissions.rules.allow == ()


async def test_an_answer_of_an_earlier_session_is_taken_out_of_its_file(tmp_path: Path) -> None:
    file = RememberedRules(tmp_path / "permissions.toml", FOLDER)
    rule = parse("bash(git *)")
    file.add(rule)
    earlier = file.load()
    permissions = Permissions(rules("bash(git *)"), Person([]), forget=file.remove, always=earlier)
    permissions.take_back(permissions.granted[0])
    assert file.load() == ()
    assert permissions.rules.allow == ()
